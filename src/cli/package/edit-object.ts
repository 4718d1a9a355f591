import { canonicalJson } from "../../core/json.ts";
import { entryOf, isMap, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { extendList, removeEntry, unsetValue } from "../../yaml/change-value.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { applyEdits, type Edit } from "../../yaml/edit.ts";
import { type Editable, notEditable, replaceField } from "../../yaml/set-field.ts";
import { documents, isProblem, type Source } from "../../yaml/source.ts";
import { construct } from "../../yaml/values.ts";

/** A field to set or, if the value is undefined, to remove. */
export interface FieldEdit {
  readonly path: readonly string[];
  readonly value: Value | undefined;
  /** The value extends a list of the object, or lacks one of its entries: only the entries that differ change. */
  readonly merge?: ListMerge;
}

/** How entries of a list are merged with those of the object. */
export interface ListMerge {
  /** Entries of the object win. */
  readonly keeps: boolean;
}

/**
 * Sets and removes fields of an object in the text of its file, and changes nothing else: each edit is applied, and the
 * result is read again and compared.
 *
 * @returns the object in the new text
 * @throws FindingError `field-not-editable` if an edit would change anything else.
 */
export function editObject(item: Item, edits: readonly FieldEdit[]): Item {
  return edits.reduce(editField, item);
}

function editField(item: Item, { path, value, merge }: FieldEdit): Item {
  const before = item.value();
  const wanted = value === undefined ? withoutField(before, path) : withField(before, path, value);
  if (isSameValue(before, wanted)) return item;
  const object = { source: item.source, node: item.node, resource: item };
  const old = fieldOf(before, path);
  const isEntries = merge !== undefined && Array.isArray(value) && Array.isArray(old) && old.length > 0;
  const edits =
    value === undefined
      ? unsetValue(object, path)
      : isEntries
        ? changedEntries(object, path, old, value)
        : replaceField(object, path, value);
  const edited = reread(item, applyEdits(item.source.text, edits));
  if (edited === undefined || !isSameValue(edited.value(), wanted) || !othersAreSame(item, edited))
    throw notEditable({ ...object, path }, "cannot be changed in place");
  return edited;
}

function changedEntries(
  object: Omit<Editable, "path">,
  path: readonly string[],
  before: readonly Value[],
  after: readonly Value[],
): Edit[] {
  if (after.length >= before.length) return extendList(object, path, before, after);
  const removed = before.findIndex((entry, index) => !isSameValue(entry, after[index]));
  return removeEntry(object, path, removed);
}

function reread({ path = "", index }: Item, text: string): Item | undefined {
  const source = parseDocuments(text);
  const node = isProblem(source) ? undefined : documents(source)[index];
  return isProblem(source) || node === undefined ? undefined : readItem(source, node, { path, index });
}

function othersAreSame(before: Item, after: Item): boolean {
  const [old, now] = [documents(before.source), documents(after.source)];
  return (
    old.length === now.length &&
    before.source.unread.size === after.source.unread.size &&
    old.every(
      (node, at) =>
        at === before.index || documentForm(before.source, node) === documentForm(after.source, now[at] as number),
    )
  );
}

function documentForm(source: Source, node: number): string {
  const built = source.unread.has(node) ? undefined : construct(source, node);
  return built !== undefined && "value" in built ? canonicalJson(built.value) : "";
}

/** Whether two values are equal, whatever the order of their keys. */
export function isSameValue(one: Value | undefined, other: Value | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}

/** The value with a field that has a new value. What is in its way on the path is replaced only if it is null. */
export function withField(value: Value | undefined, path: readonly string[], field: Value): Value {
  const [key, ...rest] = path;
  if (key === undefined) return field;
  return { ...mapOf(value), [key]: withField(ownField(value, key), rest, field) };
}

/** The value without a field. */
export function withoutField(value: Value, path: readonly string[]): Value {
  const [key, ...rest] = path;
  const inner = key === undefined ? undefined : ownField(value, key);
  if (key === undefined || inner === undefined) return value;
  if (rest.length > 0) return { ...mapOf(value), [key]: withoutField(inner, rest) };
  return Object.fromEntries(Object.entries(mapOf(value)).filter(([name]) => name !== key));
}

/** The value of a field, or undefined if it is missing or null. */
export function fieldOf(value: Value, path: readonly string[]): Value | undefined {
  return valueAt(value, path) ?? undefined;
}

/** The path of a field as a command line names it: a key with a dot, a space, or an equals sign is in quotes. */
export function fieldText(keys: readonly string[]): string {
  return keys.map((key) => (/^[^."'=[\]\s]+$/.test(key) ? key : key.includes('"') ? `'${key}'` : `"${key}"`)).join(".");
}

function mapOf(value: Value | undefined): ValueMap {
  return isMap(value) ? value : {};
}

function ownField(value: Value | undefined, key: string): Value | undefined {
  return isMap(value) ? entryOf(value, key) : undefined;
}
