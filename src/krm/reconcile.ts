import { guardedRemoval, removableName } from "../core/allowances.ts";
import { type Finding, FindingError, finding, hasError } from "../core/finding.ts";
import type { OutputForm } from "../core/output-form.ts";
import { identityMisplaced, identityRenamed } from "../core/renamed.ts";
import {
  describe,
  type GeneratedObject,
  generatedBy,
  groupOf,
  inPackage,
  type Resource,
  type ResourceRef,
} from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import { holdsShared } from "../yaml/anchors.ts";
import type { Edit } from "../yaml/edit.ts";
import { setField } from "../yaml/set-field.ts";
import type { FunctionOutput, KrmFunction } from "./function.ts";
import type { Item } from "./item.ts";
import type { OwnedObject } from "./owned-object.ts";

/** The changes of a function's output to the items that it read. */
export interface Reconciled {
  /** Items that the function generated before; the new ones replace them. */
  readonly removed: readonly Item[];
  readonly edits: readonly { readonly item: Item; readonly edits: readonly Edit[] }[];
  /** Preserved items, which belong to the user. The function sets at most a field in them. */
  readonly kept: readonly Item[];
  /** Sorted by path. */
  readonly added: readonly OwnedObject[];
  readonly findings: readonly Finding[];
}

/**
 * Applies a function's output to a list: replaces the function's own objects, removes those that are no longer needed,
 * and never touches objects of other owners. If there is an error, nothing changes.
 *
 * @param previousName the previous name of the ClusterIdentity. The function also owns the objects with this name.
 */
export function reconcile(
  fn: KrmFunction,
  items: readonly Item[],
  output: FunctionOutput,
  previousName?: string,
): Reconciled {
  const findings = [...output.findings];
  if (output.identity === undefined || hasError(findings))
    return { removed: [], edits: [], kept: [], added: [], findings };
  const { identity } = output;
  const identities = previousName === undefined ? [identity] : [identity, previousName];
  const kept = new Set<unknown>(output.preserved);
  const ofPackage = inPackage(items, output.packagePath);
  const owner = ownerOf(fn.name, identity);
  const added = output.objects
    .map((object): OwnedObject => ({ ...object, owner }))
    .sort((a, b) => compareText(a.path, b.path));
  const byName = new Map(added.map((object) => [nameKey(object), object]));
  const own = ofPackage.filter(
    (item) => !kept.has(item) && (isOwn(fn, item, identities) || isAdopted(fn, item, identities, byName)),
  );
  const ownSet = new Set(own);
  const others = ofPackage.filter((item) => !ownSet.has(item));
  const { byPath, findings: fileFindings } = filesOf(added);
  findings.push(
    ...fileFindings,
    ...conflicts({ byName, byPath }, others, fn, [identity, previousName]),
    ...sharedAnchors(own),
  );
  const edits: { item: Item; edits: Edit[] }[] = [];
  for (const change of output.changes) {
    try {
      const item = change.resource as Item;
      edits.push({ item, edits: setField(item, change) });
    } catch (error) {
      if (!(error instanceof FindingError)) throw error;
      findings.push(error.finding);
    }
  }
  const gone = own.filter((item) => !byName.has(keyOfItem(item)));
  findings.push(...unexplained(fn, gone, others, output));
  if (hasError(findings)) return { removed: [], edits: [], kept: [], added: [], findings };
  for (const item of gone) {
    const message = "is no longer needed and was removed.";
    findings.push(finding("info", "object-removed", message, { resource: item }));
  }
  return { removed: own, edits, kept: ofPackage.filter((item) => kept.has(item)), added, findings };
}

/** The objects that a function would refuse to remove: the errors of {@link reconcile} about them. */
export function lostObjects(fn: KrmFunction, items: readonly Resource[], output: FunctionOutput): Finding[] {
  const { identity, findings, objects, preserved } = output;
  if (identity === undefined || hasError(findings)) return [];
  const [kept, made] = [new Set<unknown>(preserved), new Set(objects.map(nameKey))];
  const own = new Set(items.filter((item) => !kept.has(item) && isOwn(fn, item, [identity])));
  const gone = [...own].filter((item) => !made.has(keyOfItem(item)));
  const others = items.filter((item) => !own.has(item));
  return unexplained(fn, gone, others, output);
}

// Every object that disappears passes here: it stays as another object of its name, a finding or the
// input explains it, or the user allows it.
function unexplained(
  fn: KrmFunction,
  gone: readonly Resource[],
  others: readonly Resource[],
  { removals }: FunctionOutput,
): Finding[] {
  const lost = gone.filter((item) => removals?.isExplained(item) !== true);
  if (lost.length === 0) return [];
  const left = new Set(others.map(keyOfItem));
  return lost
    .filter((item) => !left.has(keyOfItem(item)))
    .map((item) => {
      const message = `was generated by ${fn.name} and would be removed, because nothing in the package needs it anymore.`;
      return guardedRemoval(removals?.guard ?? {}, [removableName(item)], "object-lost", message, { resource: item });
    });
}

// The annotation alone does not permit deletion. The kind and path must also match a form that this function emits.
function isOwn(fn: KrmFunction, item: Resource, identities: readonly string[]): boolean {
  return hasForm(fn.emits, item) && isOwnedBy(item, [fn.name], identities);
}

