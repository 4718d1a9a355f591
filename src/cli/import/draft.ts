import type { LiveCredential, LiveFacts } from "../../clouds/live-cluster.ts";
import { known } from "../../clouds/live-cluster.ts";
import { type PlatformQuestions, type RequiredQuestion, requiredQuestions } from "../../clouds/questions.ts";
import { type Resource, textAt } from "../../core/resource.ts";
import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import { requestTokenPath, secretKeyOf } from "../../requests/credentials-request.ts";
import type { Answers } from "../init/init-answers.ts";
import type { NewPackage } from "../init/init-files.ts";
import type { FoundCluster } from "./found-cluster.ts";
import { assumedRelease, releaseOf } from "./release.ts";

/** What is known about a cluster before the user has answered the questions that nothing answers. */
export interface Draft {
  readonly cloud: PlatformQuestions;
  readonly cluster: FoundCluster;
  readonly requests: readonly Resource[];
  readonly facts: LiveFacts;
  /** `--resource-prefix` */
  readonly prefix: string | undefined;
}

/** The contents of the configuration, and what was assumed in it. */
export interface Settings {
  readonly options: Pick<NewPackage, "name" | "platform" | "spec">;
  readonly assumed: readonly string[];
}

/** What must be known for a package: the flags and their questions, in order. */
export function importQuestions(cloud: PlatformQuestions): readonly RequiredQuestion[] {
  const { imported = [] } = cloud;
  const replaced = new Set(imported.map(({ flag }) => flag));
  return [...requiredQuestions(cloud).filter(({ flag }) => !replaced.has(flag)), ...imported];
}

/** The name of the cluster: the prefix of its resources, or the name that the installer chose; undefined if neither is known. */
export function nameOf({ facts, prefix, cluster: { infrastructure } }: Draft): string | undefined {
  const installed =
    infrastructure === undefined ? "" : textAt(infrastructure.value(), ["status", "infrastructureName"]);
  return prefix ?? facts.prefix ?? (installed || undefined);
}

/** The configuration of the package. Valid examples replace answers that are missing. */
export function settingsOf(draft: Draft, answers: Answers): Settings {
  const { cloud, cluster, requests, facts } = draft;
  const name = answers["name"] ?? nameOf(draft) ?? "demo";
  const prefix = draft.prefix ?? facts.prefix ?? name;
  const examples = Object.fromEntries(importQuestions(cloud).map(({ flag, example }) => [flag, example]));
  const complete = { ...examples, ...facts.answers, ...answers };
  const settled = facts.settle(prefix, complete);
  const spec = known({
    resourcePrefix: prefix === name ? undefined : prefix,
    release: releaseOf(cluster, requests),
    tokenPath: tokenPathOf(facts.credentials, requests),
    issuer: known({ url: settled.issuerUrl }),
  });
  return {
    options: { name, platform: { [cloud.name]: { ...cloud.spec(complete), ...settled.spec } }, spec },
    assumed: [...assumedRelease(cluster), ...settled.assumed],
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
