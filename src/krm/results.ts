import type { Finding } from "../core/finding.ts";
import type { ValueMap } from "../core/resource.ts";
import { compareText, printable } from "../core/text.ts";

const rank = { error: 0, warning: 1, info: 2 } as const;

/** Findings in one order, whatever order the input had: by weight, code, place and message; each once. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const keyed = findings.map((one) => ({ one, key: sortKey(one) }));
  keyed.sort((a, b) => compareText(a.key, b.key));
  return keyed.filter((entry, place) => entry.key !== keyed[place - 1]?.key).map(({ one }) => one);
}

function sortKey({ severity, code, file, resource, field, message }: Finding): string {
  const { kind, namespace, name, apiVersion } = resource ?? {};
  // Places in a file are numbers of their own length: the third one comes before the tenth.
  const index = String(file?.index ?? "").padStart(9, "0");
  const place = [file?.path, index, kind, namespace, name, apiVersion, field, message];
  return JSON.stringify([rank[severity], code, ...place.map((part) => part ?? "")]);
}

/** A finding as a result of the KRM Functions Specification; the code is in `tags.code`. */
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
 * Findings for people, on standard error, each on a line; but for notes about what was left out, which are counted by
 * code, so that a payload folder in which nothing is wrong says little.
 */
export function toLines(findings: readonly Finding[]): string[] {
  const lines: string[] = [];
  const folded = new Map<string, Finding[]>();
  for (const one of findings) {
    if (!one.code.startsWith("skipped-")) lines.push(toLine(one));
    else if (!folded.get(one.code)?.push(one)) folded.set(one.code, [one]);
  }
  for (const [code, list] of folded) {
    lines.push(list.length === 1 ? toLine(list[0] as Finding) : `info: ${list.length} notes [${code}]`);
  }
  return lines;
}

function toLine({ severity, code, message, resource, file }: Finding): string {
  const name =
    resource === undefined
      ? ""
      : `${resource.kind} ${resource.namespace ?? ""}${resource.namespace ? "/" : ""}${resource.name}: `;
  const where = file === undefined ? "" : `${file.path}: `;
  // Paths and names come from the input as they are; a terminal must not act on them.
  return `${severity}: ${printable(where)}${printable(name)}${message} [${code}]`;
}
