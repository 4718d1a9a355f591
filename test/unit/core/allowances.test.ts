import { describe, expect, it } from "vitest";
import {
  allowanceNote,
  allowsRemoval,
  annotatedAllowances,
  guarded,
  guardedRemoval,
  identityMisplaced,
  identityRenamed,
  namedRemovals,
  removableName,
  removalOf,
  withAllowCommand,
  withRenameCommand,
} from "../../../src/core/allowances.ts";
import { finding } from "../../../src/core/finding.ts";
import type { Resource } from "../../../src/core/resource.ts";

const guard = {
  resource: { apiVersion: "v1", kind: "ClusterIdentity", name: "x" } as Resource,
  allowed: new Set<string>(),
};
const command = (allowed: readonly string[]) => `ccf render --allow ${allowed.join(",")} demo`;

describe("the command that allows removals", () => {
  it("names each removal of all findings once, sorted, and replaces their cures", () => {
    const findings = withAllowCommand(
      [
        guardedRemoval(guard, ["b/two", "a/one"], "identities-lost", "Gone."),
        guardedRemoval(guard, ["a/one"], "secret-lost", "Lost."),
        guarded(guard, "replace-key", "signing-key-replaced", "Replaced."),
        finding("info", "signing-key", "No cure."),
      ],
      command,
    );
    const run = 'run "ccf render --allow removal:a/one,removal:b/two,replace-key demo"';
    expect(findings.map(({ message }) => message)).toEqual([
      `Gone. If this is intended, ${run}, or put the same list into the annotation "fn.cloudcredential.dev/allow" of the ClusterIdentity.`,
      `Lost. If this is intended, ${run}, or set the annotation "fn.cloudcredential.dev/allow: removal:a/one" on the ClusterIdentity.`,
      `Replaced. If this is intended, ${run}, or set the annotation "fn.cloudcredential.dev/allow: replace-key" on the ClusterIdentity for one run.`,
      "No cure.",
    ]);
  });

  it("contains nothing that a shell would interpret, whatever an object is named", () => {
    for (const name of ["a/$(touch x)", "a/b,c", "/b", "a/b c", "a/b/c", "a/b'"])
      expect(removalOf(name)).toBe("removal");
    expect(removalOf("ns-1/a.b")).toBe("removal:ns-1/a.b");
  });
});

const allowing = (text?: string): Resource =>
  ({
    ...guard.resource,
    annotations: new Map(text === undefined ? [] : [["fn.cloudcredential.dev/allow", text]]),
  }) as unknown as Resource;
const field = "metadata.annotations.fn.cloudcredential.dev/allow";

describe("the annotation that allows", () => {
  it.each<[string | undefined, readonly string[], readonly string[], string | undefined]>([
    [undefined, [], [], undefined],
    ["removal:a/b", ["removal:a/b"], [], undefined],
    [" replace-key ,removal", ["replace-key", "removal"], [], '"removal", "replace-key"'],
    ["replace-isuer", [], ['the unknown name "replace-isuer" (did you mean "replace-issuer"?)'], undefined],
    ["", [], ['the unknown name ""'], undefined],
    ["xremoval:a/b,removal:a/b/c", [], ['"xremoval:a/b"', '"removal:a/b/c"'], undefined],
  ])("with the text %j", (text, allowed, unknown, note) => {
    const answer = annotatedAllowances(allowing(text));
    expect([...answer.allowed]).toEqual(allowed);
    expect(answer.findings).toHaveLength(unknown.length);
    for (const [index, one] of unknown.entries()) {
      expect(answer.findings[index]).toMatchObject({ severity: "error", code: "allow-unknown", field });
      expect(answer.findings[index]?.message).toContain(one);
      expect(answer.findings[index]?.message).toMatch(
        / Use "removal", "removal:<namespace>\/<secret>", "replace-issuer", "replace-key", separated by commas, or remove the annotation\.$/,
      );
    }
    const notes = allowanceNote(allowing(text));
    expect(notes).toHaveLength(note === undefined ? 0 : 1);
    if (note === undefined) return;
    expect(notes[0]).toMatchObject({ severity: "warning", code: "allow-annotation", field, resource: { name: "x" } });
    expect(notes[0]?.message).toContain(` allows ${note} in every run.`);
  });
});

