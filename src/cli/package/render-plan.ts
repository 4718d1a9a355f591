import { withAllowCommand, withRenameCommand } from "../../core/allowances.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { allByKey, compareLocations, generatedBy, type ValueMap } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { FunctionInput, KrmFunction } from "../../krm/function.ts";
import type { Item } from "../../krm/item.ts";
import type { Reconciled } from "../../krm/reconcile.ts";
import { sortFindings } from "../../krm/results.ts";
import { runFunctions, withoutMoved } from "../../krm/run.ts";
import { type OwnedObject, ownedValue } from "../../krm/write-list.ts";
import { parseDocuments, removeDocuments } from "../../yaml/documents.ts";
import { applyEdits, type Edit } from "../../yaml/edit.ts";
import { emitYaml } from "../../yaml/emit.ts";
import * as KIND from "../../yaml/kind.ts";
import { documents, isProblem, type Source } from "../../yaml/source.ts";
import { fileFinding } from "../files/paths.ts";
import { type PackageFile, readItems } from "../files/read-objects.ts";
import type { FileChange } from "../files/write-files.ts";
import { renderCommandLine } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { loaded, type PipelineStep, readSteps, unconfigured } from "./kptfile.ts";
import type { Package } from "./package-files.ts";

/** A generated object with its file. */
export interface GeneratedFile {
  readonly path: string;
  readonly object: ValueMap;
  readonly text: string;
}

/** The changes of a render. If a finding is an error, nothing is changed. */
export interface RenderPlan {
  readonly functions: readonly string[];
  /** Sorted by path, without unchanged files. */
  readonly changes: readonly FileChange[];
  /** Everything that the functions generate from the package, changed or not. */
  readonly generated: readonly GeneratedFile[];
  /** Foreign objects, in which the functions set a field at most. */
  readonly kept: readonly Item[];
  readonly findings: readonly Finding[];
}

export interface PlanOptions {
  /** Skip functions of other projects and packages inside the package. */
  readonly onlyOurs: boolean;
  /** The functions that generate nothing, if the pipeline runs any: they are not loaded with this module. */
  readonly validators: readonly KrmFunction[];
  /** The previous name of the ClusterIdentity. */
  readonly renameFrom?: string | undefined;
  /** The allowances, in addition to those of the ClusterIdentity. */
  readonly allowed?: ReadonlySet<string>;
  /** The output replaces the current state: a tool deletes the objects that it lacks. */
  readonly answerPrunes?: boolean;
}

/** Runs the functions of a package's Kptfile over its files, in memory. */
export function planRender(pkg: Package, options: PlanOptions): RenderPlan {
  const { directory } = pkg;
  const command = (before: string) => renderCommandLine(directory, options.onlyOurs, before, options.allowed);
  const { renameFrom } = options;
  const plan = planAsItIs(pkg, options);
  // The kustomize plugin has no directory.
  if (directory === "") return plan;
  const findings = plan.findings.map((finding) => withRenameCommand(finding, command));
  // Output that a tool prunes by does not come from a render that writes.
  if (options.answerPrunes) return { ...plan, findings };
  const allow = (allowed: readonly string[]) =>
    renderCommandLine(directory, options.onlyOurs, renameFrom, new Set([...(options.allowed ?? []), ...allowed]));
  return { ...plan, findings: withAllowCommand(findings, allow) };
}

function planAsItIs(pkg: Package, options: PlanOptions): RenderPlan {
  const items = pkg.files.flatMap((file) => file.items);
  const { steps, findings } = readSteps(pkg, items, options);
  if (hasError(findings)) return { ...nothing, functions: [], findings: sortFindings([...pkg.findings, ...findings]) };
  const { reconciled, rendered } = runSteps(pkg, items, steps, options, findings);
  findings.push(...unconfigured(steps, findings, reconciled), ...othersInTheWay(pkg, reconciled));
  const planFindings = sortFindings([...pkg.findings, ...withoutMoved(findings, reconciled)]);
  const names = steps.map(({ fn }) => fn.name);
  if (hasError(planFindings)) return { ...nothing, functions: names, findings: planFindings };
  const { generated, changes } = rendered ?? renderedBy(pkg, reconciled);
  const unseenFindings = [...orphans(pkg, items, reconciled), ...hidden(pkg, changes)];
  if (unseenFindings.length > 0)
    return { ...nothing, functions: names, findings: sortFindings([...planFindings, ...unseenFindings]) };
  const kept = reconciled.flatMap((reconciled) => reconciled.kept);
  return { functions: names, changes, generated, kept, findings: planFindings };
}

