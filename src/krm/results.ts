import type { Finding } from "../core/finding.ts";
import { allByKey, type ResourceRef, type ValueMap } from "../core/resource.ts";
import { compareText, safeLine } from "../core/text.ts";
import { listed } from "../core/words.ts";

const rank = { error: 0, warning: 1, info: 2 } as const;

/**
 * Findings without duplicates, sorted by severity, code, location and message, so that the order of the input does not
 * matter.
 */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const keyed = findings.map((finding) => ({ one: finding, key: sortKey(finding) }));
  keyed.sort((a, b) => compareText(a.key, b.key));
  return keyed.filter((entry, index) => entry.key !== keyed[index - 1]?.key).map(({ one }) => one);
}

function sortKey({ severity, code, file, resource, field, message }: Finding): string {
  const { kind, namespace, name, apiVersion } = resource ?? {};
  // Padded, so that index 3 sorts before index 10.
  const index = String(file?.index ?? "").padStart(9, "0");
  const place = [file?.path, index, kind, namespace, name, apiVersion, field, message];
  return JSON.stringify([rank[severity], code, ...place.map((part) => part ?? "")]);
}

/** A finding as a result of the KRM Functions Specification, with the code in `tags.code`. */
export function toResult({ severity, code, message, resource, field, file }: Finding): ValueMap {
  return {
    message,
    severity,
    ...(resource === undefined ? {} : { resourceRef: { ...resource } }),
    ...(field === undefined ? {} : { field: { path: field } }),
    ...(file === undefined ? {} : { file: { ...file } }),
    tags: { code },
  };
}

/**
 * A result for a list. Its texts are escaped, because tools print them, and YAML does not escape most invisible
 * characters.
 */
export function toPrintedResult(finding: Finding): ValueMap {
  const { resource, field, file } = finding;
  return toResult({
    ...finding,
    message: safeLine(finding.message),
    ...(resource === undefined ? {} : { resource: safeRef(resource) }),
    ...(field === undefined ? {} : { field: safeLine(field) }),
    ...(file === undefined ? {} : { file: { ...file, path: safeLine(file.path) } }),
  });
}

function safeRef({ apiVersion, kind, name, namespace }: ResourceRef): ResourceRef {
  return {
    apiVersion: safeLine(apiVersion),
    kind: safeLine(kind),
    name: safeLine(name),
    ...(namespace === undefined ? {} : { namespace: safeLine(namespace) }),
  };
}

/** How many objects a line names, and how many lines a code of notes has at most. The results contain all of them. */
const maxNames = 20;
const maxLines = 4;

/** The same problem in one object or in several of one kind, and what is said of them. */
export interface Told {
  readonly findings: readonly [Finding, ...Finding[]];
  readonly message: string;
}

/**
 * What a person reads of findings: the same problem once, with the objects that have it. Notes about excluded objects with many
 * reasons are one, so the output for a payload directory without problems stays short.
 */
export function told(findings: readonly Finding[]): Told[] {
  const groups = allByKey(findings, ({ severity, code, message, resource, field }) =>
    JSON.stringify([severity, code, resource?.kind, message, ...(field === undefined ? [] : [resource, field])]),
  );
  const all = [...groups.values()].flatMap(([first, ...rest]): Told[] =>
    first === undefined ? [] : [{ findings: [first, ...rest], message: first.message }],
  );
  const notes = allByKey(all, ({ findings: [{ code }] }) => (isNote(code) ? code : undefined));
  return [...all.filter(({ findings: [{ code }] }) => !isNote(code)), ...[...notes.values()].flatMap(toldNotes)];
}

/** What is said of the notes of one code. */
function toldNotes(notes: readonly Told[]): readonly Told[] {
  if (notes.length <= maxLines) return notes;
  const [first, ...rest] = notes.flatMap(({ findings }) => findings);
  return first === undefined ? [] : [{ findings: [first, ...rest], message: `${rest.length + 1} notes` }];
}

function isNote(code: Finding["code"]): boolean {
  return code.startsWith("skipped-");
}

/** Findings as lines for standard error: one for each of {@link told}. */
export function toLines(findings: readonly Finding[]): string[] {
  return told(findings).map((one) => {
    const [{ severity, code }] = one.findings;
    const place = placeOf(one);
    // Paths and names come unescaped from the input. A terminal must not interpret them.
    return safeLine(`${severity}: ${place === "" ? "" : `${place}: `}${one.message} [${code}]`);
  });
}

/** Where a problem is: the file and the object, or the objects; "" if it is nowhere. */
export function placeOf({ findings }: Pick<Told, "findings">): string {
  const [{ code, file, resource }, ...others] = findings;
  if (others.length === 0 || resource === undefined) {
    const where = file === undefined ? [] : [file.path];
    return [...where, ...(resource === undefined ? [] : [nameOf(resource)])].join(": ");
  }
  const names = findings.map(({ resource: one }) => (isNote(code) ? one?.name : nameOf(one ?? resource, "")) ?? "");
  return `${resource.kind}s ${listed([...new Set(names)], maxNames)}`;
}

// What "oc get" prints is a list without a name.
function nameOf({ kind, namespace = "", name }: ResourceRef, prefix = `${kind} `): string {
  return name === "" ? kind : `${prefix}${namespace}${namespace === "" ? "" : "/"}${name}`;
}

/** The message of a finding after the object that it is about: most messages begin with a verb. */
export function withSubject({ message, resource }: Finding): string {
  return resource === undefined ? message : `${nameOf(resource)}: ${message}`;
}
