import { asDrift, driftJson, driftText } from "../../apply/drift.ts";
import { type Plan, planApply, type Step } from "../../apply/plan.ts";
import type { Target } from "../../apply/resource.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import { digestOfWanted } from "../../core/wanted-resource.ts";
import { counted } from "../../core/words.ts";
import { toResult } from "../../krm/results.ts";
import { accessOf, type Read, readTargets } from "../cloud/each-target.ts";
import { documentSteps } from "../cloud/hosted-documents.ts";
import { ResultFiles } from "../cloud/result.ts";
import { showPlans, writeCounts } from "../cloud/show-plan.ts";
import type { FlagsOf } from "../definition.ts";
import { showUnchecked } from "../fleet/each-package.ts";
import { isFleet } from "../fleet/flags.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import type { StatusVerdict } from "../package/status-result.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeFindings, writeNotes } from "../terminal/output.ts";
import type { statusCommand as definition } from "./definition.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf status DIR...`: exit code 0 in sync, 2 if the cloud differs, 1 if that is not known, or a result was not written. */
export async function status(values: Values, directories: readonly string[]): Promise<number> {
  const { output, result } = values;
  const fetch = !values["no-fetch"];
  const selection = selectPackages(directories, values);
  if (result !== undefined && selection.places.length !== 1)
    throw new UsageError("--result is for one package; use --results DIR for several");
  const options = { prune: true, adopt: [], allow: values.allow };
  const how = { ...values, command: "status", fetch, access: accessOf(values), skips: false };
  const results = new ResultFiles({ file: result, directory: values.results });
  const unwritten = new Map<Read, readonly Finding[]>();
  const { reads } = await readTargets(
    selection,
    how,
    ({ target }, state) => withDocuments(target, planApply(target, state, options), fetch),
    {
      before: ({ directory, target }) => results.clear(directory, target),
      after: (read) => unwritten.set(read, writeResult(results, read, fetch)),
    },
  );
  const isMany = isFleet(directories, values);
  if (isMany) showUnchecked(selection, values);
  // Hundreds of packages that are in sync would hide the others.
  const shown = isMany && output === "text" ? reads.filter((read) => verdictOf(read) !== "in sync") : reads;
  const findingsOf = (read: Read) => unwritten.get(read) ?? [];
  const more = (read: Read) => {
    const findings = findingsOf(read).map(toResult);
    const drift = "value" in read ? driftJson(read.value) : [];
    return { verdict: verdictOf(read), drift, ...(findings.length === 0 ? {} : { findings }) };
  };
  const telling = output === "text" ? driftText(values.verbose) : asDrift;
  showPlans(shown, { output, isMany, more, telling });
  for (const read of reads) showUnwritten(read.directory, findingsOf(read), isMany);
  const verdicts = reads.map(verdictOf);
  if (output === "text")
    writeNotes(1, isMany ? fleetLines(reads, fetch) : reads.flatMap((read) => lastLine(read, fetch)));
  if (isMany)
    writeCounts(
      selection,
      output,
      Object.values(words),
      verdicts.map((verdict) => words[verdict]),
    );
  const isWritten = reads.every((read) => findingsOf(read).length === 0);
  if (verdicts.includes("unknown") || !isWritten || hasError(selection.uncheckedFindings)) return 1;
  return verdicts.includes("drift") ? 2 : 0;
}

function writeResult(results: ResultFiles, read: Read, fetch: boolean): Finding[] {
  const { directory, opened } = read;
  return results.write(directory, opened?.target, ({ wanted }) => ({
    digest: digestOfWanted(wanted),
    verdict: verdictOf(read),
    documents: fetch ? "fetched" : "not fetched",
  }));
}

function showUnwritten(directory: string, findings: readonly Finding[], isMany: boolean): void {
  if (findings.length > 0 && isMany) write(2, [`${directory}:`]);
  writeFindings(findings);
}

/** The verdicts in the last line about several packages, in its order. */
const words: Readonly<Record<StatusVerdict, string>> = { "in sync": "in sync", drift: "drift", unknown: "cannot tell" };

/** What the readings of a package say. */
function verdictOf(read: Read): StatusVerdict {
  if (!("value" in read) || read.value.steps.some(({ action }) => action === "unknown")) return "unknown";
  return read.value.steps.every(({ action }) => action === "none") ? "in sync" : "drift";
}

function lastLine(read: Read, fetch: boolean): string[] {
  if (!("value" in read)) return [];
  const documents = fetch ? "" : ` ${notFetched}`;
  const unchecked = "Not checked: which key the cluster signs with, and which Secrets it has.";
  return [`${read.opened.title}: ${saidOf(read)}.${documents} ${unchecked}`];
}

const notFetched = "The documents were not read as the cloud reads them.";

function saidOf(read: Read): string {
  const verdict = verdictOf(read);
  if (verdict === "unknown" || !("value" in read)) return "not known";
  const count = read.value.steps.filter(({ action }) => action !== "none").length;
  return verdict === "in sync" ? "in sync" : counted(count, "difference");
}

/** A line for each package, and what was not checked. */
function fleetLines(reads: readonly Read[], fetch: boolean): string[] {
  const unchecked = "Not checked: which keys the clusters sign with, and which Secrets they have.";
  return [...reads.map((read) => `${read.directory}: ${saidOf(read)}`), ...(fetch ? [] : [notFetched]), unchecked];
}

/** Adds what differs in the documents that are hosted elsewhere. A run goes on without what only a status must know. */
async function withDocuments(target: Target, plan: Plan, fetch: boolean): Promise<Plan> {
  const steps = plan.steps.map((step): Step => (step.extra?.unread ? { ...step, action: "unknown" } : step));
  return { ...plan, steps: [...steps, ...(await documentSteps(target, fetch))] };
}
