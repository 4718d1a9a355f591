import { quote } from "../../core/text.ts";
import { alternatives, nearestOf } from "../../core/words.ts";
import { wrapped } from "../../core/wrapped.ts";
import { codes, type ExplainedCode, explained } from "../all-findings.ts";
import { type FlagsOf, helpWidth } from "../definition.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeJson } from "../terminal/output.ts";
import type { explainFindingCommand as definition } from "./definition.ts";

/** How many codes an unknown one is compared with in the message. */
const maxSuggestions = 3;

/** `ccf explain-finding CODE`: prints the cause and the fix of a finding. Exit code 0, or 1 if the code does not exist. */
export function explainFinding({ output }: FlagsOf<typeof definition>, given: string): number {
  const found = explained(given.replace(/^\[(.*)\]$/s, "$1"));
  if (found === undefined) throw new UsageError(`unknown code ${quote(given)}${suggestions(given)}`);
  const { code, severity, summary, cause, cure, page } = found;
  if (output === "json") writeJson({ code, severity, summary, cause, fix: cure, page });
  else
    write(
      1,
      textOf(found).flatMap((paragraph) => wrapped(paragraph, helpWidth)),
    );
  return 0;
}

function suggestions(given: string): string {
  const near = nearestOf(given, codes, maxSuggestions);
  if (near.length === 0) return "; a code is in brackets at the end of a finding's line";
  return ` (did you mean ${alternatives(near.map(quote))}?)`;
}

function textOf({ code, severity, summary, cause, cure, page }: ExplainedCode): string[] {
  const causes = summary === cause ? [cause] : [summary, "", cause];
  return [`${severity}: ${code}`, "", ...causes, "", `Fix: ${cure}`, "", page];
}
