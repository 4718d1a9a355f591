import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../../src/core/finding.ts";
import { sortFindings, toLines, toResult } from "../../../src/krm/results.ts";

const note: Finding = { severity: "info", code: "object-removed", message: "m" };
const ref = { apiVersion: "v1", kind: "Secret", name: "n" };
const full: Finding = {
  ...note,
  resource: { ...ref, namespace: "ns" },
  field: "a.b",
  file: { path: "p.yaml", index: 2 },
};

/** Each sorts before the next for a single reason. */
const inOrder: readonly Finding[] = [
  { ...full, severity: "error", code: "yaml-value" },
  { ...note, severity: "warning", code: "policy-over-quota" },
  { ...full, code: "name-taken" },
  note,
  { ...note, message: "n" },
  { ...note, field: "a" },
  { ...note, resource: ref },
  { ...note, resource: { ...ref, apiVersion: "v2" } },
  { ...note, resource: { ...ref, name: "o" } },
  { ...note, resource: { ...ref, namespace: "a" } },
  { ...note, resource: { ...ref, kind: "Z" } },
  { ...note, file: { path: "a", index: 1 } },
  { ...note, file: { path: "a", index: 2 }, message: "a" },
  { ...note, file: { path: "a", index: 10 }, message: "a" },
  { ...note, file: { path: "b", index: 0 }, message: "a" },
];

describe("findings", () => {
  test("are sorted, without duplicates, for any order of the input", () => {
    const orders = fc.shuffledSubarray([...inOrder], { minLength: inOrder.length });
    fc.assert(
      fc.property(orders, (order) => {
        expect(sortFindings(order)).toEqual(inOrder);
      }),
    );
    expect(sortFindings([...inOrder, ...inOrder])).toEqual(inOrder);
    expect(sortFindings([])).toEqual([]);
  });

  test("do not change the input list", () => {
    const came = [...inOrder].reverse();
    sortFindings(came);
    expect(came).toEqual([...inOrder].reverse());
  });

  test("are results of the specification, without unknown fields", () => {
    expect(toResult(note)).toStrictEqual({ message: "m", severity: "info", tags: { code: "object-removed" } });
    expect(toResult(full)).toStrictEqual({
      message: "m",
      severity: "info",
      resourceRef: { apiVersion: "v1", kind: "Secret", name: "n", namespace: "ns" },
      field: { path: "a.b" },
      file: { path: "p.yaml", index: 2 },
      tags: { code: "object-removed" },
    });
    expect(Object.keys(toResult(full))).toEqual(["message", "severity", "resourceRef", "field", "file", "tags"]);
  });
});

describe("a line", () => {
  test.each<[string, Finding, string]>([
    ["a message alone", note, "info: m [object-removed]"],
    ["everything", { ...full, severity: "error" }, "error: p.yaml: Secret ns/n: m [object-removed]"],
    ["a resource without namespace", { ...note, resource: ref }, "info: Secret n: m [object-removed]"],
    ["an empty namespace", { ...note, resource: { ...ref, namespace: "" } }, "info: Secret n: m [object-removed]"],
    ["a resource without name", { ...note, resource: { ...ref, name: "" } }, "info: Secret: m [object-removed]"],
    ["a file alone", { ...note, file: { path: "p", index: 1 } }, "info: p: m [object-removed]"],
    [
      "names and paths that a terminal could act on",
      { ...note, resource: { ...ref, name: "n\n" }, file: { path: "p\u001b[1m", index: 0 } },
      "info: p\\u001b[1m: Secret n\\u000a: m [object-removed]",
    ],
  ])("says %s", (_what, finding, expected) => {
    expect(toLines([finding])).toEqual([expected]);
  });

  const skipped = (code: Finding["code"], message: string, name?: string): Finding => ({
    severity: "info",
    code,
    message,
    ...(name === undefined ? {} : { resource: { apiVersion: "c/v1", kind: "CredentialsRequest", name } }),
  });

  test("names the objects that are excluded for one reason, after the other lines; a single object has its own line", () => {
    const reason = "excluded: it requires the capability Storage, which is not enabled.";
    const list = [
      skipped("skipped-capability", reason, "a"),
      skipped("skipped-profile", "b"),
      note,
      skipped("skipped-capability", reason, "c\u001b"),
      skipped("skipped-capability", "excluded: it requires the capability Build, which is not enabled.", "d"),
      skipped("skipped-capability", reason, "e"),
    ];
    expect(toLines(list)).toEqual([
      "info: m [object-removed]",
      `info: CredentialsRequests a, c\\u001b, e: ${reason} [skipped-capability]`,
      "info: CredentialsRequest d: excluded: it requires the capability Build, which is not enabled. [skipped-capability]",
      "info: b [skipped-profile]",
    ]);
    expect(toLines(list.slice(0, 2))).toEqual([
      `info: CredentialsRequest a: ${reason} [skipped-capability]`,
      "info: b [skipped-profile]",
    ]);
    expect(toLines([])).toEqual([]);
  });

  test("counts notes with many reasons, and names at most twenty objects", () => {
    const many = Array.from({ length: 30 }, (_, at) => skipped("skipped-duplicate", `reason ${at}`, `n${at}`));
    const names = many.slice(0, 20).map(({ resource }) => resource?.name);
    expect(toLines(many)).toEqual([
      `info: CredentialsRequests ${names.join(", ")} and 10 more: 30 notes [skipped-duplicate]`,
    ]);
    expect(toLines(many.slice(0, 5))).toEqual([
      "info: CredentialsRequests n0, n1, n2, n3, n4: 5 notes [skipped-duplicate]",
    ]);
    expect(toLines(many.slice(0, 4))).toHaveLength(4);
  });
});
