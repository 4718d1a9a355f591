import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../../src/core/finding.ts";
import { bundle } from "../../../src/core/generated-object.ts";
import { type Resource, type Value, valueAt } from "../../../src/core/resource.ts";
import type { FunctionOutput } from "../../../src/krm/function.ts";
import { collisions, lostObjects, reconcile } from "../../../src/krm/reconcile.ts";
import { readResourceList } from "../../../src/krm/resource-list.ts";
import { runFunctions, runOnList, withoutMoved } from "../../../src/krm/run.ts";
import { emitter, failing, fake, generated, hostile, noop, pruner, reader, runText, throwing } from "./fakes.ts";
import { byYaml, itemsOf, itemTexts } from "./readers.ts";

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const owned = "fn.cloudcredential.dev/generated-by";

/** An object as an item of a list. */
function item(kind: string, name: string, annotations: Record<string, string> = {}, more = ""): string {
  const lines = Object.entries(annotations).map(([key, value]) => `      ${key}: "${value}"\n`);
  const block = lines.length === 0 ? "" : `    annotations:\n${lines.join("")}`;
  return `- apiVersion: v1\n  kind: ${kind}\n  metadata:\n    name: ${name}\n${block}${more}`;
}

function list(...items: readonly string[]): string {
  return `${head}items:\n${items.join("")}`;
}

interface Result {
  readonly message: string;
  readonly severity: string;
  readonly resourceRef?: unknown;
  readonly file?: unknown;
  readonly tags: { readonly code: string };
}

function resultsOf(text: string): readonly Result[] {
  return (byYaml(text) as { results?: Result[] }).results ?? [];
}

/**
 * Expects a failed run: the input, byte for byte, followed by the results; one line per finding on standard error; exit
 * code 1.
 */
function expectFailure(fn: typeof noop, text: string, code: string, message: RegExp): readonly Result[] {
  const { stdout, stderr, exitCode } = runText(fn, text);
  expect(exitCode).toBe(1);
  expect(stdout.startsWith(`${text}results:\n- message: `)).toBe(true);
  // The items may be unreadable.
  const results = resultsOf(stdout.slice(text.length));
  expect(results[0]).toMatchObject({ severity: "error", tags: { code } });
  expect(results[0]?.message).toMatch(message);
  expect(stderr).toMatch(new RegExp(`^error: .*\\[${code}\\]\n`));
  expect(stderr.trimEnd().split("\n")).toHaveLength(results.length);
  return results;
}

