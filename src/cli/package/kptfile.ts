import { posix } from "node:path";
import { generators } from "../../../functions/generators.ts";
import { functionNamed, type NamedFunction } from "../../../functions/registry.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { isMap, type Resource, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { KrmFunction } from "../../krm/function.ts";
import type { Item } from "../../krm/item.ts";
import type { Reconciled } from "../../krm/reconcile.ts";
import type { Package } from "./package-files.ts";

/** One of this project's functions in a pipeline. */
export interface PipelineStep {
  readonly fn: NamedFunction;
  /** The file of its configuration, relative to the package; undefined if the Kptfile names no file. */
  readonly configPath: string | undefined;
}

/** The pipeline of a Kptfile. */
export interface Pipeline {
  readonly steps: readonly PipelineStep[];
  /** Functions of other projects, as named in the Kptfile. */
  readonly foreign: readonly string[];
  readonly findings: readonly Finding[];
}

/** Reads the pipeline of a Kptfile (kpt.dev/v1): its mutators, then its validators. */
export function readPipeline(kptfile: Resource): Pipeline {
  const steps: PipelineStep[] = [];
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

// With these fields, kpt runs a function on some of the resources only, or under a condition only (kpt 1.0). A function that
// does not get what it generated before cannot replace it, so kpt adds every object once more at each run.
function unsupported(field: string, { selectors, exclude, condition }: ValueMap): string[] {
  const cure =
    "with which kpt hides objects from the function: what it generated before is then added once more at every run. Remove them; a function reads only what it needs.";
  const conditional = `which "ccf render" does not support. Remove it, or use "kpt fn render".`;
  return [
    ...(selectors === undefined ? [] : [`"${field}" has "selectors", ${cure}`]),
    ...(exclude === undefined ? [] : [`"${field}" has "exclude", ${cure}`]),
    ...(condition === undefined ? [] : [`"${field}" has a condition, ${conditional}`]),
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

/**
 * The steps that a package runs: those of its Kptfile, or every generator.
 *
 * @param items the objects of the package
 */
export function readSteps(
  pkg: Pick<Package, "subpackages">,
  items: readonly Item[],
  options: { readonly onlyOurs: boolean },
): { steps: readonly PipelineStep[]; findings: Finding[] } {
  const kptfile = items.find((item) => item.path === "Kptfile");
  if (kptfile === undefined) {
    const steps = generators.map((fn) => ({ fn, configPath: undefined }));
    return { steps, findings: options.onlyOurs ? [] : foreignFindings([], pkg.subpackages) };
  }
  const { steps, foreign, findings } = readPipeline(kptfile);
  const pipelineFindings = [...findings, ...(options.onlyOurs ? [] : foreignFindings(foreign, pkg.subpackages))];
  if (steps.length === 0 && !hasError(pipelineFindings)) {
    const message = `The pipeline of the Kptfile contains none of this project's functions, so there is nothing to render. Add them as in a package that "ccf init" creates.`;
    pipelineFindings.push(finding("error", "kptfile-invalid", message, { resource: kptfile, field: "pipeline" }));
  }
  return { steps, findings: pipelineFindings };
}

/**
 * The finding that the pipeline does not run a delegated function, so nothing is generated for its requests. A role that was rendered
 * for one of them must not be removed for that reason.
 */
export function unconfigured(
  steps: readonly PipelineStep[],
  findings: readonly Finding[],
  reconciled: readonly Reconciled[],
): Finding[] {
  const delegated = findings.filter(({ code }) => code === "skipped-operator").length;
  if (delegated === 0 || steps.some(({ fn }) => fn.name === "configure-operators")) return [];
  const message = `The package contains ${delegated === 1 ? "a request of an OLM operator" : `${delegated} requests of OLM operators`}, but the Kptfile does not run "configure-operators", which generates their identities. Add it to the pipeline.`;
  const made = new Set(reconciled.flatMap(({ added }) => added.map(({ path }) => path)));
  const isLost = (item: Item) => !made.has(item.path ?? "");
  const gone = reconciled.flatMap(({ removed }) => removed.filter(isLost));
  return [finding(gone.length > 0 ? "error" : "warning", "operators-not-configured", message)];
}

/**
 * The function of a step.
 *
 * @param validators the functions that generate nothing, if the pipeline runs any
 */
export function loaded({ name }: NamedFunction, validators: readonly KrmFunction[]): KrmFunction {
  const fn = [...generators, ...validators].find((fn) => fn.name === name);
  if (fn === undefined) throw new Error(`the function ${name} was not loaded`);
  return fn;
}
