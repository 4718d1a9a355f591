import type { Finding } from "../core/finding.ts";
import type { ResourceRef, ValueMap } from "../core/resource.ts";
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

/** How many objects a line names, and how many lines a code has at most. The results contain all of them. */
const maxNames = 20;
const maxLines = 4;

/**
 * Findings as lines for standard error. Notes about excluded objects with the same reason share a line that names the
 * objects, so the output for a payload directory without problems stays short.
 */
export function toLines(findings: readonly Finding[]): string[] {
  const lines: string[] = [];
  const folded = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (!finding.code.startsWith("skipped-")) lines.push(toLine(finding));
    else push(folded, finding.code, finding);
  }
  for (const findings of folded.values()) lines.push(...notes(findings));
  return lines;
}

function push(map: Map<string, Finding[]>, key: string, finding: Finding): void {
  if (!map.get(key)?.push(finding)) map.set(key, [finding]);
}

/** The lines of the notes of one code. */
function notes(findings: readonly Finding[]): string[] {
  const byReason = new Map<string, Finding[]>();
  for (const finding of findings) push(byReason, finding.message, finding);
  if (byReason.size > maxLines) return [noteLine(findings, `${findings.length} notes`)];
  return [...byReason].map(([message, sameFindings]) =>
    sameFindings.length === 1 ? toLine(sameFindings[0] as Finding) : noteLine(sameFindings, message),
  );
}

function noteLine(findings: readonly Finding[], said: string): string {
  const [{ severity, code, resource }] = findings as [Finding];
  const names = [...new Set(findings.flatMap((finding) => finding.resource?.name ?? []))];
  const who = resource === undefined ? "" : `${resource.kind}s ${listed(names, maxNames)}: `;
  return safeLine(`${severity}: ${who}${said} [${code}]`);
}

function toLine(finding: Finding): string {
  const { severity, code, file } = finding;
  const where = file === undefined ? "" : `${file.path}: `;
  // Paths and names come unescaped from the input. A terminal must not interpret them.
  return safeLine(`${severity}: ${where}${withSubject(finding)} [${code}]`);
}

/** The message of a finding after the object that it is about: most messages begin with a verb. */
export function withSubject({ message, resource }: Finding): string {
  if (resource === undefined) return message;
  const { kind, namespace = "", name } = resource;
  // What "oc get" prints is a list without a name.
  const named = name === "" ? kind : `${kind} ${namespace}${namespace === "" ? "" : "/"}${name}`;
  return `${named}: ${message}`;
}
