import { basename, resolve } from "node:path";
import { generators } from "../../../functions/generators.ts";
import { type Finding, FindingError, finding, hasError } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { readItem } from "../../krm/item.ts";
import { sortFindings, toLines } from "../../krm/results.ts";
import { runFunctions } from "../../krm/run.ts";
import { documents, isProblem, parseSource } from "../../yaml/source.ts";
import { readRequests } from "../files/request-files.ts";
import { statOf } from "../files/stat-of.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import type { Prompt } from "../terminal/prompt.ts";
import { clusterIdentity } from "./init-files.ts";
import { readKey } from "./init-key.ts";

/** What `ccf init` has to know, by the flag that says it. */
export type Answers = Record<(typeof questions)[number][0], string>;

const questions = [
  ["platform", "Cloud"],
  ["name", "Name of the cluster; it prefixes every cloud resource"],
  ["account-id", "AWS account ID (12 digits)"],
  ["region", "AWS region, such as us-east-2"],
  ["public-key-file", "File of the service account signer's public key"],
  ["credentials-requests", "Directory with the release's CredentialsRequests"],
] as const;

type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** The answers that flags give, and the flags that are missing. */
export function givenAnswers(flags: Flags): { given: Partial<Answers>; missing: readonly (keyof Answers)[] } {
  const given: Partial<Answers> = {};
  for (const [flag] of questions) {
    const value = flags[flag];
    if (typeof value === "string" && value !== "") given[flag] = value;
  }
  return { given, missing: questions.map(([flag]) => flag).filter((flag) => given[flag] === undefined) };
}

/**
 * Asks for what flags do not say, and asks again where an answer cannot be: each is checked when it is given.
 *
 * @throws UsageError or FindingsError where a flag says something that cannot be.
 */
export async function askMissing(prompt: Prompt, directory: string, given: Partial<Answers>): Promise<Answers> {
  const answers = { ...given };
  for (const flag of Object.keys(given) as (keyof Answers)[]) check(flag, answers, directory);
  for (const [flag, question] of questions) {
    const fallback = fallbackFor(flag, answers, directory);
    while (answers[flag] === undefined) {
      const answer = await prompt.ask(question, fallback);
      const problems = problemsOf(flag, { ...answers, [flag]: answer }, directory);
      if (problems.length === 0) answers[flag] = answer;
      else prompt.say(problems);
    }
  }
  return answers as Answers;
}

function problemsOf(flag: keyof Answers, answers: Partial<Answers>, directory: string): readonly string[] {
  try {
    check(flag, answers, directory);
    return [];
  } catch (error) {
    if (error instanceof FindingsError) return toLines(sortFindings(error.findings));
    if (error instanceof FindingError) return toLines([error.finding]);
    if (error instanceof UsageError) return [`error: ${error.message}.`];
    throw error;
  }
}

function check(flag: keyof Answers, answers: Partial<Answers>, directory: string): void {
  const value = answers[flag] ?? "";
  if (flag === "platform") checkPlatform(value);
  else if (flag === "public-key-file") readKey(value);
  else if (flag === "credentials-requests") readRequests(value, directory);
  else {
    const findings = configFindings(answers);
    if (hasError(findings)) throw new FindingsError(findings);
  }
}

/** Stops where this version knows no such cloud. */
export function checkPlatform(platform: string): void {
  if (platform !== "aws") throw new UsageError(`--platform is ${quote(platform)}; this version knows "aws"`);
}

// What is not known yet is something that is always right, or passed over, so that what is wrong is what is known. The
// configuration is no file yet.
function configFindings(answers: Partial<Answers>): readonly Finding[] {
  const { name = "x", "account-id": accountId = "000000000000", region = "us-east-1" } = answers;
  return checkConfig(clusterIdentity({ name, accountId, region }))
    .filter(({ severity, field }) => severity === "error" && field !== "spec.issuer.signingKeys")
    .map(({ code, message }) => finding("error", code, message));
}

/** The same checks as a render's, before anything is written; in words for what was typed, and not for the file. */
export function checkConfig(text: string): readonly Finding[] {
  const source = parseSource(text);
  if (isProblem(source)) throw new UsageError(`the configuration cannot be written: ${source.reason}`);
  const [node = 0] = documents(source);
  const config = readItem(source, node, { path: "cluster-identity.yaml", index: 0 });
  const issuer = generators.filter((fn) => fn.name === "generate-oidc-issuer");
  return sortFindings(runFunctions(issuer, { items: [], functionConfig: config }).findings.map(withoutQuotes));
}

// Quotes are for YAML, where digits alone are a number: typed here, they would be part of the answer.
function withoutQuotes(one: Finding): Finding {
  return { ...one, message: one.message.replace(/, and must be 12 digits in quotes\.$/, ", and must be 12 digits.") };
}

// A default is shown where taking it would do: what the other commands of the documentation made.
function fallbackFor(flag: keyof Answers, answers: Partial<Answers>, directory: string): string | undefined {
  const candidate = fallbacks(directory)[flag];
  if (candidate === undefined) return undefined;
  return problemsOf(flag, { ...answers, [flag]: candidate }, directory).length === 0 ? candidate : undefined;
}

function fallbacks(directory: string): Partial<Answers> {
  const there = <K extends string>(flag: K, path: string) => (statOf(path) === undefined ? {} : { [flag]: path });
  return {
    platform: "aws",
    name: basename(resolve(directory)),
    ...there("public-key-file", "serviceaccount-signer.public"),
    ...there("credentials-requests", "credrequests"),
  };
}