describe("what a run allows", () => {
  it.each<[string, boolean, boolean]>([
    ["removal", true, true],
    ["removal:a/one", true, false],
    ["removal:b/two", false, true],
    ["replace-key", false, false],
  ])("with %s: a/one %s, b/two %s", (word, one, two) => {
    const allowed = new Set([word]);
    expect([allowsRemoval({ allowed }, "a/one"), allowsRemoval({ allowed }, "b/two")]).toEqual([one, two]);
  });

  it("is a warning that names what allows it", () => {
    const run = (...allowed: string[]) => ({ ...guard, allowed: new Set(allowed) });
    expect(guarded(run("replace-key"), "replace-key", "signing-key-replaced", "Replaced.")).toMatchObject({
      severity: "warning",
      message: 'Replaced. This run allows it ("replace-key").',
      resource: { name: "x" },
    });
    expect(guardedRemoval(run("removal"), ["a/one"], "secret-lost", "Lost.")).toMatchObject({
      severity: "warning",
      message: 'Lost. This run allows it ("removal").',
    });
    expect(
      guardedRemoval(run("removal:a/one", "removal:b/two"), ["a/one", "b/two"], "secret-lost", "Lost."),
    ).toMatchObject({
      severity: "warning",
      message: "Lost. This run allows it by name.",
    });
    expect(guardedRemoval(run("removal:a/one"), ["a/one", "b/two"], "secret-lost", "Lost.").severity).toBe("error");
  });

  it("is said for one run, unless all of it is allowed by name", () => {
    const cures = [["a/one"], ["a/one", "a/$x"], ["a/$x"]].map(
      (names) => guardedRemoval(guard, names, "secret-lost", "Lost.").message,
    );
    expect(cures.map((cure) => /(?:for one run)?\.$/.exec(cure)?.[0])).toEqual([".", "for one run.", "for one run."]);
  });

  it("is about the ClusterIdentity if nothing else is named and it is known", () => {
    const other = { ...guard.resource, kind: "Secret", name: "y" } as Resource;
    expect(guarded(guard, "removal", "secret-lost", "Lost.")).toMatchObject({ resource: { name: "x" } });
    expect(guarded(guard, "removal", "secret-lost", "Lost.", { resource: other })).toMatchObject({
      resource: { name: "y" },
    });
    expect(guardedRemoval(guard, ["a/b"], "secret-lost", "Lost.")).toMatchObject({ resource: { name: "x" } });
    expect(guardedRemoval({}, ["a/b"], "secret-lost", "Lost.")).not.toHaveProperty("resource");
    expect(guardedRemoval(guard, ["a/b"], "secret-lost", "Lost.", {})).not.toHaveProperty("resource");
  });

  it("names a Secret by its namespace, and another object by its kind", () => {
    const ref = { apiVersion: "v1", name: "y" };
    expect(removableName({ ...ref, kind: "Secret", namespace: "a" })).toBe("a/y");
    expect(removableName({ ...ref, kind: "Secret" })).toBe("/y");
    expect(removableName({ ...ref, kind: "ConfigMap", namespace: "a" })).toBe("ConfigMap/y");
    expect(namedRemovals(new Set(["removal", "removal:a/b", "replace-key", "removal:c/d"]))).toEqual(["a/b", "c/d"]);
  });
});

describe("a ClusterIdentity with another name", () => {
  const command = (before: string) => `ccf render demo --rename-from ${before}`;

  it("gets the command of its package in place of the one for a directory", () => {
    const found = identityRenamed("old.1", "x", guard.resource);
    expect(found).toMatchObject({ severity: "error", code: "identity-renamed", resource: { name: "x" } });
    expect(found.message).toContain(`run "ccf render --only-ours --rename-from old.1" in the package's directory.`);
    expect(withRenameCommand(found, command).message).toContain('run "ccf render demo --rename-from old.1". If');
    expect(identityRenamed("old", "x", undefined)).not.toHaveProperty("resource");
  });

  it.each(["Old", "a b", "$(x)", "a/b", ""])("is not put into the command if it was %j", (before) => {
    expect(identityRenamed(before, "x", undefined).message).toContain("--rename-from OLD");
  });

  it("of which only an object is left has another cure", () => {
    const item = { ...guard.resource, kind: "Secret", name: "y" } as Resource;
    const found = identityMisplaced("old", "x", item);
    expect(found).toMatchObject({ severity: "error", code: "identity-misplaced", resource: { name: "y" } });
    expect(withRenameCommand(found, command)).toBe(found);
    const quoted = finding("error", "secret-lost", identityRenamed("old", "x", undefined).message);
    expect(withRenameCommand(quoted, command)).toBe(quoted);
  });
});
