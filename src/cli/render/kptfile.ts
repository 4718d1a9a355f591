import { posix } from "node:path";
import { functionNamed } from "../../../functions/registry.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { isMap, type Resource, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { KrmFunction } from "../../krm/function.ts";

/** One function of a pipeline that is this project's. */
export interface Step {
  readonly fn: KrmFunction;
  /** The file of its configuration, relative to the package; undefined where the Kptfile names none. */
  readonly configPath: string | undefined;
}

/** What a Kptfile asks for. */
export interface Pipeline {
  readonly steps: readonly Step[];
  /** Functions of others, as the Kptfile names them. */
  readonly foreign: readonly string[];
  readonly findings: readonly Finding[];
}

/** Reads the pipeline of a Kptfile (kpt.dev/v1): its mutators, then its validators. */
export function readPipeline(kptfile: Resource): Pipeline {
  const steps: Step[] = [];
  const foreign: string[] = [];
  const findings: Finding[] = [];
  for (const { field, entry } of entriesOf(kptfile)) {
    const fn = functionNamed(nameOf(entry));
    if (fn === undefined) {
      foreign.push(text(entry["image"]) ?? text(entry["exec"]) ?? field);
      continue;
    }
    if (entry["selectors"] !== undefined || entry["exclude"] !== undefined) {
      const message = `"${field}" has selectors, which "ccf render" does not follow; remove them, or use "kpt fn render".`;
      findings.push(finding("error", "kptfile-invalid", message, { resource: kptfile, field }));
    }
    const configPath = text(entry["configPath"]);
    steps.push({ fn, configPath: configPath === undefined ? undefined : posix.normalize(configPath) });
  }
  return { steps, foreign, findings };
}

function entriesOf(kptfile: Resource): { field: string; entry: ValueMap }[] {
  return ["mutators", "validators"].flatMap((list) => {
    const entries = valueAt(kptfile.value(), ["pipeline", list]);
    if (!Array.isArray(entries)) return [];
    return (entries as readonly Value[]).flatMap((entry, index) =>
      isMap(entry) ? [{ field: `pipeline.${list}[${index}]`, entry }] : [],
    );
  });
}

// `exec: ccf generate-oidc-issuer`, `exec: ./bin/generate-oidc-issuer`, `image: registry/generate-oidc-issuer:v1@sha256:...`
function nameOf(entry: ValueMap): string {
  const image = text(entry["image"]);
  if (image !== undefined) return posix.basename(image).replace(/[:@].*$/, "");
  const [program = "", argument = "", ...more] = (text(entry["exec"]) ?? "").trim().split(/\s+/);
  if (more.length > 0) return "";
  return posix.basename(program) === "ccf" ? argument : argument === "" ? posix.basename(program) : "";
}

function text(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The findings about what `ccf render` leaves to others. */
export function foreignFindings(foreign: readonly string[], subpackages: readonly string[]): Finding[] {
  const found: Finding[] = [];
  if (foreign.length > 0) {
    const message = `The Kptfile runs functions that are not this project's: ${foreign.map(quote).join(", ")}. Use "kpt fn render" for the whole pipeline, or "--only-ours" to pass them over.`;
    found.push(finding("error", "kptfile-other-functions", message));
  }
  if (subpackages.length > 0) {
    const message = `There are packages inside the package: ${subpackages.map(quote).join(", ")}. Use "kpt fn render" for all of them, or "--only-ours" to render this one alone.`;
    found.push(finding("error", "kptfile-other-functions", message));
  }
  return found;
}