describe("an object that a function generated before", () => {
  test("is removed with a note when it is no longer needed", () => {
    const annotations = { [owned]: "fake/x", "config.kubernetes.io/path": "generated/old.yaml" };
    const { stdout, stderr, exitCode } = runText(
      pruner,
      list(item("Secret", "old", annotations), item("Other", "stays")),
    );
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      "info: generated/old.yaml: Secret old: is no longer needed and was removed. [object-removed]\n",
    );
    expect(stdout.startsWith(list(item("Other", "stays")))).toBe(true);
    expect(resultsOf(stdout)).toEqual([
      {
        message: "is no longer needed and was removed.",
        severity: "info",
        resourceRef: { apiVersion: "v1", kind: "Secret", name: "old" },
        file: { path: "generated/old.yaml", index: 0n },
        tags: { code: "object-removed" },
      },
    ]);
  });

  test("is an error, and nothing changes, if neither the function nor the user explains its removal", () => {
    const text = list(item("Secret", "old", { [owned]: "fake/x" }, "  data: {}\n"), item("Other", "stays"));
    for (const removals of [undefined, { guard: {}, isExplained: () => false }]) {
      const forgetful = fake(() => ({ removals }) as Partial<FunctionOutput>);
      const { stdout, exitCode } = runText(forgetful, text);
      expect(exitCode).toBe(1);
      expect(itemsOf(stdout)).toEqual(itemsOf(text));
      expect(resultsOf(stdout)).toMatchObject([{ severity: "error", tags: { code: "object-lost" } }]);
    }
  });

  test.each([
    ["ConfigMap", "removal:ConfigMap/old"],
    ["ConfigMap", "removal"],
    ["Secret", "removal"],
  ])("is a warning if its removal is allowed: a %s by %s", (kind, word) => {
    const text = list(item(kind, "old", { [owned]: "fake/x" }), item("Other", "stays"));
    const run = (allowed: string[]) =>
      reconciled(
        fake(() => ({ removals: { guard: { allowed: new Set(allowed) }, isExplained: () => false } })),
        text,
      );
    expect(run([word]).findings.map(({ severity, code }) => [severity, code])).toEqual([
      ["warning", "object-lost"],
      ["info", "object-removed"],
    ]);
    expect(run(["removal:ConfigMap/other"]).removed).toEqual([]);
  });

  test("is not lost if another object of its name stays", () => {
    const own = item("Secret", "old", { [owned]: "fake/x", "config.kubernetes.io/path": "generated/old.yaml" });
    const theirs = item("Secret", "old", { "config.kubernetes.io/path": "mine.yaml" });
    const forgetful = fake(() => ({ removals: { guard: {}, isExplained: () => false } }));
    expect(reconciled(forgetful, list(own, theirs)).findings.map(({ code }) => code)).toEqual(["object-removed"]);
  });

  test("is replaced without a note when it is generated again", () => {
    const once = runText(emitter, list(item("Other", "stays")));
    expect(resultsOf(once.stdout)).toEqual([]);
    expect(runText(emitter, once.stdout)).toEqual({ stdout: once.stdout, stderr: "", exitCode: 0 });
  });

  test("leaves an empty list if it was the only item", () => {
    const only = runText(pruner, list(item("Secret", "old", { [owned]: "fake/x" })));
    expect(only.stdout.startsWith(`${head}items: []\n`)).toBe(true);
    const anchored = `${head}items: &a !!seq # c\n${item("Secret", "old", { [owned]: "fake/x" })}`;
    const spaced = `${head}items : # c\n${item("Secret", "old", { [owned]: "fake/x" })}`;
    expect(runText(pruner, spaced).stdout.startsWith(`${head}items : [] # c\n`)).toBe(true);
    expect(runText(pruner, anchored).stdout.startsWith(`${head}items: &a !!seq [] # c\n`)).toBe(true);
  });

  test.each([
    ["another function", "Secret", { [owned]: "other/x" }],
    ["another ClusterIdentity", "Secret", { [owned]: "fake/y" }],
    ["a name that starts alike", "Secret", { [owned]: "fake/x/y" }],
    ["a kind that is never made", "Pod", { [owned]: "fake/x" }],
    ["a path where nothing is made", "Secret", { [owned]: "fake/x", "config.kubernetes.io/path": "mine/old.yaml" }],
    ["nobody", "Secret", {}],
    ["a version that is never made", "Secret\n  apiVersion: v2", { [owned]: "fake/x" }],
  ])("stays if it is of %s", (_whose, kind, annotations) => {
    const made = list(item(kind, "old", annotations as Record<string, string>));
    const text = kind.includes("apiVersion") ? made.replace("- apiVersion: v1\n  kind", "- kind") : made;
    expect(runText(pruner, text)).toEqual({ stdout: text, stderr: "", exitCode: 0 });
  });

  test("stays if a function preserves it", () => {
    const keeper = fake(({ items }) => ({ preserved: items }));
    const text = list(item("Secret", "old", { [owned]: "fake/x" }));
    expect(runText(keeper, text)).toEqual({ stdout: text, stderr: "", exitCode: 0 });
  });

  test("stays if it is in another package", () => {
    const fn = fake(() => ({ packagePath: "a" }));
    const path = "internal.config.kubernetes.io/package-path";
    const text = list(item("Secret", "old", { [owned]: "fake/x", [path]: "b" }));
    expect(runText(fn, text).stdout).toBe(text);
    expect(runText(fn, text.replace('"b"', '"a"')).stdout).not.toContain("name: old\n    annotations");
  });

  test("is removed although the next item has an anchor that aliases refer to", () => {
    const rest = [item("Other", "stays", {}, "").replace("- ", "- &a\n  "), "- *a\n"];
    const { stdout, exitCode } = runText(pruner, list(item("Secret", "old", { [owned]: "fake/x" }), ...rest));
    expect(exitCode).toBe(0);
    expect(stdout.startsWith(`${list(...rest)}results:\n`)).toBe(true);
  });

  test("is removed if it has the previous name of the ClusterIdentity, and that name is given", () => {
    const own = (by: string) => item("Secret", by, { [owned]: `fake/${by}` });
    const read = readResourceList(list(own("x"), own("old"), own("other"), own("undefined"), item("Secret", "none")));
    if ("reason" in read) throw new Error(read.reason);
    const removed = (previousName?: string) =>
      runFunctions([pruner], { items: read.items, functionConfig: undefined, previousName }).changes.flatMap((change) =>
        change.removed.map(({ name }) => name),
      );
    expect(removed()).toEqual(["x"]);
    expect(removed("old")).toEqual(["x", "old"]);
  });

  test("stays if a function found no ClusterIdentity", () => {
    const fn = fake((input) => ({ ...emitter.run(input), identity: undefined }));
    const text = list(item("Secret", "old", { [owned]: "fake/x" }));
    expect(runText(fn, text)).toEqual({ stdout: text, stderr: "", exitCode: 0 });
  });

  test("stays, with an error, if an alias in another object refers to an anchor in it", () => {
    const text = list(
      item("Secret", "old", { [owned]: "fake/x" }, "  data: &a {b: c}\n"),
      item("Other", "stays", {}, "  data: *a\n"),
    );
    const [result] = expectFailure(
      pruner,
      text,
      "field-not-editable",
      /^is generated, but aliases in other objects refer to an anchor/,
    );
    expect(result?.resourceRef).toEqual({ apiVersion: "v1", kind: "Secret", name: "old" });
  });
});

/** The changes of a function's output to a list. */
function reconciled(fn: typeof noop, text: string, previousName?: string) {
  const read = readResourceList(text);
  if ("reason" in read) throw new Error(read.reason);
  const { items } = read;
  return reconcile(fn, items, fn.run({ items, functionConfig: undefined }), previousName);
}

