import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SaidOnce } from "../../../src/cli/fleet/said-once.ts";
import { diagnosticLines } from "../../../src/cli/terminal/diagnostics.ts";
import { type Finding, finding } from "../../../src/core/finding.ts";
import { wrapped } from "../../../src/core/wrapped.ts";

const cure = 'Apply the package with "ccf apply. Now", which stores the ID.';
const without = (name: string, message = `has no ID in the package yet. ${cure}`): Finding => ({
  severity: "warning",
  code: "client-id-unknown",
  message,
  resource: { apiVersion: "v1", kind: "CredentialsRequest", namespace: "ns", name },
  file: { path: `credentials-requests/${name}.yaml`, index: 0 },
});

describe("a finding on a terminal", () => {
  it("says what is wrong, where, and what to do", () => {
    expect(diagnosticLines([without("one")], 80)).toEqual([
      "warning[client-id-unknown]: has no ID in the package yet",
      "  --> credentials-requests/one.yaml: CredentialsRequest ns/one",
      `  help: ${cure}`,
    ]);
  });

  it("is said once for objects that have the same problem", () => {
    expect(diagnosticLines([without("one"), without("two")], 80)).toEqual([
      "warning[client-id-unknown]: has no ID in the package yet",
      "  --> CredentialsRequests ns/one, ns/two",
      `  help: ${cure}`,
    ]);
  });

  it("is wrapped to the width, and escapes what would control the terminal", () => {
    expect(diagnosticLines([without("one", "is \u001b[31m red and longer than the line. Do it.")], 34)).toEqual([
      "warning[client-id-unknown]: is",
      "    \\u001b[31m red and longer than",
      "    the line",
      "  --> credentials-requests/one.yaml:",
      "      CredentialsRequest ns/one",
      "  help: Do it.",
    ]);
  });

  it("says what to do after a semicolon, as rules do", () => {
    const message = 'can pass any role that matches "a; b" to a service; name the roles';
    expect(diagnosticLines([finding("warning", "client-id-unknown", message)], 80)).toEqual([
      'warning[client-id-unknown]: can pass any role that matches "a; b" to a service',
      "  help: name the roles",
    ]);
  });

  it("without a place or a cure has one line", () => {
    expect(diagnosticLines([finding("error", "not-a-resource-list", "is not a list.")], 80)).toEqual([
      "error[not-a-resource-list]: is not a list",
    ]);
  });
});

it("wrapping loses no word, and exceeds the width only by a word", () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom("a", "b", ".") });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), fc.integer({ min: 10, max: 60 }), (words, width) => {
      const lines = wrapped(words.join(" "), width, "", "    ");
      expect(lines.map((line, at) => (at === 0 ? line : line.slice(4))).join(" ")).toBe(words.join(" "));
      for (const line of lines) expect(line.length <= width || !line.trim().includes(" ")).toBe(true);
    }),
  );
});

describe("what is said of several packages", () => {
  const groupsOf = (...all: readonly (readonly [directory: string, ...said: string[]])[]) => {
    const once = new SaidOnce<string>();
    for (const [directory, ...said] of all) once.add(directory, said);
    return once.groups().map(({ directories, said }) => [directories.join(" "), ...said]);
  };

  it("is said once if it is the same, also where it names the package", () => {
    expect(
      groupsOf(["a", "same", "Run: ccf render a", "only a"], ["b c", "same", "Run: ccf render 'b c'"], ["d", "same"]),
    ).toEqual([
      ["a b c d", "same"],
      ["a", "Run: ccf render a", "only a"],
      ["b c", "Run: ccf render 'b c'"],
    ]);
    expect(groupsOf(["a", 'Run "ccf render a".'], ["b", 'Run "ccf render b".'])).toEqual([
      ["a b", 'Run "ccf render a b".'],
    ]);
  });

  it("is not the same where a name only begins like the package", () => {
    expect(groupsOf(["a", "abc"], ["b", "bbc"])).toEqual([
      ["a", "abc"],
      ["b", "bbc"],
    ]);
  });

  it("loses nothing", () => {
    const said = fc.array(fc.constantFrom("one", "two a", "three a b", "four"), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(said, { maxLength: 5 }), (packages) => {
        const groups = groupsOf(...packages.map((lines, at) => [`p${at}`, ...lines] as const));
        for (const [at, lines] of packages.entries())
          for (const line of lines)
            expect(
              groups.some(([names = "", ...all]) => names.split(" ").includes(`p${at}`) && all.includes(line)),
            ).toBe(true);
      }),
    );
  });
});
