import { ClusterPackage, clusterPackageOf } from "../../clouds/cluster-package.ts";
import { isIdentity, readIdentity } from "../../clouds/index.ts";
import { type Finding, FindingError, finding } from "../../core/finding.ts";
import { generatedBy, isMap, type Value, valueAt } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import { secretKeyOf } from "../../requests/credentials-request.ts";
import { type WriteTarget, wasInterrupted } from "../files/stage.ts";
import { type FileChange, writeProblems } from "../files/write-files.ts";
import { FindingsError, throwErrors } from "../terminal/errors.ts";
import { entriesFor, isAccept, mergedAcceptances } from "./acceptances.ts";
import { editObject, type FieldEdit, fieldOf, fieldText, isSameValue, withField, withoutField } from "./edit-object.ts";
import { readPackage, requirePackage } from "./package-files.ts";
import { filled, holdsPlaceholder, type PlaceholderNames, placeholderNames } from "./placeholders.ts";

/** A field with the value that it gets, unless the value reads as another type than the field has. */
export interface GivenValue {
  readonly path: readonly string[];
  /**
   * The value.
   * @param asText the fields, as findings name them, whose value is the written text: `012345678901` of an account ID
   */
  readonly value: (asText: ReadonlySet<string>) => Value;
  /** The fields whose text reads as something other than a string: a number, true or false. */
  readonly typed: readonly string[];
}

/** What to set and to remove in each package. */
export interface GivenFields {
  /** The leaves of the file of `--values`. */
  readonly shared: readonly GivenValue[];
  readonly fields: readonly GivenValue[];
  readonly unset: readonly (readonly string[])[];
  /** Whether the given `spec.accept` takes the place of the package's, instead of being merged with it. */
  readonly replacesAccept: boolean;
}

/**
 * The errors that a render would report for a changed ClusterIdentity, and not for the one before: what its schema does not
 * know, such as a policy of another partition. What was rendered is not read: a render tells what a change would take from a
 * running cluster.
 *
 * @param items the objects of the package, with the ClusterIdentity before.
 */
function newRefusals(before: Item, after: Item, items: readonly Item[]): readonly Finding[] {
  const others = items.filter((item) => item !== before && !item.annotations.has(generatedBy));
  const old = refusals(before, others);
  // What cannot be read cannot be compared.
  if (old === undefined) return [];
  const known = new Set(old.map(textOf));
  return (refusals(after, others) ?? []).filter((finding) => !known.has(textOf(finding)));
}

function refusals(identity: Item, others: readonly Item[]): readonly Finding[] | undefined {
  const pkg = clusterPackageOf({ items: [identity, ...others], functionConfig: identity });
  if (!(pkg instanceof ClusterPackage)) return undefined;
  const { cluster, held, workloads } = pkg;
  const { selected } = pkg.scope("workloads");
  const scope = { selected, held, isOwn: () => true, completesRequests: true };
  const made = cluster.value?.identities(scope).findings ?? [];
  return [...cluster.findings, ...workloads.findings, ...made].filter(({ severity }) => severity === "error");
}

function textOf({ code, field, message }: Finding): string {
  return JSON.stringify([code, field, message]);
}