describe("an object that a function generates again", () => {
  const path = "config.kubernetes.io/path";

  test("is replaced without a note; other objects of the function are removed with a note", () => {
    const own = (name: string, at?: string) =>
      item("Secret", name, { [owned]: "fake/x", ...(at === undefined ? {} : { [path]: at }) });
    const text = list(own("b", "generated/b.yaml"), own("old", "generated/old.yaml"), own("none"));
    const { removed, added, findings } = reconciled(emitter, text);
    expect(removed.map(({ name }) => name)).toEqual(["b", "old", "none"]);
    expect(added.map((object) => object.path)).toEqual(["generated/a.yaml", "generated/b.yaml"]);
    expect(findings.map(({ code, resource }) => [code, resource?.name])).toEqual([
      ["object-removed", "old"],
      ["object-removed", "none"],
    ]);
  });

  test("is not a preserved object; only preserved objects are returned as kept", () => {
    const keeper = fake(({ items }) => ({ preserved: items.filter(({ name }) => name === "mine") }));
    const text = list(item("Secret", "mine", { [owned]: "fake/x" }), item("Other", "else"));
    const { kept, removed } = reconciled(keeper, text);
    expect(kept.map(({ name }) => name)).toEqual(["mine"]);
    expect(removed).toEqual([]);
  });

  test.each<[what: string, owner: string, name: string, taken: boolean]>([
    ["the same object of a function that it takes over from", "former/x", "b", true],
    ["the same object, made under the former name of the ClusterIdentity", "former/old", "b", true],
    ["the same object, made for another ClusterIdentity", "former/y", "b", false],
    ["the same object of any other function", "other/x", "b", false],
    ["another object of a function that it takes over from", "former/x", "c", false],
  ])("is adopted, or not: %s", (_what, owner, name, taken) => {
    const taker = { ...emitter, adoptsFrom: ["former"] };
    const text = list(item("Secret", name, { [owned]: owner, [path]: `generated/${name}.yaml` }));
    const { removed, findings } = reconciled(taker, text, "old");
    expect(removed.map((item) => item.name)).toEqual(taken ? [name] : []);
    expect(findings.map(({ code }) => code)).toEqual(taken || name !== "b" ? [] : ["name-taken"]);
  });

  test("is not adopted from other functions unless the function names them", () => {
    const text = list(item("Secret", "b", { [owned]: "former/x", [path]: "generated/b.yaml" }));
    expect(reconciled(emitter, text)).toMatchObject({ removed: [], findings: [{ code: "name-taken" }] });
  });
});

describe("an object that a function would refuse to remove", () => {
  const at = (name: string, by = "fake/x", path = `generated/${name}.yaml`) =>
    item("Secret", name, { [owned]: by, "config.kubernetes.io/path": path });
  const text = list(
    at("made"),
    at("gone"),
    at("kept"),
    at("other", "fake/y"),
    at("moved", "fake/x", "sub/m.yaml"),
    item("Secret", "own"),
  );
  const read = readResourceList(text);
  if (!("items" in read)) throw new Error("no list");
  const { items } = read;
  const output = (more: Partial<FunctionOutput> = {}): FunctionOutput => ({
    ...fake().run({ items, functionConfig: undefined }),
    objects: [generated("generated/made.yaml", "made")],
    preserved: items.filter(({ name }) => name === "kept"),
    removals: { guard: {}, isExplained: () => false },
    ...more,
  });
  const names = (more?: Partial<FunctionOutput>, from: readonly Resource[] = items) =>
    lostObjects(fake(), from, output(more)).map(({ resource }) => resource?.name);

  test("is what it owns and does not make again", () => {
    expect(lostObjects(fake(), items, output())).toMatchObject([
      {
        severity: "error",
        code: "object-lost",
        resource: { kind: "Secret", name: "gone" },
        message: expect.stringMatching(
          /^was generated by fake and would be removed, because nothing in the package needs it anymore\. /,
        ),
      },
    ]);
    expect(names({ preserved: [] })).toEqual(["gone", "kept"]);
    expect(names({ objects: [] })).toEqual(["made", "gone"]);
  });

  test("is none that the input explains, that stays elsewhere, or that is unknown after an error", () => {
    expect(names({ removals: { guard: {}, isExplained: ({ name }) => name === "gone" } })).toEqual([]);
    expect(names({ identity: undefined })).toEqual([]);
    expect(names({ findings: [{ severity: "error", code: "config-missing", message: "is missing." }] })).toEqual([]);
    const twice = readResourceList(list(at("gone"), item("Secret", "gone")));
    expect("items" in twice && names({}, twice.items)).toEqual([]);
  });
});

test("collisions are reported for objects of any functions", () => {
  const object = generated("generated/a.yaml", "a");
  const origin = { apiVersion: "v1", kind: "Other", name: "o" };
  expect(collisions([object, generated("generated/b.yaml", "b")])).toEqual([]);
  expect(collisions([object, { ...generated("generated/A.yaml", "b"), origin }])).toEqual([
    expect.objectContaining({
      code: "path-collision",
      resource: origin,
      message:
        'Secret "a" and Other "o" would both be written to the file "generated/A.yaml". Rename one of their Secrets.',
    }),
  ]);
});

