import { known, type LiveCredential, type LiveFacts } from "../../clouds/live-cluster.ts";
import { type PlatformQuestions, type RequiredQuestion, requiredQuestions } from "../../clouds/questions.ts";
import { finding } from "../../core/finding.ts";
import { type Resource, textAt } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import { requestTokenPath, secretKeyOf } from "../../requests/credentials-request.ts";
import { readPublicKeyFile } from "../files/public-key-file.ts";
import {
  type Answers,
  askAll,
  completeAnswers,
  errorsOfAnswers,
  type Interview,
  ownQuestions,
} from "../new-package/answers.ts";
import { clusterIdentity, type NewPackage } from "../new-package/new-package.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { NoAnswer } from "../terminal/prompt.ts";
import type { FoundCluster } from "./found-cluster.ts";
import { assumedRelease, type GivenRelease, releaseOf } from "./release.ts";

/** What is known about a cluster before the user has answered the questions that nothing answers. */
export interface Draft {
  readonly cloud: PlatformQuestions;
  readonly cluster: FoundCluster;
  readonly requests: readonly Resource[];
  readonly facts: LiveFacts;
  /** `--resource-prefix` */
  readonly prefix: string | undefined;
  readonly release: GivenRelease;
}

/** The contents of the configuration, and what was assumed in it. */
export interface Settings {
  readonly options: Pick<NewPackage, "name" | "platform" | "spec">;
  readonly assumed: readonly string[];
}

/** What must be known for a package: the flags and their questions, in order. */
function importQuestions(cloud: PlatformQuestions): readonly RequiredQuestion[] {
  const { imported = [] } = cloud;
  const replaced = new Set(imported.map(({ flag }) => flag));
  return [...requiredQuestions(cloud).filter(({ flag }) => !replaced.has(flag)), ...imported];
}

/** The name of the cluster: the prefix of its resources, or the name that the installer chose; undefined if neither is known. */
function nameOf({ facts, prefix, cluster: { infrastructure } }: Draft): string | undefined {
  const installed =
    infrastructure === undefined ? "" : textAt(infrastructure.value(), ["status", "infrastructureName"]);
  return prefix ?? facts.prefix ?? (installed || undefined);
}

/** The configuration of the package. Valid examples replace answers that are missing. */
export function settingsOf(draft: Draft, answers: Answers): Settings {
  const { cloud, cluster, requests, facts, release } = draft;
  const name = answers["name"] ?? nameOf(draft) ?? "demo";
  const prefix = draft.prefix ?? facts.prefix ?? name;
  const examples = Object.fromEntries(importQuestions(cloud).map(({ flag, example }) => [flag, example]));
  const complete = { ...examples, ...facts.answers, ...answers };
  const settled = facts.settle(prefix, complete);
  const spec = known({
    resourcePrefix: prefix === name ? undefined : prefix,
    release: releaseOf(cluster, requests, release),
    tokenPath: tokenPathOf(facts.credentials, requests),
    issuer: known({ url: settled.issuerUrl }),
  });
  return {
    options: { name, platform: { [cloud.name]: { ...cloud.spec(complete), ...settled.spec } }, spec },
    assumed: [...assumedRelease(cluster, release), ...settled.assumed],
  };
}

// The path in every Secret whose request names none.
function tokenPathOf(credentials: readonly LiveCredential[], requests: readonly Resource[]): string | undefined {
  const paths = new Map(requests.map((request) => [secretKeyOf(request.value()), requestTokenPath(request.value())]));
  const files = credentials
    .filter(({ secretKey }) => paths.get(secretKey) === "")
    .flatMap(({ tokenFile }) => tokenFile ?? []);
  const [path, other] = new Set(files);
  return other !== undefined || path === defaultTokenPath ? undefined : path;
}

/**
 * Refuses facts that cannot be true of one cluster.
 *
 * @param found the answers of the cluster, by flag.
 * @throws FindingsError `import-contradiction`
 */
export function refuseContradictions(sentences: readonly string[], found: Answers, given: Answers): void {
  const contradicting = Object.entries(given).filter(
    ([flag, value]) => found[flag] !== undefined && found[flag]?.toLowerCase() !== value.toLowerCase(),
  );
  const messages = [
    ...sentences.map((text) => `${text}. Pass the objects of one cluster only.`),
    ...contradicting.map(
      ([flag, value]) =>
        `--${flag} is ${quote(value)}, but the cluster says ${quoteWhole(found[flag] ?? "")}. Remove the option, or pass the objects of the right cluster.`,
    ),
  ];
  if (messages.length > 0)
    throw new FindingsError(messages.map((message) => finding("error", "import-contradiction", message)));
}

/**
 * The answers of the cluster, those of flags, and those of a user at a terminal.
 *
 * @throws UsageError that names the missing flags if there is no terminal.
 */
export async function answersFor(draft: Draft, given: Answers, hasKeys: boolean): Promise<Answers | NoAnswer> {
  const interview = interviewFor(draft, hasKeys);
  const start = { ...draft.facts.answers, ...given };
  const missing = interview.questions(start).flatMap(([flag]) => (start[flag] === undefined ? [flag] : []));
  return completeAnswers(start, missing, (prompt) => askAll(prompt, start, interview));
}

/** What neither the cluster nor a flag may say. */
export function interviewFor(draft: Draft, hasKeys: boolean): Interview {
  const [name, key] = ownQuestions;
  const questions = [
    ...(nameOf(draft) === undefined ? [name] : []),
    ...importQuestions(draft.cloud).map(({ flag, asked }) => [flag, asked] as const),
    ...(hasKeys ? [] : [key]),
  ];
  return {
    questions: () => questions,
    check(flag, answers) {
      const publicKeys = flag === "public-key-file" ? [readPublicKeyFile(answers[flag] ?? "")] : [];
      const findings = errorsOfAnswers(clusterIdentity({ ...settingsOf(draft, answers).options, publicKeys }));
      if (findings.length > 0) throw new FindingsError(findings);
    },
    fallback: () => undefined,
  };
}