/** A field that changes; undefined for a value that is missing. */
interface FieldDifference {
  readonly field: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** What a run would do to one package. Nothing is written if there are findings. */
export interface FieldsPlan {
  readonly directory: string;
  readonly identity: string | undefined;
  readonly platform: string | undefined;
  /** At most one: the file with the ClusterIdentity, if its text changes. */
  readonly changes: readonly FileChange[];
  readonly differences: readonly FieldDifference[];
  readonly findings: readonly Finding[];
}

/** A package, and those inside it that are processed by themselves. */
interface PackageDirectory {
  readonly directory: string;
  readonly inside: readonly string[];
}

/** Where `ccf set` writes to. */
export function setTarget(directory: string): WriteTarget {
  return { directory, command: "set" };
}

/** Plans to set fields of a package: see {@link planEdits}. */
export function planPackage(place: PackageDirectory, fieldsFor: () => GivenFields, onlyMissing = false): FieldsPlan {
  return planEdits(place, "ccf set FIELD=VALUE", (item, items) => editsFor(item, items, fieldsFor(), onlyMissing));
}

/**
 * Plans the change of a package, and checks its result. Reads only; a problem with the package is a finding, and so is an error of
 * `editsOf`.
 *
 * @param command the command line without directories, for messages
 * @param editsOf returns the edits of the ClusterIdentity, one of the objects of its package.
 */
export function planEdits(
  { directory, inside }: PackageDirectory,
  command: string,
  editsOf: (item: Item, items: readonly Item[]) => readonly FieldEdit[],
): FieldsPlan {
  const none = { directory, identity: undefined, platform: undefined, changes: [], differences: [] };
  try {
    const { item, items } = identityOf(directory, inside, command);
    const about = { ...none, identity: item.name, platform: platformOf(item.value()) };
    try {
      return { ...about, ...planObject(directory, item, items, editsOf(item, items)), findings: [] };
    } catch (error) {
      return { ...about, findings: findingsOf(error) };
    }
  } catch (error) {
    return { ...none, findings: findingsOf(error) };
  }
}

function findingsOf(error: unknown): readonly Finding[] {
  if (error instanceof FindingsError) return error.findings;
  if (error instanceof FindingError) return [error.finding];
  throw error;
}

function identityOf(
  directory: string,
  apart: readonly string[],
  command: string,
): { item: Item; items: readonly Item[] } {
  const pkg = readPackage(directory, apart);
  requirePackage(pkg, (below) => `${command} ${shellWord(below)}`, `${command} --recursive ${shellWord(directory)}`);
  // A second ClusterIdentity may be in what was not read.
  throwErrors(pkg.findings);
  const items = pkg.files.flatMap((file) => file.items);
  const found = items.filter(isClusterIdentity);
  const [item] = found;
  if (item !== undefined && found.length === 1) return { item, items };
  const message = `${quoteWhole(directory)} must contain exactly one ClusterIdentity, but contains ${found.length}.`;
  throw new FindingError(finding("error", "identity-not-unique", message));
}

function platformOf(value: Value): string | undefined {
  const platform = valueAt(value, ["spec", "platform"]);
  return isMap(platform) ? Object.keys(platform)[0] : undefined;
}

function planObject(
  directory: string,
  item: Item,
  items: readonly Item[],
  edits: readonly FieldEdit[],
): Pick<FieldsPlan, "changes" | "differences"> {
  const before = item.value();
  const after = editObject(item, edits);
  if (after === item) return { changes: [], differences: [] };
  const checked = readIdentity([after], undefined);
  if (!isIdentity(checked)) throw new FindingsError(checked);
  const refusals = newRefusals(item, after, items);
  if (refusals.length > 0) throw new FindingsError(refusals.map((one) => withOtherField(one, items)));
  const changes = [{ path: item.path ?? "", before: item.source.text, after: after.source.text }];
  const target = setTarget(directory);
  wasInterrupted(target);
  const targetFindings = writeProblems(target, changes);
  if (targetFindings.length > 0) throw new FindingsError(targetFindings);
  const value = after.value();
  const differences = edits
    .map(({ path }) => ({ field: fieldText(path), before: fieldOf(before, path), after: fieldOf(value, path) }))
    .filter((one) => !isSameValue(one.before, one.after));
  return { changes, differences };
}

function editsFor(item: Item, items: readonly Item[], given: GivenFields, onlyMissing: boolean): FieldEdit[] {
  const { shared, fields, unset, replacesAccept } = given;
  const before = item.value();
  const platform = platformOf(before);
  const isElsewhere = ({ path }: { path: readonly string[] }) =>
    platform !== undefined && path[0] === "spec" && path[1] === "platform" && (path[2] ?? platform) !== platform;
  const elsewhere = [...fields, ...unset.map((path) => ({ path }))].filter(isElsewhere);
  if (elsewhere.length > 0) throw new FindingsError(elsewhere.map(({ path }) => otherPlatform(item, path, platform)));
  const merges = ({ path }: GivenValue) => isAccept(path) && !replacesAccept;
  const wanted = [...shared.filter((one) => !isElsewhere(one)), ...fields].filter(
    (one) => !onlyMissing || merges(one) || fieldOf(before, one.path) === undefined,
  );
  const removed = unset.map((path) => ({ path, value: undefined }));
  const asText = readAsText(item, wanted, removed);
  const edits = wanted.flatMap((one): FieldEdit[] => {
    const value = one.value(asText);
    if (!isAccept(one.path) || !Array.isArray(value)) return [{ path: one.path, value }];
    const entries = shared.includes(one) ? entriesFor(platform, value) : value;
    if (!merges(one)) return [{ path: one.path, value: entries }];
    return entries.length === 0 ? [] : [{ path: one.path, value: entries, merge: { keeps: onlyMissing } }];
  });
  return filledEdits(item, items, [...edits, ...removed]);
}

/**
 * The edits with their placeholders filled in. These stand for values of the package after all other edits, in the order of
 * the fields.
 */
function filledEdits(item: Item, items: readonly Item[], edits: readonly FieldEdit[]): FieldEdit[] {
  const isOpen = ({ value }: FieldEdit) => value !== undefined && holdsPlaceholder(value);
  const done = edits.filter((edit) => !isOpen(edit)).map((edit) => mergedEdit(item.value(), edit));
  let value = done.reduce(withEdit, item.value());
  const findings: Finding[] = [];
  for (const edit of edits.filter(isOpen)) {
    const missing = new Set<string>();
    const names = placeholderNames(value, items);
    const text = filled(edit.value ?? null, names, (name) => missing.add(name));
    if (missing.size > 0) findings.push(placeholderUnknown(item, edit.path, [...missing], names));
    const merged = mergedEdit(value, { ...edit, value: text });
    done.push(merged);
    value = withEdit(value, merged);
  }
  if (findings.length > 0) throw new FindingsError(findings);
  return done;
}

// Each of the two fields would be refused without the other: the override while no request has its name, and what includes the
// request while it has no service account.
function withOtherField(refusal: Finding, items: readonly Item[]): Finding {
  const { code, file, message } = refusal;
  if (code === "override-unmatched") {
    const more = `If another field includes the request, such as "spec.release.featureSet", set that field in the same "ccf set" command.`;
    return { ...refusal, message: `${message} ${more}` };
  }
  const request = items.find(({ path, index }) => path === file?.path && index === file?.index);
  const secretKey = request === undefined ? undefined : secretKeyOf(request.value());
  if (code !== "no-service-account" || secretKey === undefined) return refusal;
  const argument = shellWord(`spec.overrides."${secretKey}".serviceAccountNames=["NAME"]`);
  return { ...refusal, message: `${message} Set both in one command: add ${argument} to this "ccf set" command.` };
}

function mergedEdit(before: Value, edit: FieldEdit): FieldEdit {
  if (edit.merge === undefined || !Array.isArray(edit.value)) return edit;
  return { ...edit, value: mergedAcceptances(fieldOf(before, edit.path), edit.value, edit.merge.keeps) };
}

function withEdit(value: Value, { path, value: field }: FieldEdit): Value {
  return field === undefined ? withoutField(value, path) : withField(value, path, field);
}

function placeholderUnknown(
  item: Item,
  path: readonly string[],
  missing: readonly string[],
  names: PlaceholderNames,
): Finding {
  const field = fieldText(path);
  const texts = (some: Iterable<string>) => [...some].map((name) => `{${name}}`).join(", ");
  const message = `the value of ${quoteWhole(field)} contains ${texts(missing)}, but the package does not say what that is. It has ${texts(names.keys())}. Write the value for this package without it.`;
  return finding("error", "set-placeholder-unknown", message, { resource: item, field });
}

function otherPlatform(item: Item, path: readonly string[], platform: string | undefined): Finding {
  const field = fieldText(path);
  const message = `${quoteWhole(field)} is not a field of this cluster, which is on the platform ${quote(platform)}. Name only packages of that cloud, or write the field to a file and use --values, which skips other clouds.`;
  return finding("error", "set-other-platform", message, { resource: item, field });
}

/**
 * The fields that get the text of their value, not what it reads as: those that the schema accepts only so. An account
 * ID such as 012345678901 reads as a number without its zero.
 */
function readAsText(item: Item, wanted: readonly GivenValue[], removed: readonly FieldEdit[]): ReadonlySet<string> {
  const typed = wanted.flatMap((one) => one.typed);
  if (typed.length === 0) return new Set();
  const wrongWith = (asText: ReadonlySet<string>) => {
    const edits = [...wanted.map(({ path, value }) => ({ path, value: value(asText) })), ...removed];
    return wrongFields(item, edits);
  };
  const wrong = wrongWith(new Set());
  const tried = new Set(typed.filter((field) => wrong.has(field)));
  if (tried.size === 0) return tried;
  const still = wrongWith(tried);
  return new Set([...tried].filter((field) => !still.has(field)));
}

function wrongFields(item: Item, edits: readonly FieldEdit[]): ReadonlySet<string | undefined> {
  const value = edits.reduce(withEdit, item.value());
  const checked = readIdentity([{ ...item, value: () => value }], undefined);
  return new Set(isIdentity(checked) ? [] : checked.map(({ field }) => field));
}
