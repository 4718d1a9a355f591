import { basename, resolve } from "node:path";
import { generators } from "../../../functions/generators.ts";
import { platformQuestions } from "../../clouds/platform-questions.ts";
import { type PlatformQuestions, requiredQuestions } from "../../clouds/questions.ts";
import { type Finding, FindingError, finding, hasError } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { readItem } from "../../krm/item.ts";
import { sortFindings, toLines } from "../../krm/results.ts";
import { runFunctions } from "../../krm/run.ts";
import { documents, isProblem, parseSource } from "../../yaml/source.ts";
import type { FlagValue } from "../definition.ts";
import { statOf } from "../files/paths.ts";
import { readPublicKeyFile } from "../files/public-key-file.ts";
import { readRequests } from "../files/request-files.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { canAsk, NoAnswer, openPrompt, type Prompt } from "../terminal/prompt.ts";
import { clusterIdentity } from "./new-package.ts";

/** The values that `ccf init` needs, by flag: those for every cloud, and those for the platform. */
export type Answers = Readonly<Record<string, string>>;

/** What no other cluster answers. */
export const ownQuestions = [
  ["name", "Cluster name, also the prefix of every cloud resource"],
  ["public-key-file", "Public key file of the service account signer"],
] as const;

/** The flags in the order of their questions; those of a cloud only if the platform is known. */
function questionsFor(platform: string | undefined): (readonly [flag: string, question: string])[] {
  const cloud = platformOf(platform);
  const [name, publicKey] = ownQuestions;
  return [
    ["platform", "Cloud"],
    name,
    ...(cloud === undefined ? [] : requiredQuestions(cloud)).map(({ flag, asked }) => [flag, asked] as const),
    publicKey,
    ["credentials-requests", "Directory with the CredentialsRequests of the release"],
  ];
}

function platformOf(name: string | undefined): PlatformQuestions | undefined {
  return (
    platformQuestions.find((platformQuestion) => platformQuestion.name === name) ??
    (platformQuestions.length === 1 ? platformQuestions[0] : undefined)
  );
}

/** The clouds that have a flag; empty for a flag of every cloud. */
function cloudsOf(flag: string): readonly PlatformQuestions[] {
  return platformQuestions.filter(({ questions }) => questions.some((question) => question.flag === flag));
}

type Flags = Readonly<Record<string, FlagValue>>;

/**
 * The answers from flags, and the flags that are missing.
 * @throws UsageError if a flag is for another cloud than the platform.
 */
export function givenAnswers(flags: Flags): { given: Answers; missing: readonly string[] } {
  const platform = typeof flags["platform"] === "string" ? flags["platform"] : undefined;
  const asked = questionsFor(platform).map(([flag]) => flag);
  const ofClouds = platformQuestions.flatMap(({ questions }) => questions.map(({ flag }) => flag));
  const given = [...new Set([...asked, ...ofClouds])].flatMap((flag) => {
    const value = flags[flag];
    return typeof value === "string" && value !== "" ? [[flag, value] as const] : [];
  });
  const answers = Object.fromEntries(given);
  if (platform !== undefined) refuseOtherClouds(answers, platformNamed(platform));
  return { given: answers, missing: asked.filter((flag) => answers[flag] === undefined) };
}

function refuseOtherClouds(answers: Answers, { name, title }: PlatformQuestions): void {
  for (const flag of Object.keys(answers)) {
    const others = cloudsOf(flag);
    if (others.length === 0 || others.some((cloud) => cloud.name === name)) continue;
    const only = others.map((cloud) => cloud.title).join(" and ");
    throw new UsageError(`--${flag} is an option for ${only}, but the platform is ${title}; remove the option`);
  }
}

/**
 * Asks for the values that flags do not set. Each answer is checked, and the question is repeated if it is invalid.
 *
 * @param unneeded the flags that the new package does not need.
 * @throws UsageError or FindingsError if the value of a flag is invalid.
 */
export async function askMissing(
  prompt: Prompt,
  directory: string,
  given: Answers,
  unneeded: readonly string[] = [],
): Promise<Answers> {
  return askAll(prompt, given, {
    // The answer to the first question determines the others.
    questions: (answers) => questionsFor(answers["platform"]).filter(([flag]) => !unneeded.includes(flag)),
    check: (flag, answers) => check(flag, answers, directory),
    fallback: (flag, answers) => fallbackFor(flag, answers, directory),
  });
}

/** What a command asks, and how it checks the answers. */
export interface Interview {
  /** The flags and their questions, in order. */
  questions(answers: Answers): readonly (readonly [flag: string, question: string])[];
  /** @throws UsageError or FindingsError if the answer for a flag is invalid. */
  check(flag: string, answers: Answers): void;
  /** A valid answer for a user who gives none; undefined requires an answer. */
  fallback(flag: string, answers: Answers): string | undefined;
}

/**
 * Asks each question that has no answer yet, again while the answer is invalid.
 *
 * @throws UsageError or FindingsError if a given answer is invalid.
 */
export async function askAll(prompt: Prompt, given: Answers, interview: Interview): Promise<Answers> {
  const answers: Record<string, string> = { ...given };
  for (const flag of Object.keys(given)) interview.check(flag, answers);
  for (let index = 0; ; index++) {
    const [flag, question] = interview.questions(answers)[index] ?? [];
    if (flag === undefined || question === undefined) return answers;
    const fallback = interview.fallback(flag, answers);
    while (answers[flag] === undefined) {
      const answer = await prompt.ask(question, fallback);
      const problems = problemsOf(() => interview.check(flag, { ...answers, [flag]: answer }));
      if (problems.length === 0) answers[flag] = answer;
      else prompt.say(problems);
    }
    // Only now is it known what the flags for the cloud must be.
    if (flag === "platform") for (const set of Object.keys(given)) interview.check(set, answers);
  }
}