describe("refusals", () => {
  test("name-taken: an object of the user is not overwritten", () => {
    const text = list(item("Secret", "b"));
    const message =
      /^has the name of an object that fake generates, but was not generated by it, and is never overwritten\. Remove it/;
    const [result] = expectFailure(emitter, text, "name-taken", message);
    expect(result?.resourceRef).toEqual({ apiVersion: "v1", kind: "Secret", name: "b" });
    expectFailure(emitter, text.replace("v1\n  kind", "v1 # c\n  kind"), "name-taken", message);
  });

  test("name-taken: an object in another namespace is another object", () => {
    const text = list(item("Secret", "b\n    namespace: other"));
    expect(runText(emitter, text).exitCode).toBe(0);
  });

  test("name-taken: the namespace of the generated object is compared and reported", () => {
    const made = generated("generated/b.yaml", "b");
    const metadata = { ...made.object.metadata, namespace: "n" };
    const fn = fake(() => ({ objects: [{ ...made, object: { ...made.object, metadata } }] }));
    expect(runText(fn, list(item("Secret", "b"))).exitCode).toBe(0);
    expectFailure(
      fn,
      list(item("Secret", "b\n    namespace: n")),
      "name-taken",
      /^has the name of an object that fake generates/,
    );
    const there = item("Other", "there", { "config.kubernetes.io/path": "generated/b.yaml" });
    expectFailure(
      fn,
      list(there),
      "path-taken",
      /^The file "generated\/b.yaml" is needed for Secret "n\/b", but contains/,
    );
  });

  test("name-taken: a generated object that was moved to another file is reported, and nothing is removed", () => {
    const moved = item("Secret", "b", { [owned]: "fake/x", "config.kubernetes.io/path": "mine/b.yaml" });
    const own = item("Secret", "old", { [owned]: "fake/x" });
    const message = /^is a generated object, but is not in the file that is generated for it\. Remove it\.$/;
    const results = expectFailure(emitter, list(moved, own), "name-taken", message);
    expect(results.map(({ tags }) => tags.code)).toEqual(["name-taken"]);
    expect(results[0]?.resourceRef).toEqual({ apiVersion: "v1", kind: "Secret", name: "b" });
    expectFailure(
      emitter,
      list(moved.replace("fake/x", "other/x")),
      "name-taken",
      /^has the name of an object that fake generates/,
    );
  });

  test("path-taken: a file with another object is not changed, also if its name differs in case", () => {
    for (const path of ["generated/b.yaml", "Generated/B.yaml"]) {
      const text = list(item("Other", "there", { "internal.config.kubernetes.io/path": path }));
      const message =
        /^The file "generated\/b.yaml" is needed for Secret "b", but contains Other "there"\. Move Other "there" to another file\.$/;
      const [result] = expectFailure(emitter, text, "path-taken", message);
      expect(result).toMatchObject({ resourceRef: { kind: "Other", name: "there" }, file: { path } });
    }
  });

  test("path-taken: the case of a generated path does not matter either", () => {
    const fn = fake(() => ({ objects: [generated("generated/B.yaml", "b")] }));
    const text = list(item("Other", "there", { "config.kubernetes.io/path": "generated/b.yaml" }));
    expectFailure(fn, text, "path-taken", /^The file "generated\/B.yaml" is needed for Secret "b", but contains/);
  });

  test("path-collision: two objects for one file are named by their origins", () => {
    const origin = (name: string) => ({ apiVersion: "v1", kind: "CredentialsRequest", name });
    const fn = fake(() => ({
      objects: [
        { ...generated("generated/a-b-c.yaml", "one"), origin: origin("first") },
        { ...generated("generated/A-b-c.yaml", "two"), origin: origin("second") },
      ],
    }));
    const message =
      /^CredentialsRequest "second" and CredentialsRequest "first" would both be written to the file "generated\/a-b-c.yaml"/;
    const [result] = expectFailure(fn, list(item("Other", "o")), "path-collision", message);
    expect(result?.resourceRef).toEqual(origin("first"));
  });

  test("path-collision: objects without an origin are named themselves", () => {
    const fn = fake(() => ({ objects: [generated("generated/a.yaml", "one"), generated("generated/a.yaml", "two")] }));
    expectFailure(
      fn,
      list(item("Other", "o")),
      "path-collision",
      /^Secret "one" and Secret "two" would both be written to the file/,
    );
  });

  test("identity-renamed: suggests a command, without anything that a shell would interpret", () => {
    const made = (by: string) => list(item("Secret", "b", { [owned]: by }));
    const message =
      /^the package contains objects that were generated for the ClusterIdentity "old", not "x"\. If it was renamed, run "ccf render --only-ours --rename-from old" in the package's directory\. If the package is a copy for another cluster, set a new "metadata\.name", "spec\.resourcePrefix" and "spec\.issuer\.signingKeys" in its ClusterIdentity, and delete its files with the annotation "fn\.cloudcredential\.dev\/generated-by" and, if there is one, the file that "ccf set-identities" wrote\.$/;
    const [result] = expectFailure(emitter, made("fake/old"), "identity-renamed", message);
    expect(result?.resourceRef).toBeUndefined();
    const beside = ["y", "x"].map((name) => item("ClusterIdentity", name));
    const [placed] = expectFailure(
      emitter,
      list(item("Secret", "b", { [owned]: "fake/old" }), ...beside),
      "identity-renamed",
      message,
    );
    expect(placed?.resourceRef).toMatchObject({ kind: "ClusterIdentity", name: "x" });
    expectFailure(emitter, made("fake/a/b"), "identity-renamed", /ClusterIdentity "a\/b", .+ --rename-from OLD" in/);
    expectFailure(emitter, made("fake/$x"), "identity-renamed", /--rename-from OLD" in/);
    expectFailure(emitter, made("fake/x$"), "identity-renamed", /--rename-from OLD" in/);
    expectFailure(
      emitter,
      made("fake/$(touch p)"),
      "identity-renamed",
      /"ccf render --only-ours --rename-from OLD" in/,
    );
    expectFailure(emitter, made("other/old"), "name-taken", /^has the name of an object that fake generates/);
    expectFailure(emitter, made("fake/"), "name-taken", /^has the name of an object that fake generates/);
  });

  test("identity-misplaced: an object in another file, of which a rename would not help, is named once", () => {
    const at = (path: string) => ({ [owned]: "fake/old", "config.kubernetes.io/path": path });
    const elsewhere = list(item("ConfigMap", "a", at("sub/a.yaml")), item("Secret", "b", at("sub/b.yaml")));
    const message =
      /^was generated for the ClusterIdentity "old", but is in the package of "x"\. .* Otherwise, delete the files /;
    const results = expectFailure(emitter, elsewhere, "identity-misplaced", message);
    expect(results).toHaveLength(1);
  });

  test("an error of the function's own: nothing is emitted, nothing is removed", () => {
    const text = list(item("Secret", "old", { [owned]: "fake/x" }));
    expectFailure(failing, text, "config-missing", /^is missing\.$/);
  });

  test("with several functions, an error of one keeps the others from changing anything", () => {
    const text = list(item("Secret", "old", { [owned]: "fake/x" }));
    const { stdout, exitCode } = runText([emitter, { ...failing, name: "failing" }], text);
    expect(exitCode).toBe(1);
    expect(stdout.startsWith(`${text}results:\n`)).toBe(true);
    expect(stdout).not.toContain("generated/b.yaml");
  });

  test.each(hostile)("on failure testdata/hostile/%s is written unchanged", (_name, text) => {
    const { stdout, exitCode } = runText(failing, text);
    expect(exitCode).toBe(1);
    expect(itemTexts(stdout)).toEqual(itemTexts(text));
    expect(itemsOf(stdout)).toEqual(itemsOf(text));
    expect(resultsOf(stdout).map(({ tags }) => tags.code)).toEqual(["config-missing"]);
  });

  test("an error leaves only the findings of an output", () => {
    const nothing = { removed: [], edits: [], kept: [], added: [] };
    const output = (fn: typeof noop) => fn.run({ items: [], functionConfig: undefined });
    expect(reconcile(failing, [], output(failing))).toMatchObject({
      ...nothing,
      findings: [{ code: "config-missing" }],
    });
    const twice = fake(() => ({ objects: [generated("generated/a.yaml", "a"), generated("generated/a.yaml", "b")] }));
    expect(reconcile(twice, [], output(twice))).toMatchObject({ ...nothing, findings: [{ code: "path-collision" }] });
  });
});

const bomb = (levels: number, width: number) =>
  Array.from({ length: levels }, (_, level) => {
    const many = Array.from({ length: width }, () => (level === 0 ? "x" : `*a${level - 1}`)).join(", ");
    return `  a${level}: &a${level} [${many}]\n`;
  }).join("");

describe("yaml-value", () => {
  test.each([
    ["a key twice", "  a: 1\n  a: 2\n", /the key "a" appears twice\. Merge the two, or remove one\.$/],
    ["a key twice, in quotes", "  a: 1\n  'a': 2\n", /the key "a" appears twice\. Merge the two, or remove one\.$/],
    ["an unknown tag", "  a: !secret b\n", /: unknown scalar tag\.$/],
    ["a tag on a list", "  a: !secret [b]\n", /: unknown sequence tag\.$/],
    ["a tag on a mapping", "  a: !<secret> {b: c}\n", /: unknown mapping tag\.$/],
    ["a value that its tag does not fit", "  a: !!int secret\n", /: cannot resolve a node with explicit tag\.$/],
    ["an alias without its anchor", "  a: *secret\n", /: unidentified alias\.$/],
    ["aliases that repeat without end", bomb(12, 9), /aliases|alias/i],
    ["aliases that repeat a large value", bomb(6, 9), /aliases|alias/i],
    ["a value that holds itself", "  a: &a [*a]\n", /alias|recursive|itself/i],
    [
      "merges that repeat without end",
      bomb(9, 9).replaceAll("[x", "[{x: y}").replaceAll("x, x", "{x: y}"),
      /alias|cannot/i,
    ],
  ])("%s is an error for the function that needs the value", (_what, more, why) => {
    const text = list(item("Other", "o", {}, more));
    const [result] = expectFailure(reader, text, "yaml-value", /^cannot be read: /);
    expect(result?.message).toMatch(why);
    expect(result?.message).not.toContain("secret");
    expect(result?.resourceRef).toEqual({ apiVersion: "v1", kind: "Other", name: "o" });
    expect(runText(noop, text)).toEqual({ stdout: text, stderr: "", exitCode: 0 });
    expect(runText(emitter, text).stdout.startsWith(text)).toBe(true);
  });

  test("a function that does not check for it also fails with a finding", () => {
    expectFailure(throwing, list(item("Other", "o")), "yaml-value", /^cannot be read\.$/);
  });

  describe("after a bug", () => {
    const bug = new TypeError("x is not a function");
    const broken = fake(() => {
      throw bug;
    });
    const resource = Object.defineProperty({} as Resource, "source", {
      get: () => {
        throw bug;
      },
    });
    const changing = fake(() => ({ changes: [{ resource, path: ["a"], value: "" }] }));
    const text = list(item("Other", "o"));

    test.each([
      ["in a function", broken],
      ["in a function after another", [emitter, broken]],
      ["in what carries out its changes", changing],
    ])("%s, the list comes back unchanged, with an error", (_, functions) => {
      const { stdout, stderr, exitCode } = runText(functions, text);
      expect(exitCode).toBe(1);
      expect(stdout.startsWith(`${text}results:\n- message: `)).toBe(true);
      expect(resultsOf(stdout.slice(text.length))).toMatchObject([
        { severity: "error", tags: { code: "internal-error" } },
      ]);
      const [line, ...stack] = stderr.trimEnd().split("\n");
      expect(line).toBe(
        'error: A bug in ccf stopped the run, so nothing was changed: "TypeError: x is not a function". Report it with the lines that standard error shows. [internal-error]',
      );
      expect(stack.length).toBeGreaterThan(0);
      for (const frame of stack) expect(frame).toMatch(/^ +at /);
    });

    test("only frames of the stack follow, not the text of the error", () => {
      const looking = fake(() => {
        throw new Error("look at this\n  and not at that");
      });
      const frames = runText(looking, text).stderr.trimEnd().split("\n").slice(1);
      expect(frames.length).toBeGreaterThan(0);
      for (const frame of frames) expect(frame).toMatch(/^ +at /);
    });

    test("in what emits an object, the list comes back", () => {
      const unwritable = fake(() => ({ objects: [{ path: "generated/a.yaml", object: null as never }] }));
      const { stdout, stderr, exitCode } = runText(unwritable, text);
      expect({ exitCode, begins: stdout.startsWith(text) }).toEqual({ exitCode: 1, begins: true });
      expect(stderr).toContain("[internal-error]");
    });
  });

  test("`<<` in quotes is an ordinary key, and merges nothing", () => {
    const text = `${head}items:\n- kind: Secret\n  apiVersion: v1\n  metadata: {"<<": {name: b}}\n`;
    expect(runText(emitter, text).exitCode).toBe(0);
    expect(runText(emitter, text.replace('"<<"', "<<")).stderr).toContain("[name-taken]");
  });

  test("an alias refers to the last anchor of its name before it", () => {
    const text = `${head}items:\n- x: [&n a, &n b]\n- kind: Secret\n  apiVersion: v1\n  metadata: {name: *n}\n- x: &n c\n`;
    expect(runText(emitter, text).stderr).toContain("Secret b: ");
  });

  test("a function gets every digit of an integer, and the value of an alias to another item", () => {
    const seen: unknown[] = [];
    const fn = fake(({ items }) => {
      seen.push(...items.map((item) => item.value()));
      return {};
    });
    runText(
      fn,
      `${head}items:\n- a: &a [12345678901234567890, -98765432109876543210, 0x10, 7]\n- b: *a\n- c: {d: *a}\n`,
    );
    const long = [12345678901234567890n, -98765432109876543210n, 16, 7];
    expect(seen).toEqual([{ a: long }, { b: long }, { c: { d: long } }]);
  });

  test("the identifying fields of an object are read through merges, within limits", () => {
    const lines = Array.from({ length: 30 }, (_, level) =>
      level === 0 ? "  m0: &m0 {a: b}\n" : `  m${level}: &m${level} {<<: [${`*m${level - 1}, `.repeat(8)}]}\n`,
    );
    const text = `${head}items:\n- apiVersion: v1\n${lines.join("")}  <<: *m29\n  kind: Deep\n  metadata: {name: d}\n`;
    const { stdout, stderr } = runText(
      fake(({ items }) => ({ changes: items.map((resource) => ({ resource, path: ["kind", "x"], value: "" })) })),
      text,
    );
    expect(stderr).toContain("Deep d:");
    expect(stdout.startsWith(text)).toBe(true);
  });
});

test("annotations of generated objects are sorted", () => {
  const fn = fake(() => ({ objects: [generated("generated/a.yaml", "a")] }));
  const { stdout } = runText(fn, list(item("Other", "o")));
  const annotations = valueAt(byYaml(stdout) as Value, ["items", "1", "metadata", "annotations"]);
  expect(Object.entries(annotations as object)).toEqual([
    ["config.kubernetes.io/index", "0"],
    ["config.kubernetes.io/path", "generated/a.yaml"],
    [owned, "fake/x"],
    ["internal.config.kubernetes.io/index", "0"],
    ["internal.config.kubernetes.io/path", "generated/a.yaml"],
  ]);
});

test("a function gets the functionConfig if there is one", () => {
  const seen: unknown[] = [];
  const fn = fake(({ functionConfig }) => {
    seen.push(functionConfig?.kind);
    return {};
  });
  for (const config of ["", "functionConfig:\n", "functionConfig: ~\n", "functionConfig: {kind: A}\n"]) {
    runText(fn, `${head}items: []\n${config}`);
  }
  expect(seen).toEqual([undefined, undefined, undefined, "A"]);
});

describe("not-a-resource-list", () => {
  test("a list with a merge conflict is refused with its line and a cure", () => {
    const { reason } = readResourceList(list("<<<<<<< ours\n", item("Secret", "a"), "=======\n>>>>>>> theirs\n")) as {
      reason: string;
    };
    expect(reason).toMatch(
      /^standard input is not YAML: it contains a merge conflict \(line 4\)\. Resolve the conflict: /,
    );
  });

  test("bytes that are not UTF-8, and more than a function reads", () => {
    const refusal = (bytes: Uint8Array) => runOnList([noop], bytes).stderr;
    expect(refusal(new Uint8Array([0x61, 0xff]))).toBe("error: standard input is not UTF-8. [not-a-resource-list]\n");
    const most = 48 * 1024 * 1024;
    const spaces = new Uint8Array(most + 1).fill(0x20);
    expect(refusal(spaces)).toBe(
      "error: standard input has more than 50331648 bytes, the maximum. [not-a-resource-list]\n",
    );
    expect(refusal(spaces.subarray(0, most))).toContain("standard input is empty");
  });

  const flow = (inside: string) => `{apiVersion: config.kubernetes.io/v1, kind: ResourceList, ${inside}}`;
  test.each([
    ["nothing", "", "standard input is empty, but must be a ResourceList"],
    ["white space", " \n\t\n", "standard input is empty, but must be a ResourceList"],
    ["a comment", "# nothing\n", "standard input is not a ResourceList. ["],
    ["text", "hello", "standard input is not a ResourceList. ["],
    ["a list", "- a\n", "standard input is not a ResourceList. ["],
    [
      "another kind",
      "apiVersion: v1\nkind: List\nitems: []\n",
      "standard input is not a ResourceList of config.kubernetes.io/v1",
    ],
    [
      "another kind of the same version",
      "apiVersion: config.kubernetes.io/v1\nkind: List\nitems: []\n",
      "standard input is not a ResourceList of config.kubernetes.io/v1",
    ],
    [
      "another version",
      "apiVersion: config.kubernetes.io/v9\nkind: ResourceList\n",
      "is not a ResourceList of config.kubernetes.io/v1",
    ],
    ["no YAML", "a: [\n", "standard input is not YAML: "],
    ["a tab", "a:\n\t- b\n", "standard input is not YAML: tab characters must not be used in indentation (line 2)"],
    ["two lists", `${head}---\n${head}`, "standard input has more than one document, but must be one ResourceList"],
    ["a key twice", `${head}items: []\nitems: []\n`, "has a duplicate key, or a key that is not a string"],
    ["a key that is a list", `${head}? [a]\n: b\n`, "has a duplicate key, or a key that is not a string"],
    ["a key with a question mark", `${head}? items\n: []\n`, "has a key that does not start its line"],
    ["items that are a mapping", `${head}items: {}\n`, 'must have a list in "items"'],
    ["items that are an alias", `${head}a: &a []\nitems: *a\n`, 'must have a list in "items"'],
    ["an empty item", `${head}items:\n- a: b\n-\n`, 'has an empty entry in "items"'],
    ["an empty item in brackets", `${flow("items: [~]")}`, 'has an empty entry in "items"'],
    [
      "a merge",
      `a: &a\n  kind: ResourceList\n  apiVersion: config.kubernetes.io/v1\n<<: *a\n`,
      "merges another mapping into itself (<<)",
    ],
    ["items in a merge", `${head}a: &a {items: []}\n<<: *a\n`, "merges another mapping into itself (<<)"],
    [
      "items that are repeated",
      `${head}items: &a [{b: c}]\nfunctionConfig: {d: *a}\n`,
      'has an anchor on "items" that aliases refer to',
    ],
    [
      "results that are repeated",
      `${head}results: [&a {b: c}]\nitems: [*a]\n`,
      'has an anchor on "results" that aliases refer to',
    ],
    [
      "a version that is repeated",
      `apiVersion: &a config.kubernetes.io/v1beta1\nkind: ResourceList\nitems: [*a]\n`,
      'has an anchor on "apiVersion"',
    ],
    ["too deep", `${head}items:\n- ${"[".repeat(10_000)}`, "standard input is not YAML: "],
  ])("%s", (_what, text, reason) => {
    const { stdout, stderr, exitCode } = runText(noop, text);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toMatch(/^error: [^\n]+\. \[not-a-resource-list\]\n$/);
    expect(stderr).toContain(reason);
  });
});

describe("the list itself", () => {
  test.each(["v1beta1", "v1alpha1"])("%s becomes v1, with any quotes, and nothing else changes", (version) => {
    for (const quote of ["", "'", '"']) {
      const text = `apiVersion: ${quote}config.kubernetes.io/${version}${quote} # c\nkind: ResourceList\nitems:\n- a: b\n`;
      expect(runText(noop, text).stdout).toBe(
        "apiVersion: config.kubernetes.io/v1 # c\nkind: ResourceList\nitems:\n- a: b\n",
      );
    }
    const block = `apiVersion: |-\n  config.kubernetes.io/${version}\nkind: ResourceList\nitems:\n- a: b\n`;
    expect(runText(noop, block).stdout).toBe(`${head}items:\n- a: b\n`);
    const json = `{"apiVersion":"config.kubernetes.io/${version}","kind":"ResourceList","items":[{"a":1.0}]}`;
    expect(runText(noop, json).stdout).toBe(json.replace(version, "v1"));
  });

  test.each([
    ["nothing", "", "items: []\n"],
    ["empty", "items:\n", "items: []\n"],
    ["tilde", "items: ~ # c\n", "items: []\n"],
    ["brackets", "items: []\nfunctionConfig: {}\n", "items: []\nfunctionConfig: {}\n"],
  ])("items: %s", (_what, before, after) => {
    expect(runText(emitter, head + before).stdout.startsWith(`${head}items:\n- apiVersion: v1\n`)).toBe(true);
    expect(runText(noop, head + before).stdout).toBe(head + after);
    const made = runText(emitter, head + before).stdout;
    expect(itemsOf(made)[0]).toHaveLength(2);
    expect(runText(emitter, made).stdout).toBe(made);
  });

  test.each([
    "{apiVersion: config.kubernetes.io/v1, kind: ResourceList}",
    "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, }",
    "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items}",
    "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: }",
    "{apiVersion: config.kubernetes.io/v1, items: , kind: ResourceList}",
    "{items, apiVersion: config.kubernetes.io/v1, kind: ResourceList # }\n }",
    '{"items":null,"results":[],"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList"}',
    '{"results":[],"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[]}',
    '{"results": null, "apiVersion":"config.kubernetes.io/v1beta1","kind":"ResourceList"}',
    "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [], functionConfig: }",
  ])("in brackets: %s", (text) => {
    const made = runText(emitter, text).stdout;
    expect(itemsOf(made).map((items) => items.length)).toEqual([2, 2, 2]);
    expect(runText(emitter, made).stdout).toBe(made);
    const failed = runText(failing, text).stdout;
    expect(resultsOf(failed)).toHaveLength(1);
    expect(itemsOf(failed)).toEqual([[], [], []]);
    expect(resultsOf(runText(noop, failed).stdout)).toEqual([]);
  });

  test("removed results include the lines that could become text of the item before them", () => {
    const last = item("A", "a", {}, "  text: |+\n    kept\n");
    const text = `${list(last)}results:\n- message: old\n             # deep\n\n   \nfunctionConfig: {}\n`;
    expect(runText(noop, text).stdout).toBe(`${list(last)}functionConfig: {}\n`);
  });

  test("a list in brackets that becomes empty has no comma", () => {
    const own =
      "{apiVersion: v1, kind: Secret, metadata: {annotations: {fn.cloudcredential.dev/generated-by: fake/x}}}";
    for (const inside of [`${own},`, ` ${own} , ${own} , # c\n `]) {
      const { stdout } = runText(pruner, `${head}items: [${inside}]\n`);
      expect(stdout.startsWith(`${head}items: []\nresults:\n`)).toBe(true);
    }
  });

  test("a carriage return alone ends a line, as it does for the parser", () => {
    const own = item("Secret", "old", { [owned]: "fake/x" });
    const text = list(item("A", "a"), own, item("B", "b")).replaceAll("\n", "\r");
    const { stdout } = runText(pruner, text);
    expect(stdout.startsWith(list(item("A", "a"), item("B", "b")).replaceAll("\n", "\r"))).toBe(true);
  });

  test("a byte order mark before a later document does not take up a column", () => {
    const text = `...\n\ufeff${list(item("A", "a"))}`;
    const { stdout } = runText(failing, text);
    expect(stdout.startsWith(`${text}results:\n`)).toBe(true);
  });

  test("results and items that are both added to a text without a newline at its end each start a line", () => {
    const fn = fake((input) => ({ ...emitter.run(input), findings: [...throwingless] }));
    const { stdout } = runText(fn, `${head}items:\n- a: b`);
    expect(stdout.startsWith(`${head}items:\n- a: b\n- apiVersion: v1\n`)).toBe(true);
    expect(stdout).not.toContain("\n\n\n");
    expect(resultsOf(stdout)).toHaveLength(1);
    expect(itemsOf(stdout)[0]).toHaveLength(3);
  });

  test("a deep comment after an item does not become text of an object that is emitted before it", () => {
    const text = `${list(item("A", "a"))}                  # far to the right\n`;
    const { stdout } = runText(emitter, text);
    expect(stdout.startsWith(text)).toBe(true);
    expect(itemsOf(stdout)[0]?.at(-1)).toMatchObject({ stringData: { last: "four\nfive\n" } });
  });

  test("text after a removed item does not become text of the previous item", () => {
    const keep = item("A", "a", {}, "  text: |+\n    kept\n");
    const own = item("Secret", "old", { [owned]: "fake/x" });
    const text = `${list(keep, own)}             # deep\n   \n\n${item("B", "b")}`;
    const { stdout } = runText(pruner, text);
    expect(itemsOf(stdout)[0]?.[0]).toMatchObject({ text: "kept\n" });
    expect(stdout.startsWith(list(keep, item("B", "b")))).toBe(true);
  });
});

const throwingless = [{ severity: "info", code: "object-removed", message: "is a note." }] as const;

describe("order", () => {
  const items = [
    item("A", "a", {}, "  text: |+\n    kept\n\n"),
    item("B", "b"),
    item("Secret", "old", { [owned]: "fake/x", "config.kubernetes.io/path": "generated/a.yaml" }),
    item("Secret", "b", { [owned]: "fake/x", "config.kubernetes.io/path": "generated/b.yaml" }),
    item("C", "c", {}, "  list:\n  -\n"),
  ];
  const orders = fc.shuffledSubarray(items, { minLength: items.length });

  test("of the input items does not change a byte of the output", () => {
    const made = (text: string) => itemTexts(runText(emitter, text).stdout).slice(-2);
    const expected = made(list(...items));
    fc.assert(
      fc.property(orders, (order) => {
        expect(made(list(...order))).toEqual(expected);
      }),
    );
  });

  test("of the functions does not change an object", () => {
    const first = fake(() => ({ objects: [generated("generated/a.yaml", "a")] }));
    const second = { ...fake(() => ({ objects: [generated("generated/b.yaml", "b")] })), name: "second" };
    const made = runText([first, second], list(item("Other", "o")));
    expect(runText([second, first], list(item("Other", "o")))).toEqual(made);
    const names = (itemsOf(made.stdout)[0] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    expect(names).toEqual(["o", "a", "b"]);
  });

  test("of the objects that a function generates does not change anything", () => {
    const backwards = fake((input) => ({ objects: [...(emitter.run(input).objects ?? [])].reverse() }));
    expect(runText(backwards, list(...items))).toEqual(runText(emitter, list(...items)));
  });

  test("of the remaining items stays the same", () => {
    const names = (text: string) => (itemsOf(text)[0] as { kind: string }[]).map(({ kind }) => kind);
    fc.assert(
      fc.property(orders, (order) => {
        const stay = order.filter((text) => !text.includes(owned));
        expect(names(runText(pruner, list(...order)).stdout)).toEqual(names(list(...stay)));
      }),
    );
  });
});

describe("a removal of an object that another function generates", () => {
  const at = (code: Finding["code"], path: string): Finding => ({
    severity: "info",
    code,
    message: "m",
    file: { path, index: 0 },
  });
  const made = { ...bundle("made.yaml", "made", {}), owner: "noop/x" };
  const changes = [{ removed: [], edits: [], kept: [], added: [made], findings: [] }];

  test("is not a finding, and every other finding stays", () => {
    const stays = [
      at("object-removed", "gone.yaml"),
      at("role-name-collision", "made.yaml"),
      at("yaml-value", "x.yaml"),
    ];
    expect(withoutMoved([...stays, at("object-removed", "made.yaml")], changes)).toEqual(stays);
  });

  test("is searched for only among removals", () => {
    const others = [at("role-name-collision", "made.yaml"), at("yaml-value", "x.yaml")];
    expect(withoutMoved(others, changes)).toEqual(others);
  });
});
