import { type Finding, FindingError, finding, hasError } from "../core/finding.ts";
import type { OutputForm } from "../core/output-form.ts";
import { identityRenamed } from "../core/renamed.ts";
import { describe, type GeneratedObject, generatedBy, groupOf, inPackage, type ResourceRef } from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import { holdsShared } from "../yaml/anchors.ts";
import type { Edit } from "../yaml/edit.ts";
import { setField } from "../yaml/set-field.ts";
import type { FunctionOutput, KrmFunction } from "./function.ts";
import type { Item } from "./item.ts";
import type { OwnedObject } from "./owned-object.ts";

/** What a function's output changes in the items that it read. */
export interface Reconciled {
  /** Items that the function made before; the new ones take their place. */
  readonly removed: readonly Item[];
  readonly edits: readonly { readonly item: Item; readonly edits: readonly Edit[] }[];
  /** Items that stay somebody else's, although the function knows them: it sets a field of them at most. */
  readonly kept: readonly Item[];
  /** Sorted by path. */
  readonly added: readonly OwnedObject[];
  readonly findings: readonly Finding[];
}

/**
 * Brings a function's output into a list: its own objects are replaced, those that are no longer asked for go, nothing
 * that it does not own is touched. Nothing changes at all when there is an error.
 *
 * @param previousName the name that the ClusterIdentity had before: its objects are the function's own too.
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
    (item) => !kept.has(item) && (isOwn(fn, item, identities) || isTakenOver(fn, item, identities, byName)),
  );
  const ownSet = new Set(own);
  const others = ofPackage.filter((item) => !ownSet.has(item));
  const { byPath, findings: repeated } = filesOf(added);
  findings.push(...repeated, ...conflicts({ byName, byPath }, others, fn, identity), ...sharedAnchors(own));
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
  if (hasError(findings)) return { removed: [], edits: [], kept: [], added: [], findings };
  const paths = new Set(own.length === 0 ? [] : added.map((object) => object.path));
  for (const item of own) {
    if (item.path !== undefined && paths.has(item.path)) continue;
    const message = "is no longer asked for and was removed.";
    findings.push(finding("info", "object-removed", message, { resource: item }));
  }
  return { removed: own, edits, kept: ofPackage.filter((item) => kept.has(item)), added, findings };
}

// The annotation alone is no licence to delete: the kind and the path must be ones that this function emits, or that it or
// another once emitted.
function isOwn(fn: KrmFunction, item: Item, identities: readonly string[]): boolean {
  const isMadeBy = (makers: readonly string[]) => isOwnedBy(item, makers, identities);
  return (hasForm(fn.emits, item) && isMadeBy([fn.name])) || isRetired(fn, item, isMadeBy);
}

/** Says whether an object has a form that a function removes because no function emits it any more. */
export function isRetired(
  { retired = [] }: KrmFunction,
  item: Item,
  isMadeBy: (makers: readonly string[]) => boolean = () => true,
): boolean {
  return retired.some((form) => hasForm([form], item) && item.name === form.name && isMadeBy(form.makers));
}

// Another function's object is replaced by the same object alone, and never just removed.
function isTakenOver(
  fn: KrmFunction,
  item: Item,
  identities: readonly string[],
  names: ReadonlyMap<string, unknown>,
): boolean {
  return (
    isOwnedBy(item, fn.adoptsFrom ?? [], identities) &&
    hasForm(fn.emits, item) &&
    names.has(identityKey(item.apiVersion, item.kind, item.namespace, item.name))
  );
}

function hasForm(forms: readonly OutputForm[], item: Item): boolean {
  return forms.some(
    ({ apiVersion, kind, path }) =>
      apiVersion === item.apiVersion && kind === item.kind && (item.path === undefined || path.test(item.path)),
  );
}

function isOwnedBy(item: Item, makers: readonly string[], identities: readonly string[]): boolean {
  const owner = item.annotations.get(generatedBy);
  return makers.some((maker) => identities.some((identity) => owner === ownerOf(maker, identity)));
}

function ownerOf(maker: string, identity: string): string {
  return `${maker}/${identity}`;
}

/** Generated objects of which each would take the file of another. */
export function collisions(added: readonly GeneratedObject[]): Finding[] {
  return filesOf(added).findings;
}

// Names of files in lower case: some file systems do not tell them apart.
function filesOf<T extends GeneratedObject>(added: readonly T[]): { byPath: Map<string, T>; findings: Finding[] } {
  const found: Finding[] = [];
  const byPath = new Map<string, T>();
  for (const one of added) {
    const path = one.path.toLowerCase();
    const other = byPath.get(path);
    if (other === undefined) {
      byPath.set(path, one);
      continue;
    }
    const both = [other, one].map((each) => (each.origin === undefined ? describeObject(each) : describe(each.origin)));
    const message = `${both[0]} and ${both[1]} both make the file ${quote(one.path)}; rename one of their Secrets.`;
    found.push({ ...finding("error", "path-collision", message), ...(one.origin ? { resource: one.origin } : {}) });
  }
  return { byPath, findings: found };
}

function conflicts(
  { byName, byPath }: Record<"byName" | "byPath", ReadonlyMap<string, GeneratedObject>>,
  others: readonly Item[],
  fn: KrmFunction,
  identity: string,
): Finding[] {
  const found: Finding[] = [];
  if (byPath.size === 0) return found;
  const kinds = new Set(fn.emits.map(({ kind }) => kind));
  for (const item of others) {
    const { apiVersion, kind, namespace, name } = item;
    if (kinds.has(kind) && byName.has(identityKey(apiVersion, kind, namespace, name))) {
      found.push(nameTaken(item, others, fn, identity));
      continue;
    }
    const needed = item.path === undefined ? undefined : byPath.get(item.path.toLowerCase());
    if (needed === undefined) continue;
    const message = `The file ${quote(needed.path)} is needed for ${describeObject(needed)} but holds ${describe(item)}; move that to another file.`;
    found.push(finding("error", "path-taken", message, { resource: item }));
  }
  return found;
}

function nameKey({ object }: GeneratedObject): string {
  const { apiVersion, kind, metadata } = object;
  return identityKey(apiVersion, kind, metadata.namespace ?? "", metadata.name);
}

function nameTaken(item: Item, others: readonly Item[], fn: KrmFunction, identity: string): Finding {
  const owner = item.annotations.get(generatedBy) ?? "";
  const [maker = "", ...rest] = owner.split("/");
  const before = rest.join("/");
  const isOurs = maker === fn.name;
  if (isOurs && before !== identity && before !== "") {
    const config = others.find((item) => item.kind === "ClusterIdentity" && item.name === identity);
    return identityRenamed(before, identity, config);
  }
  if (isOurs && before === identity) {
    const message = "was generated, but stands in another file than the one that is generated for it; remove it.";
    return finding("error", "name-taken", message, { resource: item });
  }
  const message = `is not ${fn.name}'s own and is not overwritten; remove it, or rename the one that was made by hand.`;
  return finding("error", "name-taken", message, { resource: item });
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

// To remove an object that holds an anchor would break the aliases to it.
function sharedAnchors(own: readonly Item[]): Finding[] {
  return own
    .filter(({ source, node }) => holdsShared(source, node))
    .map((item) => {
      const message = "is generated, but other objects repeat an anchor in it; write those values out.";
      return finding("error", "field-not-editable", message, { resource: item });
    });
}
