import { expect } from "vitest";
import type { Check, TokenAnswer } from "../../src/oidc/answer.ts";
import { expectGolden } from "./golden.ts";
import type { Signer } from "./token.ts";

/** What a golden file has of an answer: the errors that the cloud may name, and the checks that did not pass. */
export function answerParagraph({ verdict, checks, deciding }: TokenAnswer): string {
  const errors = checks.flatMap(({ name, error }) =>
    error !== undefined && deciding.includes(name) ? `${error.code} (${error.httpStatus}): ${error.message}` : [],
  );
  for (const { detail } of checks) expect(detail).not.toContain("(a value that is not shown)");
  const open = checks.filter(({ status }) => status === "failed" || status === "unknown");
  return [verdict, ...errors, ...open.flatMap(checkLines)].join("\n");
}

/** Two lines for a check that did not pass: its cause, and its cure. */
export function checkLines({ name, status, error, detail, cure, followsFrom }: Check): string[] {
  expect(cure ?? followsFrom).toMatch(/^[^.]*[^\s.]/);
  const code = error === undefined ? "" : ` (${error.code})`;
  return [`${status} ${name}${code}: ${detail}`, `  ${cure ?? `follows from: ${followsFrom}`}`];
}

/** Expects the answers to tokens, by the names of their cases, in the golden file of a cloud. The keys are new in each run. */
export function expectAnswers(
  cloud: string,
  paragraphs: ReadonlyMap<string, string>,
  signers: Readonly<Record<string, Signer>>,
): void {
  const text = [...paragraphs].map(([name, paragraph]) => `${name}\n${paragraph}\n`).join("\n");
  const withoutKeys = Object.entries(signers).reduce((rest, [key, { kid }]) => rest.replaceAll(kid, `<${key}>`), text);
  expectGolden(`testdata/verify-token/${cloud}.txt`, withoutKeys);
}