// What the functions read and computed of the package ends here: all of it together is much larger than their output.
function runSteps(
  pkg: Package,
  items: readonly Item[],
  steps: readonly PipelineStep[],
  options: PlanOptions,
  findings: Finding[],
): { reconciled: readonly Reconciled[]; rendered: Rendered | undefined } {
  const { renameFrom: previousName, allowed = nothingAllowed, answerPrunes = false } = options;
  const run = {
    previousName,
    allowed,
    answerPrunes,
    notRead: notRead(pkg),
    ignored: (pkg.ignored ?? []).map((path) => quote(path)),
  };
  const reconciled: Reconciled[] = [];
  const before = inputsOf(items, run);
  // What validators see, until the next function that generates.
  let rendered: Rendered | undefined;
  let after: Inputs | undefined;
  for (const { fn, configPath } of steps) {
    const validates = fn.emits.length === 0;
    // Like kpt, do not validate a package that could not be rendered.
    if (validates && hasError(findings)) break;
    rendered = validates ? (rendered ?? renderedBy(pkg, reconciled)) : undefined;
    after = rendered === undefined ? undefined : (after ?? inputsAfter(pkg, rendered, before, run));
    const input = (after ?? before)(configPath);
    if (input === undefined) {
      findings.push(
        finding(
          "error",
          "kptfile-invalid",
          `The Kptfile names the configuration ${quote(configPath ?? "")}, but no such file contains an object. Correct "configPath", or create the file.`,
        ),
      );
      continue;
    }
    const made = runFunctions([loaded(fn, options.validators)], input);
    reconciled.push(...made.changes);
    findings.push(...made.findings);
  }
  return { reconciled, rendered };
}

// A check would pass although nothing is compared with such an object. A stream of kustomize has objects of several packages.
function orphans({ directory }: Package, items: readonly Item[], reconciled: readonly Reconciled[]): Finding[] {
  if (directory === "") return [];
  const owned = new Set(reconciled.flatMap(({ removed, kept }) => [...removed, ...kept]));
  const byMaker = allByKey(items, (item) => (owned.has(item) ? undefined : item.annotations.get(generatedBy)));
  return [...byMaker].map(([maker, [resource, ...others]]) => {
    const cure = (object: string) =>
      `Add the function to the pipeline of the Kptfile, or delete ${object}. If you wrote ${others.length === 0 ? "it" : "them"} yourself, remove the annotation "${generatedBy}".`;
    const by = `annotated as generated by ${quote(maker)}, but no function of the pipeline owns`;
    const message =
      others.length === 0
        ? `is ${by} it, so it is not compared with anything. ${cure("the object")}`
        : `and ${countOthers(others)} are ${by} them, so they are not compared with anything. ${cure("the objects")}`;
    return finding("error", "generated-orphan", message, resource === undefined ? {} : { resource });
  });
}

/** A longer list of names would not help the user. */
const maxNamed = 3;

function countOthers(others: readonly Item[]): string {
  const names = others.map(({ path = "", kind, name }) => quote(path === "" ? `${kind} ${name}` : path));
  return `${others.length} more ${others.length === 1 ? "object" : "objects"} (${listed(names, maxNamed)})`;
}

// The next run would not see what this one writes.
function hidden({ isIgnored }: Package, changes: readonly FileChange[]): Finding[] {
  const paths = changes
    .filter(({ path, after }) => after !== undefined && isIgnored?.(path) === true)
    .map(({ path }) => path);
  const [first, ...others] = paths;
  if (first === undefined) return [];
  const message =
    others.length === 0
      ? "would be generated, but .krmignore excludes it; remove it from .krmignore."
      : `and ${others.length} more ${others.length === 1 ? "file" : "files"} (${listed(others.map(quote), maxNamed)}) would be generated, but .krmignore excludes them; remove them from .krmignore.`;
  return [fileFinding("error", "generated-hidden", first, message)];
}

/** The files that the functions generate, and those that would change. */
type Rendered = Pick<RenderPlan, "generated" | "changes">;

function renderedBy(pkg: Package, reconciled: readonly Reconciled[]): Rendered {
  const before = new Map(pkg.files.map((file) => [file.path, file.source.text]));
  const generated = reconciled.flatMap(({ added }) => added).map((one) => generatedFile(one, before.get(one.path)));
  return { generated, changes: fileChanges(pkg, reconciled, generated, before) };
}

type RunOptions = Omit<FunctionInput, "items" | "functionConfig">;

/** The input of a function by the path of its configuration; undefined if no file there contains an object. */
type Inputs = (configPath: string | undefined) => (FunctionInput & { readonly items: readonly Item[] }) | undefined;