// An object of another function is only replaced by the same object, never just removed.
function isAdopted(
  fn: KrmFunction,
  item: Item,
  identities: readonly string[],
  names: ReadonlyMap<string, unknown>,
): boolean {
  return isOwnedBy(item, fn.adoptsFrom ?? [], identities) && hasForm(fn.emits, item) && names.has(keyOfItem(item));
}

function hasForm(forms: readonly OutputForm[], item: Resource): boolean {
  return forms.some(
    ({ apiVersion, kind, path }) =>
      apiVersion === item.apiVersion && kind === item.kind && (item.path === undefined || path.test(item.path)),
  );
}

function isOwnedBy(item: Resource, makers: readonly string[], identities: readonly string[]): boolean {
  const owner = item.annotations.get(generatedBy);
  return makers.some((maker) => identities.some((identity) => owner === ownerOf(maker, identity)));
}

function ownerOf(maker: string, identity: string): string {
  return `${maker}/${identity}`;
}

/** Errors about generated objects that would be written to the same file. */
export function collisions(added: readonly GeneratedObject[]): Finding[] {
  return filesOf(added).findings;
}

// Compares file names in lower case, because some file systems are not case-sensitive.
function filesOf<T extends GeneratedObject>(added: readonly T[]): { byPath: Map<string, T>; findings: Finding[] } {
  const findings: Finding[] = [];
  const byPath = new Map<string, T>();
  for (const one of added) {
    const path = one.path.toLowerCase();
    const other = byPath.get(path);
    if (other === undefined) {
      byPath.set(path, one);
      continue;
    }
    const both = [other, one].map((each) => (each.origin === undefined ? describeObject(each) : describe(each.origin)));
    const message = `${both[0]} and ${both[1]} would both be written to the file ${quote(one.path)}. Rename one of their Secrets.`;
    findings.push({ ...finding("error", "path-collision", message), ...(one.origin ? { resource: one.origin } : {}) });
  }
  return { byPath, findings };
}

function conflicts(
  { byName, byPath }: Record<"byName" | "byPath", ReadonlyMap<string, GeneratedObject>>,
  others: readonly Item[],
  fn: KrmFunction,
  names: readonly [identity: string, previousName: string | undefined],
): Finding[] {
  const findings: Finding[] = [];
  if (byPath.size === 0) return findings;
  const kinds = new Set(fn.emits.map(({ kind }) => kind));
  const reported = new Set<string>();
  for (const item of others) {
    if (kinds.has(item.kind) && byName.has(keyOfItem(item))) {
      const taken = nameTaken(item, others, fn, names);
      // One object shows what is wrong with all that were generated for the same cluster.
      const owner = item.annotations.get(generatedBy) ?? "";
      if (taken.code !== "identity-misplaced" || !reported.has(owner)) findings.push(taken);
      reported.add(owner);
      continue;
    }
    const needed = item.path === undefined ? undefined : byPath.get(item.path.toLowerCase());
    if (needed === undefined) continue;
    const message = `The file ${quote(needed.path)} is needed for ${describeObject(needed)}, but contains ${describe(item)}. Move ${describe(item)} to another file.`;
    findings.push(finding("error", "path-taken", message, { resource: item }));
  }
  return findings;
}

function nameKey({ object }: GeneratedObject): string {
  const { apiVersion, kind, metadata } = object;
  return identityKey(apiVersion, kind, metadata.namespace ?? "", metadata.name);
}

function nameTaken(
  item: Item,
  others: readonly Item[],
  fn: KrmFunction,
  [identity, previousName]: readonly [string, string | undefined],
): Finding {
  const owner = item.annotations.get(generatedBy) ?? "";
  const [maker = "", ...rest] = owner.split("/");
  const before = rest.join("/");
  const isOurs = maker === fn.name;
  if (isOurs && before !== identity && before !== "") {
    const config = others.find((item) => item.kind === "ClusterIdentity" && item.name === identity);
    // A rename adopts only objects in their own files, and only those of one name.
    if (previousName === undefined && hasForm(fn.emits, item)) return identityRenamed(before, identity, config);
    return identityMisplaced(before, identity, item);
  }
  if (isOurs && before === identity) {
    const message = "is a generated object, but is not in the file that is generated for it. Remove it.";
    return finding("error", "name-taken", message, { resource: item });
  }
  const message = `has the name of an object that ${fn.name} generates, but was not generated by it, and is never overwritten. Remove it, or rename it if it was written by hand.`;
  return finding("error", "name-taken", message, { resource: item });
}

function keyOfItem({ apiVersion, kind, namespace, name }: Resource): string {
  return identityKey(apiVersion, kind, namespace, name);
}

function identityKey(apiVersion: string, kind: string, namespace: string, name: string): string {
  return `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;
}

function describeObject({ object }: GeneratedObject): string {
  return describe(refOfObject(object));
}

function refOfObject({ apiVersion, kind, metadata }: GeneratedObject["object"]): ResourceRef {
  return { apiVersion, kind, ...metadata };
}

// Removing an object with an anchor would break the aliases to it.
function sharedAnchors(own: readonly Item[]): Finding[] {
  return own
    .filter(({ source, node }) => holdsShared(source, node))
    .map((item) => {
      const message = "is generated, but aliases in other objects refer to an anchor in it. Write those values out.";
      return finding("error", "field-not-editable", message, { resource: item });
    });
}
