import { posix } from "node:path";
import { functionNamed, type NamedFunction } from "../../../functions/registry.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { isMap, type Resource, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";

/** One of this project's functions in a pipeline. */
export interface Step {
  readonly fn: NamedFunction;
  /** The file of its configuration, relative to the package; undefined if the Kptfile names no file. */
  readonly configPath: string | undefined;
}

/** The pipeline of a Kptfile. */
export interface Pipeline {
  readonly steps: readonly Step[];
  /** Functions of other projects, as named in the Kptfile. */
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
    for (const message of unsupported(field, entry))
      findings.push(finding("error", "kptfile-invalid", message, { resource: kptfile, field }));
    const configPath = text(entry["configPath"]);
    steps.push({ fn, configPath: configPath === undefined ? undefined : posix.normalize(configPath) });
  }
  return { steps, foreign, findings };
}

// With these fields, kpt runs a function on some of the resources only, or under a condition only (kpt 1.0).
function unsupported(field: string, { selectors, exclude, condition }: ValueMap): string[] {
  const cure = (it: string) => `which "ccf render" does not support; remove ${it}, or use "kpt fn render".`;
  return [
    ...(selectors === undefined && exclude === undefined ? [] : [`"${field}" has selectors, ${cure("them")}`]),
    ...(condition === undefined ? [] : [`"${field}" has a condition, ${cure("it")}`]),
  ];
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

// `exec: ccf generate-oidc-issuer`, `exec: ./bin/generate-oidc-issuer`, `image:
// registry/generate-oidc-issuer:v1@sha256:...`
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

/** The findings about the parts of a package that `ccf render` does not render. */
export function foreignFindings(foreign: readonly string[], subpackages: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  if (foreign.length > 0) {
    const message = `The Kptfile runs functions of other projects: ${foreign.map(quote).join(", ")}. Use "kpt fn render" for the whole pipeline, or "--only-ours" to skip them.`;
    findings.push(finding("error", "kptfile-other-functions", message));
  }
  if (subpackages.length > 0) {
    const message = `The package contains other packages: ${subpackages.map(quote).join(", ")}. Use "kpt fn render" to render all of them, or "--only-ours" to render only this package.`;
    findings.push(finding("error", "kptfile-other-functions", message));
  }
  return findings;
}