// Functions with the same configuration get the same input, so that they share what they read of the package.
function inputsOf(items: readonly Item[], run: RunOptions): Inputs {
  const inputs = new Map<string | undefined, ReturnType<Inputs>>();
  return (configPath) => {
    if (!inputs.has(configPath)) {
      const config = items.find((item) => item.path === configPath && item.index === 0);
      const input = { ...run, items, functionConfig: configPath === undefined ? undefined : config };
      inputs.set(configPath, configPath !== undefined && config === undefined ? undefined : input);
    }
    return inputs.get(configPath);
  };
}

// The inputs after the render, read from the new text of each file. If no file changes, they are the inputs before it.
function inputsAfter(pkg: Package, { changes }: Rendered, before: Inputs, run: RunOptions): Inputs {
  if (changes.length === 0) return before;
  const changed = new Set(changes.map(({ path }) => path));
  const items = [
    ...pkg.files.filter(({ path }) => !changed.has(path)).flatMap((file) => file.items),
    ...changes.flatMap(({ path, after }) => (after === undefined ? [] : itemsOf(path, after))),
  ].sort(compareLocations);
  return inputsOf(items, run);
}

function itemsOf(path: string, text: string): Item[] {
  const source = parseDocuments(text);
  if (isProblem(source)) throw new Error(`a function generated a file that cannot be read: ${path}`);
  return readItems(path, source, []);
}

const nothing = { changes: [], generated: [], kept: [] } as const;

const nothingAllowed: ReadonlySet<string> = new Set();

function notRead({ findings }: Package): string[] {
  return findings.flatMap(({ code, file }) => {
    if (file === undefined) return [];
    if (code === "file-empty") return [`${quote(file.path)} (empty)`];
    return code === "file-skipped" ? [`${quote(file.path)} (skipped)`] : [];
  });
}

// An unchanged text is not kept a second time.
function generatedFile(one: OwnedObject, before: string | undefined): GeneratedFile {
  const object = ownedValue(one, "file");
  const text = emitYaml(object);
  return { path: one.path, object, text: text === before ? before : text };
}

function fileChanges(
  pkg: Package,
  reconciled: readonly Reconciled[],
  generated: readonly GeneratedFile[],
  before: ReadonlyMap<string, string>,
): FileChange[] {
  const after = new Map<string, string | undefined>();
  const removed = new Set(reconciled.flatMap((reconciled) => reconciled.removed));
  const edits = editsBySource(reconciled);
  for (const file of pkg.files) {
    const text = editedFile(file, removed, edits);
    if (text !== file.source.text) after.set(file.path, text);
  }
  for (const { path, text } of generated) after.set(path, text);
  return [...after]
    .map(([path, text]) => ({ path, before: before.get(path), after: text }))
    .filter((change) => change.before !== change.after)
    .sort((a, b) => compareText(a.path, b.path));
}

// A generated object needs a file of its own. The functions report foreign objects in that file. This reports
// everything else in it: what is not an object or cannot be read.
function othersInTheWay(pkg: Package, reconciled: readonly Reconciled[]): Finding[] {
  const needed = new Set(reconciled.flatMap((reconciled) => reconciled.added.map(({ path }) => path)));
  return pkg.files
    .filter(({ path, source, items }) => needed.has(path) && documents(source).length > items.length)
    .map(({ path }) => {
      const message = `The file ${quote(path)} is needed for a generated object, but it contains something that is not a Kubernetes object; move that to another file.`;
      return { ...finding("error", "path-taken", message), file: { path, index: 0 } };
    });
}

// The text of a file without its removed objects; undefined if nothing remains.
function editedFile(
  { path, source, items }: PackageFile,
  removed: ReadonlySet<Item>,
  edits: ReadonlyMap<Source, readonly Edit[]>,
): string | undefined {
  const gone = items.filter((item) => removed.has(item)).map(({ node }) => node);
  const own = edits.get(source) ?? [];
  if (gone.length === 0) return own.length === 0 ? source.text : applyEdits(source.text, own);
  if (gone.some((node) => source.kinds[node - 1] !== KIND.document))
    throw new UsageError(
      `${quote(path)} contains generated objects in a list, but ccf cannot remove objects from a list; write them as separate documents`,
    );
  const removals = removeDocuments(source, new Set(gone));
  return removals === undefined ? undefined : applyEdits(source.text, [...own, ...removals]);
}

function editsBySource(reconciled: readonly Reconciled[]): Map<Source, Edit[]> {
  const edits = new Map<Source, Edit[]>();
  for (const { item, edits: some } of reconciled.flatMap((reconciled) => reconciled.edits)) {
    const before = edits.get(item.source);
    if (before === undefined) edits.set(item.source, [...some]);
    else before.push(...some);
  }
  return edits;
}
