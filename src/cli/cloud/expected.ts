import { join } from "node:path";
import { digestOfAll, unexpected } from "../../apply/approval.ts";
import type { Plan } from "../../apply/plan.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { canonicalJson, readJson } from "../../core/json.ts";
import { isMap, type ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { namesIn } from "../files/directory.ts";
import { inputProblem, readInputFile } from "../files/input-file.ts";
import { statOf } from "../files/paths.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { Opened } from "./open-package.ts";

/**
 * Compares plans with those that were approved: a digest, for exactly these plans, or what `--dry-run -o json` printed, which
 * may have more steps.
 */
export function expectPlans(expect: string, plans: readonly Plan[]): Finding[] {
  if (expect.startsWith("sha256:")) {
    const digest = digestOfAll(plans);
    return digest === expect ? [] : [problem(`The digest of the plan is ${digest}, not ${quote(expect)}.`)];
  }
  const known = readPlans(expect);
  return plans.flatMap((plan) => {
    const id = canonicalJson([plan.facts, plan.prefix]);
    const same = known.filter(({ facts = {}, prefix = "" }) => canonicalJson([facts, prefix]) === id);
    const where = `${plan.prefix} in ${plan.place}`;
    if (same.length !== 1) return [problem(`${quote(expect)} contains ${same.length} plans for ${where}.`)];
    const why = unexpected(plan, same[0] as ValueMap);
    return why === undefined ? [] : [problem(`The plan for ${where} is not the one in ${quote(expect)}: ${why}.`)];
  });
}

/**
 * Compares the facts with which the package of a team was rendered with those that its pipeline expects. An export could have been
 * edited, so it has none.
 *
 * @param expected undefined if any are right.
 * @throws FindingsError
 */
export function expectFacts(expected: string | undefined, { directory, facts, isExport }: Opened): void {
  if (expected === undefined || (facts === expected && !isExport)) return;
  const is = isExport
    ? "is an export, in which the facts can be edited"
    : facts === undefined
      ? "is not the package of a team"
      : `was rendered with the facts ${facts}`;
  const message = `${quote(directory)} ${is}, but --expect-facts is ${quote(expected)}. Nothing was read or changed in the cloud. Replace the facts in the package with those of the cluster, and render.`;
  throw new FindingsError([finding("error", "facts-unexpected", message)]);
}

function problem(what: string): Finding {
  const message = `${what} Nothing was changed. Review the new plan with --dry-run, and expect that one.`;
  return finding("error", "plan-unexpected", message);
}

function readPlans(path: string): ValueMap[] {
  const isDirectory = statOf(path)?.isDirectory() === true;
  const files = isDirectory ? namesIn(path).filter((name) => !name.startsWith(".")) : [];
  const paths = isDirectory ? files.map((name) => join(path, name)) : [path];
  return paths.flatMap((file) => {
    const text = readInputFile("--expect", file);
    // Of several packages, none may have a plan.
    if (text.trim() === "") return [];
    const whole = readJson(text);
    // For several packages, each line is a plan.
    const values = "value" in whole ? [whole] : text.trimEnd().split("\n").map(readJson);
    return values.map((one) => {
      if (!("value" in one) || !isMap(one.value) || !isReport(one.value))
        throw inputProblem("--expect", file, "is not the output of --dry-run -o json");
      return one.value;
    });
  });
}

/** Whether a value is a plan, or why there is none for a package. */
function isReport(value: ValueMap): boolean {
  return ["facts", "error"].some((key) => Object.hasOwn(value, key));
}
