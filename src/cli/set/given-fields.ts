import { quote, quoteWhole } from "../../core/text.ts";
import { documents, isMapping, isProblem, pairsOf, parseSource, type Source } from "../../yaml/source.ts";
import { inputProblem, readInputFile } from "../files/input-file.ts";
import { acceptPath, isAccept } from "../package/acceptances.ts";
import { fieldText } from "../package/edit-object.ts";
import { placeholderProblem } from "../package/placeholders.ts";
import type { GivenFields, GivenValue } from "../package/plan-set.ts";
import { UsageError } from "../terminal/errors.ts";
import { givenValue, type ValueReading, valueAtNode } from "./given-value.ts";

/** The words of the command line: assignments first, then directories. */
export interface GivenWords {
  readonly assignments: readonly string[];
  readonly directories: readonly string[];
}

/**
 * Splits the words of the command line. An assignment contains "=" and does not begin like a path.
 * @throws UsageError if an assignment follows a directory
 */
export function splitWords(words: readonly string[]): GivenWords {
  const first = words.findIndex((word) => !isAssignment(word));
  const end = first === -1 ? words.length : first;
  const late = words.slice(end).find((word) => /^(?:spec|metadata)\.[^=]*=/.test(word));
  if (late !== undefined)
    throw new UsageError(
      `${quoteWhole(late)} comes after a directory; write all fields before the directories, and a directory of that name as ${quoteWhole(`./${late}`)}`,
    );
  return { assignments: words.slice(0, end), directories: words.slice(end) };
}

function isAssignment(word: string): boolean {
  return word.includes("=") && !/^[./]/.test(word);
}

/**
 * Reads the fields of a command line. A field on the command line wins over the same field in the file of `--values`.
 *
 * @throws UsageError
 * @throws FindingsError `input-file-invalid` for the file of `--values`
 */
export function givenFields(
  assignments: readonly string[],
  unset: readonly string[],
  values: string | undefined,
  replaced: readonly string[] = [],
): GivenFields {
  const fields = assignments.map(assigned);
  const removed = unset.map(fieldKeys);
  const paths = [...fields.map(({ path }) => path), ...removed];
  for (const [index, path] of paths.entries()) {
    const other = paths.find((one, at) => at !== index && isWithin(path, one));
    if (other !== undefined)
      throw new UsageError(
        `${quoteWhole(fieldText(path))} and ${quoteWhole(fieldText(other))} are the same field, or one contains the other; name only one of them`,
      );
  }
  const shared = values === undefined ? [] : valuesOf(values);
  if (paths.length === 0 && shared.length === 0)
    throw new UsageError("nothing to set; write FIELD=VALUE before the directories, or use --unset or --values");
  const other = replaced.find((field) => !isAccept(fieldKeys(field)));
  if (other !== undefined)
    throw new UsageError(
      `--replace ${quoteWhole(other)} has no effect: only "${fieldText(acceptPath)}" is merged, and every other value replaces the one before`,
    );
  return {
    shared: shared.filter(({ path }) => !paths.some((one) => isWithin(path, one))),
    fields,
    unset: removed,
    replacesAccept: replaced.length > 0,
  };
}

/** Whether a field is another field or inside it. */
function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return outer.length <= path.length && outer.every((key, index) => key === path[index]);
}

