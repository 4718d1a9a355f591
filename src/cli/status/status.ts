import { type Plan, planApply } from "../../apply/plan.ts";
import type { Target } from "../../apply/resource.ts";
import { counted } from "../../core/plural.ts";
import { digestOfWanted } from "../../core/wanted-resource.ts";
import { accessOf, type Read, readTargets } from "../cloud/each-target.ts";
import { documentSteps } from "../cloud/hosted-documents.ts";
import type { Opened } from "../cloud/open-package.ts";
import { checkResultFile, type Verdict, writeResult } from "../cloud/result.ts";
import { showPlans } from "../cloud/show-plan.ts";
import type { FlagsOf } from "../definition.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeNotes } from "../terminal/output.ts";
import type { statusCommand as definition } from "./definition.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf status DIR...`: exit code 0 in sync, 2 if the cloud differs, 1 if that is not known. */
export async function status(values: Values, directories: readonly string[]): Promise<number> {
  const { output, result, results } = values;
  const fetch = !values["no-fetch"];
  const selection = selectPackages(directories, values);
  if (result !== undefined && selection.places.length !== 1)
    throw new UsageError("--result is for one package; use --results DIR for several");
  if (result !== undefined) checkResultFile(result);
  const options = { prune: true, adopt: [], allow: values.allow };
  const reads = await readTargets<Plan>(
    selection,
    { ...values, command: "status", fetch, access: accessOf(values) },
    ({ target }, state) => withDocuments(target, planApply(target, state, options), fetch),
  );
  showPlans(reads, output, (read) => ({ verdict: verdictOf(read) }));
  for (const read of reads) {
    if (read.opened === undefined) continue;
    const { target } = read.opened;
    const facts = {
      digest: digestOfWanted(target.wanted),
      verdict: verdictOf(read),
      documents: fetch ? "fetched" : "not fetched",
    } as const;
    writeResult({ file: result, directory: results }, read.directory, target, facts);
  }
  if (output === "text")
    for (const read of reads) if ("value" in read) writeNotes(1, [lastLine(read.opened, read.value, fetch)]);
  const verdicts = reads.map(verdictOf);
  return verdicts.includes("unknown") ? 1 : verdicts.includes("drift") ? 2 : 0;
}

/** What the readings of a package say. */
function verdictOf(read: Read<Plan>): Verdict {
  if (!("value" in read) || read.value.steps.some(({ action }) => action === "unknown")) return "unknown";
  return read.value.steps.every(({ action }) => action === "none") ? "in sync" : "drift";
}

function lastLine({ title }: Opened, plan: Plan, fetch: boolean): string {
  const count = plan.steps.filter(({ action }) => action !== "none").length;
  const unknown = plan.steps.some(({ action }) => action === "unknown");
  const said = unknown ? "not known" : count === 0 ? "in sync" : counted(count, "difference");
  const documents = fetch ? "" : " The documents were not read as the cloud reads them.";
  return `${title}: ${said}.${documents} Not asked: the cluster, that is, which key signs and which Secrets it has.`;
}

/** Adds what differs in the documents that are hosted elsewhere. */
async function withDocuments(target: Target, plan: Plan, fetch: boolean): Promise<Plan> {
  return { ...plan, steps: [...plan.steps, ...(await documentSteps(target, fetch))] };
}