/**
 * The answers, with those that are missing from a user at a terminal. Without a terminal nothing is asked, because a script
 * must not hang.
 *
 * @param missing the flags without an answer.
 * @returns NoAnswer if the user did not answer every question.
 * @throws UsageError that names the missing flags if there is no terminal.
 */
export async function completeAnswers(
  given: Answers,
  missing: readonly string[],
  ask: (prompt: Prompt) => Promise<Answers>,
): Promise<Answers | NoAnswer> {
  if (missing.length === 0) return given;
  if (!canAsk()) {
    const names = missing.map((flag) => `--${flag}`).join(", ");
    throw new UsageError(`${names} ${missing.length === 1 ? "is" : "are"} required`);
  }
  const prompt = openPrompt();
  try {
    return await ask(prompt);
  } catch (error) {
    if (error instanceof NoAnswer) return error;
    throw error;
  } finally {
    prompt.close();
  }
}

function problemsOf(check: () => void): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof FindingsError) return toLines(sortFindings(error.findings));
    if (error instanceof FindingError) return toLines([error.finding]);
    if (error instanceof UsageError) return [`error: ${error.message}.`];
    throw error;
  }
}

/** @throws UsageError or FindingsError if the answer for a flag is invalid. */
export function check(flag: string, answers: Answers, directory: string): void {
  const value = answers[flag] ?? "";
  if (flag === "platform") refuseOtherClouds(answers, platformNamed(value));
  else if (flag === "public-key-file") refuseErrors(configFindings(answers, readPublicKeyFile(value)));
  else if (flag === "credentials-requests") {
    const cloud = platformOf(answers["platform"]);
    if (cloud !== undefined) readRequests(value, directory, cloud);
  } else refuseErrors(configFindings(answers));
}

function refuseErrors(findings: readonly Finding[]): void {
  if (hasError(findings)) throw new FindingsError(findings);
}

/**
 * The questions about a cluster on a cloud.
 * @throws UsageError if this version does not support the cloud.
 */
export function platformNamed(platform: string): PlatformQuestions {
  const found = platformQuestions.find(({ name }) => name === platform);
  if (found !== undefined) return found;
  const names = platformQuestions.map(({ name }) => quote(name));
  const supported = [names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" or ");
  throw new UsageError(`--platform must be ${supported} in this version, not ${quote(platform)}`);
}

// Unknown values are replaced by valid examples, or their findings are skipped, so that all findings concern known
// values.
function configFindings({ platform, ...answers }: Answers, publicKey?: string): readonly Finding[] {
  const cloud = platformOf(platform);
  if (cloud === undefined) return [];
  const examples = Object.fromEntries(requiredQuestions(cloud).map(({ flag, example }) => [flag, example]));
  const spec = cloud.spec({ ...examples, ...answers });
  const publicKeys = publicKey === undefined ? [] : [publicKey];
  return errorsOfAnswers(
    clusterIdentity({ name: answers["name"] ?? "demo", platform: { [cloud.name]: spec }, publicKeys }),
  );
}

/** The errors in a configuration whose keys may be unknown. They have no location, because it is not a file yet. */
export function errorsOfAnswers(text: string): readonly Finding[] {
  return checkConfig(text)
    .filter(({ severity, field }) => severity === "error" && field !== "spec.issuer.signingKeys")
    .map(({ code, message }) => finding("error", code, message));
}

/** The same checks as in a render, before anything is written, worded for typed values instead of for the file. */
export function checkConfig(text: string): readonly Finding[] {
  const source = parseSource(text);
  if (isProblem(source)) throw new UsageError(`cannot write the configuration: ${source.reason}`);
  const [node = 0] = documents(source);
  const config = readItem(source, node, { path: "cluster-identity.yaml", index: 0 });
  const issuer = generators.filter((fn) => fn.name === "generate-oidc-issuer");
  return sortFindings(runFunctions(issuer, { items: [], functionConfig: config }).findings.map(withoutQuotes));
}

// YAML needs quotes, because digits alone are a number. Typed as an answer, quotes would be part of the value.
function withoutQuotes(finding: Finding): Finding {
  return {
    ...finding,
    message: finding.message.replace(/(, but must be [^,;]+) in quotes\.$/, "$1."),
  };
}

/** A default for a question. It is offered only if it is valid: the output of the other commands in the documentation. */
export function fallbackFor(flag: string, answers: Answers, directory: string): string | undefined {
  const candidate = flag === "platform" ? firstPlatform(answers) : fallbacks(directory)[flag];
  if (candidate === undefined) return undefined;
  const problems = problemsOf(() => check(flag, { ...answers, [flag]: candidate }, directory));
  return problems.length === 0 ? candidate : undefined;
}

// The first cloud that has every flag that is set.
function firstPlatform(answers: Answers): string | undefined {
  const fits = (cloud: PlatformQuestions, flag: string) => {
    const clouds = cloudsOf(flag);
    return clouds.length === 0 || clouds.includes(cloud);
  };
  return platformQuestions.find((cloud) => Object.keys(answers).every((flag) => fits(cloud, flag)))?.name;
}

function fallbacks(directory: string): Answers {
  const ifExists = (flag: string, path: string) => (statOf(path) === undefined ? {} : { [flag]: path });
  return {
    name: basename(resolve(directory)),
    ...ifExists("public-key-file", "serviceaccount-signer.public"),
    ...ifExists("credentials-requests", "credrequests"),
  };
}