function assigned(word: string): GivenValue {
  const [, field = "", text = ""] = /^((?:"[^"]*"|'[^']*'|[^="'])*)=([\s\S]*)$/.exec(word) ?? [];
  if (field === "") throw new UsageError(`${quoteWhole(word.slice(0, word.indexOf("=") + 1))} does not name a field`);
  const read = givenValue(fieldKeys(field), text);
  const problem = problemOf(read);
  if (problem !== undefined || "problem" in read) throw new UsageError(`${quoteWhole(field)} ${problem}`);
  return textOfMetadata(read);
}

function problemOf(read: ValueReading): string | undefined {
  return "problem" in read ? read.problem : placeholderProblem(read.value(new Set(read.typed)));
}

// The value of an annotation or label is always a string (Kubernetes API reference, ObjectMeta).
function textOfMetadata(given: GivenValue): GivenValue {
  if (given.path[0] !== "metadata") return given;
  const value = given.value(new Set(given.typed));
  if (typeof value !== "string")
    throw new UsageError(`${quoteWhole(fieldText(given.path))} must be a string; put the value in quotes`);
  return { path: given.path, value: () => value, typed: [] };
}

const flag = "--values";

/** The leaves of a file with a part of a ClusterIdentity: scalars and lists, by their paths. */
function valuesOf(path: string): GivenValue[] {
  const source = parseSource(readInputFile(flag, path));
  if (isProblem(source)) {
    const line = source.line === undefined ? "" : `, line ${source.line}`;
    throw inputProblem(flag, path, `is not YAML: ${source.reason}${line}`);
  }
  const [node, ...more] = documents(source);
  if (!isMapping(source, node) || more.length > 0)
    throw inputProblem(flag, path, 'must contain one mapping with "spec", a part of a ClusterIdentity');
  const found: GivenValue[] = [];
  collect(source, node, [], (keys, read) => {
    const problem = problemOf(read);
    if (problem !== undefined || "problem" in read)
      throw inputProblem(flag, path, `is invalid: ${quoteWhole(fieldText(keys))} ${problem}`);
    settableKeys(keys);
    found.push(textOfMetadata(read));
  });
  return found;
}

function collect(
  source: Source,
  node: number,
  path: readonly string[],
  add: (path: readonly string[], read: ValueReading) => void,
): void {
  const names = new Set<string>();
  for (const { name, value } of pairsOf(source, node)) {
    if (name === undefined || name === "<<" || names.has(name)) {
      add(path, { problem: "has a key that is not a text, a merge, or a key twice; write each field once" });
      continue;
    }
    names.add(name);
    const keys = [...path, name];
    if (isMapping(source, value) && !source.properties.has(value)) collect(source, value, keys, add);
    else add(keys, valueAtNode(keys, source, value));
  }
}

/** Parts of a ClusterIdentity that are not its settings, such as its name. */
const settable = 'a field below "spec", an annotation "metadata.annotations.KEY" or a label "metadata.labels.KEY"';

/**
 * The keys of a field on the command line, such as `spec.platform.aws.tags."a.b"`. A key with a dot, a space or an equals
 * sign is in single or double quotes. {@link fieldText} is the inverse.
 *
 * @throws UsageError
 */
function fieldKeys(field: string): readonly string[] {
  const keys: string[] = [];
  const step = /(?:"([^"]*)"|'([^']*)'|([^."'=[\]\s]+))(\.|$)/y;
  for (let at = 0; at < field.length; at = step.lastIndex) {
    step.lastIndex = at;
    const [, double, single, plain, dot] = step.exec(field) ?? [];
    const key = double ?? single ?? plain;
    if (key === undefined) throw new UsageError(`${quote(field)} is not a field${hintFor(field)}`);
    keys.push(key);
    if (dot === ".") continue;
    return settableKeys(keys);
  }
  throw new UsageError(`${quote(field)} is not a field${hintFor(field)}`);
}

function hintFor(field: string): string {
  if (field.includes("[")) return "; set a list as a whole, for example spec.issuer.audiences='[\"openshift\"]'";
  return '; separate its keys with ".", and quote a key that contains a dot, for example spec.platform.aws.tags."a.b"';
}

/**
 * Requires that a field is a setting of the cluster.
 * @throws UsageError
 */
function settableKeys(keys: readonly string[]): readonly string[] {
  const [top, second] = keys;
  const isField = top === "spec" && keys.length > 1;
  const isMetadata = top === "metadata" && (second === "annotations" || second === "labels") && keys.length === 3;
  if (!isField && !isMetadata) throw new UsageError(`${quoteWhole(fieldText(keys))} cannot be set; name ${settable}`);
  return keys;
}
