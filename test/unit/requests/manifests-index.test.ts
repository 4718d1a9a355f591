import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type IndexedManifest,
  implicitCapabilities,
  indexed,
  readIndex,
  writeIndex,
} from "../../../src/requests/manifests-index.ts";
import { defaultRelease, type ReleaseFilter } from "../../../src/requests/release-filter.ts";
import type { Any } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { resourceOf } from "../../helpers/resources.ts";

const include = "include.release.openshift.io/self-managed-high-availability";
const exclude = "exclude.release.openshift.io/internal-openshift-hosted";
const [sets, gates, majors] = ["feature-set", "feature-gate", "major-version"].map(
  (name) => `release.openshift.io/${name}`,
) as [string, string, string];
const capability = "capability.openshift.io/name";

/** A manifest for the default profile; an annotation that is undefined is removed. */
function manifest(annotations: Any = {}, identity: Partial<IndexedManifest> = {}): IndexedManifest {
  const all = { [include]: "true", ...annotations };
  const entries = Object.entries<string>(all).filter(([, value]) => value !== undefined);
  return {
    group: "apps",
    kind: "Deployment",
    namespace: "shop",
    name: "shop",
    ...identity,
    annotations: new Map(entries),
  };
}

const requires = (names: string, annotations: Any = {}) => manifest({ [capability]: names, ...annotations });

describe("an index of manifests", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom("", "a", "A", '"', "\\", "\n", "\u2028", "__proto__"),
  );
  const name = fc.constantFrom(include, exclude, sets, gates, majors, capability);
  const object = fc.record({
    apiVersion: fc.constantFrom("v1", "apps/v1", "apps/v1beta1", "cloudcredential.openshift.io/v1"),
    kind: text,
    metadata: fc.record({ namespace: text, name: text, annotations: fc.dictionary(name, text) }),
  });
  const manifests = fc.array(
    object.map((value) => indexed(resourceOf(value))),
    { maxLength: 6 },
  );
  const unordered = (all: readonly IndexedManifest[]) =>
    new Set(all.map((one) => JSON.stringify({ ...one, annotations: [...one.annotations] })));

  it("reads what it writes, each manifest once, in whatever order they are given", () => {
    fc.assert(
      fc.property(
        manifests.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length })),
        ),
        ([all, shuffled]) => {
          const written = writeIndex(all);
          expect(writeIndex(shuffled)).toBe(written);
          const read = readIndex(written) as readonly IndexedManifest[];
          expect(unordered(read)).toEqual(unordered(all));
          expect(read).toHaveLength(unordered(all).size);
          expect(writeIndex(read)).toBe(written);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it("has one line for each manifest, and only annotations that decide, whatever their order", () => {
    const annotations = {
      "kubernetes.io/description": "no",
      [capability]: "Storage",
      "release.openshift.io/delete": "true",
      "capability.openshift.io/name-of-another": "no",
      [include]: "true",
      [exclude]: "true",
      "x-include.release.openshift.io/a": "no",
    };
    const object = (all: Any) =>
      indexed(
        resourceOf({
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "b", namespace: "c", annotations: all },
        }),
      );
    const cluster = indexed(resourceOf({ apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } }));
    const text = `{
  "apiVersion": "fn.cloudcredential.dev/v1alpha1",
  "kind": "ReleaseManifestsIndex",
  "manifests": [
    {"group":"","kind":"Namespace","namespace":"","name":"a","annotations":{}},
    {"group":"apps","kind":"Deployment","namespace":"c","name":"b","annotations":{"capability.openshift.io/name":"Storage","exclude.release.openshift.io/internal-openshift-hosted":"true","include.release.openshift.io/self-managed-high-availability":"true","release.openshift.io/delete":"true"}}
  ]
}
`;
    const reversed = Object.fromEntries(Object.entries(annotations).reverse());
    expect(writeIndex([object(annotations), cluster, object(reversed)])).toBe(text);
  });

  it("of nothing is an empty list", () => {
    expect(readIndex(writeIndex([]))).toEqual([]);
  });

  const head = { apiVersion: "fn.cloudcredential.dev/v1alpha1", kind: "ReleaseManifestsIndex" };
  const whole = { group: "apps", kind: "Deployment", namespace: "shop", name: "shop", annotations: {} };
  const { name: _, ...unnamed } = whole;
  const notAnIndex = "is not a ReleaseManifestsIndex of fn.cloudcredential.dev/v1alpha1";
  const incomplete = "contains a manifest that is not complete";
  it.each<[what: string, content: string | Any, problem: string]>([
    ["an empty text", "", "is not JSON"],
    ["YAML", "kind: ReleaseManifestsIndex\n", "is not JSON"],
    ["a text after the JSON", `${JSON.stringify({ ...head, manifests: [] })}x`, "is not JSON"],
    ["a key that appears twice", '{"kind": "a", "kind": "ReleaseManifestsIndex"}', "has a duplicate key"],
    ["a list that is too deep", "[".repeat(65) + "]".repeat(65), "is nested deeper than 64 levels"],
    ["null", "null", notAnIndex],
    ["a list", [head], notAnIndex],
    ["a text", '"ReleaseManifestsIndex"', notAnIndex],
    ["another kind", { ...head, kind: "ConfigMap", manifests: [] }, notAnIndex],
    ["another version", { ...head, apiVersion: "fn.cloudcredential.dev/v1", manifests: [] }, notAnIndex],
    ["no kind", { apiVersion: head.apiVersion, manifests: [] }, notAnIndex],
    ["no list", head, "contains no list of manifests"],
    ["a mapping in place of the list", { ...head, manifests: {} }, "contains no list of manifests"],
    ["null in place of the list", { ...head, manifests: null }, "contains no list of manifests"],
    ["null in the list", { ...head, manifests: [whole, null] }, incomplete],
    ["a list in the list", { ...head, manifests: [[whole]] }, incomplete],
    ["a text in the list", { ...head, manifests: ["apps"] }, incomplete],
    ["a manifest without a name", { ...head, manifests: [whole, unnamed] }, incomplete],
    ...["group", "kind", "namespace", "name"].map((field): [string, Any, string] => [
      `a number as ${field}`,
      { ...head, manifests: [{ ...whole, [field]: 1 }] },
      incomplete,
    ]),
    ["no annotations", { ...head, manifests: [{ ...whole, annotations: undefined }] }, incomplete],
    ["a list of annotations", { ...head, manifests: [{ ...whole, annotations: [] }] }, incomplete],
    [
      "an annotation that is not a text",
      { ...head, manifests: [{ ...whole, annotations: { [include]: true } }] },
      incomplete,
    ],
  ])("is refused with %s", (_what, content, problem) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    expect(readIndex(text)).toBe(problem);
  });
});

describe("the capabilities that an upgrade enables", () => {
  const enabled: ReleaseFilter = { ...defaultRelease, capabilities: ["Ingress", "Console"] };
  const judge = (
    running: readonly IndexedManifest[],
    next: readonly IndexedManifest[],
    change: Partial<ReleaseFilter> = {},
    nextChange = change,
  ) =>
    implicitCapabilities(
      { manifests: running, filter: { ...enabled, ...change } },
      { manifests: next, filter: { ...enabled, ...nextChange } },
    ).enabled;

  const featureGate = { group: "config.openshift.io", kind: "FeatureGate", namespace: "" };
  const definition = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition", namespace: "" };

  type Case = [
    what: string,
    running: IndexedManifest[],
    next: IndexedManifest[],
    expected: string[],
    filter?: Partial<ReleaseFilter>,
  ];
  it.each<Case>([
    ["that of an object that gets one", [manifest()], [requires("New")], ["New"]],
    ["all that it gets, sorted", [manifest()], [requires("Second+First")], ["First", "Second"]],
    ["only what is new beside old ones", [requires("Ingress")], [requires("Ingress+New")], ["New"]],
    ["only what is not enabled yet", [manifest()], [requires("Console+New")], ["New"]],
    ["nothing if all are enabled", [manifest()], [requires("Console+Ingress")], []],
    ["nothing if the object had it, and was excluded for it", [requires("New")], [requires("New")], []],
    ["nothing if the object was excluded for another capability", [requires("Other")], [requires("Other+New")], []],
    ["nothing of an object that loses its capability", [requires("Ingress")], [manifest()], []],
    ["nothing of an object that is new", [], [requires("New")], []],
    ["nothing of an object that is gone", [manifest()], [], []],
    ["nothing of an object with an empty annotation", [manifest()], [requires("")], []],
    // The cluster-version-operator compares the identity of an object, of which the version of its API is not a part.
    ...(["group", "kind", "namespace", "name"] as const).map(
      (field): Case => [
        `nothing of an object with another ${field}`,
        [manifest({}, { [field]: "other" })],
        [requires("New")],
        [],
      ],
    ),
    [
      "those of several objects",
      [manifest(), manifest({}, { name: "b" })],
      [requires("New"), manifest({ [capability]: "B+New" }, { name: "b" })],
      ["B", "New"],
    ],
    [
      "one for two objects",
      [manifest(), manifest({}, { name: "b" })],
      [requires("New"), manifest({ [capability]: "New" }, { name: "b" })],
      ["New"],
    ],
    // Two manifests of one object, for example of two feature sets: the one that is included counts.
    [
      "that of the included one of two manifests of an object",
      [manifest({ [sets]: "TechPreviewNoUpgrade" }), requires("Ingress", { [sets]: "Default" })],
      [requires("Ingress+New")],
      ["New"],
    ],
    [
      "that of an object without a namespace",
      [manifest({}, { namespace: "" })],
      [manifest({ [capability]: "New" }, { namespace: "" })],
      ["New"],
    ],

    [
      "nothing if the next manifest is for another feature set",
      [manifest()],
      [requires("New", { [sets]: "TechPreviewNoUpgrade,CustomNoUpgrade" })],
      [],
    ],
    [
      "that of a manifest for several feature sets",
      [manifest({ [sets]: "Default,OKD" })],
      [requires("New", { [sets]: "OKD,Default" })],
      ["New"],
    ],
    [
      "nothing if the next manifest is for an unknown feature set",
      [manifest()],
      [requires("New", { [sets]: "Default,Other" })],
      [],
    ],
    [
      "nothing if the running manifest was for another feature set",
      [manifest({ [sets]: "TechPreviewNoUpgrade" })],
      [requires("New")],
      [],
    ],
    [
      "nothing if the gate of the next manifest is disabled",
      [manifest()],
      [requires("New", { [gates]: "A" })],
      [],
      { featureGates: ["-A"] },
    ],
    ["nothing if the gate of the next manifest is unknown", [manifest()], [requires("New", { [gates]: "A" })], []],
    [
      "that of a manifest with an enabled gate",
      [manifest()],
      [requires("New", { [gates]: "A" })],
      ["New"],
      { featureGates: ["A"] },
    ],
    [
      "nothing if one of two gates is disabled",
      [manifest()],
      [requires("New", { [gates]: "A,-B" })],
      [],
      { featureGates: ["A", "B"] },
    ],
    [
      "nothing of a manifest with a feature set and a gate",
      [manifest()],
      [requires("New", { [gates]: "A", [sets]: "Default" })],
      [],
      { featureGates: ["A"] },
    ],
    [
      "nothing if the gate of the running manifest is disabled",
      [manifest({ [gates]: "A" })],
      [requires("New")],
      [],
      { featureGates: ["-A"] },
    ],
    ["nothing if the gate of the running manifest is unknown", [manifest({ [gates]: "A" })], [requires("New")], []],
    [
      "that of an object whose running manifest had an enabled gate",
      [manifest({ [gates]: "A" })],
      [requires("New")],
      ["New"],
      { featureGates: ["A"] },
    ],
    [
      "nothing if the next manifest is for another profile",
      [manifest()],
      [requires("New", { [include]: undefined, "include.release.openshift.io/ibm-cloud-managed": "true" })],
      [],
    ],
    [
      "nothing if the next manifest is for the profile in other words",
      [manifest()],
      [requires("New", { [include]: "yes" })],
      [],
    ],
    [
      "nothing if the running manifest was for another profile",
      [manifest({ [include]: undefined, "include.release.openshift.io/ibm-cloud-managed": "true" })],
      [requires("New")],
      [],
    ],
    // Unlike a request, a manifest that names no profile is not included.
    ["nothing if the next manifest names no profile", [manifest()], [requires("New", { [include]: undefined })], []],
    ["nothing if the running manifest names no profile", [manifest({ [include]: undefined })], [requires("New")], []],
    [
      "nothing if the next manifest is excluded",
      [manifest()],
      [requires("New", { [exclude]: "true" })],
      [],
      { excludeIdentifier: "internal-openshift-hosted" },
    ],
    [
      "nothing if the running manifest is excluded",
      [manifest({ [exclude]: "true" })],
      [requires("New")],
      [],
      { excludeIdentifier: "internal-openshift-hosted" },
    ],
    [
      "that of one that is excluded elsewhere",
      [manifest({ [exclude]: "true" })],
      [requires("New", { [exclude]: "true" })],
      ["New"],
    ],
  ])("are %s", (_, running, next, expected, filter = {}) => {
    expect(judge(running, next, filter)).toEqual(expected);
  });

  it("are none for a cluster with all capabilities", () => {
    const all = { capabilities: undefined } as Any;
    expect(judge([manifest()], [requires("New")], all)).toEqual([]);
    expect(judge([manifest()], [requires("New")], all, {})).toEqual([]);
  });

  it("are all new ones for a cluster without a capability", () => {
    expect(judge([manifest()], [requires("New")], { capabilities: [] })).toEqual(["New"]);
  });

  it("are decided by the gates of each release for its own manifests", () => {
    const [running, next] = [[manifest({ [gates]: "Old" })], [requires("New", { [gates]: "Next" })]];
    const [old, now] = [{ featureGates: ["Old", "-Next"] }, { featureGates: ["-Old", "Next"] }];
    expect(judge(running, next, old, now)).toEqual(["New"]);
    expect(judge(running, next, now, old)).toEqual([]);
    expect(judge(running, next, old, old)).toEqual([]);
    expect(judge(running, next, now, now)).toEqual([]);
  });

  // openshift/library-go, pkg/manifest: an error in the annotation excludes the manifest, too.
  it.each<[annotation: string, version: string | undefined, isIncluded: boolean]>([
    ["4", "4.22", true],
    ["5", "4.22", false],
    ["4,5", "5.0", true],
    [" 5 , 4 ", "5.0", true],
    ["4,6", "5.0", false],
    ["-4", "4.22", false],
    ["-4", "5.0", true],
    ["-4,-5", "5.1", false],
    ["-4,-5", "6.0", true],
    ["5,-4", "5.0", true],
    ["5,-4", "4.22", false],
    ["5,-4", "6.0", false],
    ["4,-4", "4.22", false],
    ["4,-4", "5.0", false],
    ["5,4,-4", "5.0", false],
    ["", "4.22", true],
    [" , ", "4.22", true],
    ["x", "4.22", false],
    ["4,x", "4.22", false],
    ["-x", "4.22", false],
    ["4,-", "4.22", false],
    ["4,4.5", "4.22", false],
    ["04", "4.22", true],
    ["-04", "4.22", false],
    ["10", "10.1", true],
    ["5", undefined, true],
  ])("with the major versions %j in %s", (annotation, version, isIncluded) => {
    const expected = isIncluded ? ["New"] : [];
    for (const identity of [featureGate, definition]) {
      const [plain, limited] = [{}, { [majors]: annotation }];
      const now = (more: Any) => [manifest({ [capability]: "New", ...more }, identity)];
      expect(judge([manifest(plain, identity)], now(limited), {}, { version })).toEqual(expected);
      expect(judge([manifest(limited, identity)], now(plain), { version }, {})).toEqual(expected);
      expect(judge([manifest(plain, identity)], now({ ...limited, [gates]: "Off" }), {}, { version })).toEqual([]);
    }
    // Objects of other kinds must not have the annotation.
    expect(judge([manifest()], [requires("New", { [majors]: annotation })], { version: "4.22" })).toEqual([]);
    expect(judge([manifest({ [majors]: annotation })], [requires("New")], { version: "4.22" })).toEqual([]);
    for (const other of [
      { ...definition, group: "config.openshift.io" },
      { ...featureGate, group: "example.com" },
    ]) {
      const next = [manifest({ [capability]: "New", [majors]: annotation }, other)];
      expect(judge([manifest({}, other)], next, { version: "4.22" })).toEqual([]);
    }
  });

  const some = fc.array(
    fc
      .record({
        name: fc.constantFrom("a", "b", "c"),
        caps: fc.subarray(["Ingress", "Console", "New", "Newer", "Newest"]),
        profile: fc.constantFrom("true", "true", "true", "false", undefined),
        gate: fc.constantFrom(undefined, undefined, "A", "-A", "B"),
      })
      .map(({ name, caps, profile, gate }) =>
        manifest(
          { [include]: profile, [gates]: gate, [capability]: caps.length === 0 ? undefined : caps.join("+") },
          { name },
        ),
      ),
    { maxLength: 6 },
  );
  const filters = fc.record({
    capabilities: fc.subarray(["Ingress", "Console", "New"]),
    featureGates: fc.constantFrom([], ["A"], ["-A", "B"]),
  });

  it("do not depend on the order of the manifests", () => {
    const shuffled = some.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, shuffled, filters, ([running, runningToo], [next, nextToo], filter) => {
        expect(judge(runningToo, nextToo, filter)).toEqual(judge(running, next, filter));
      }),
      { numRuns: runs(1000, 100) },
    );
  });

  it("are new names that a manifest of the next release has, and none after they are enabled", () => {
    let found = 0;
    fc.assert(
      fc.property(some, some, filters, (running, next, filter) => {
        const more = judge(running, next, filter);
        found += more.length;
        const named = new Set(next.flatMap(({ annotations }) => (annotations.get(capability) ?? "").split("+")));
        for (const name of more) expect([named.has(name), filter.capabilities.includes(name)]).toEqual([true, false]);
        const now = { ...filter, capabilities: [...filter.capabilities, ...more] };
        expect(judge(running, next, filter, now)).toEqual([]);
        // Of unchanged manifests, nothing is enabled.
        const single = [...new Map(next.map((one) => [one.name, one])).values()];
        expect(judge(single, single, filter)).toEqual([]);
      }),
      { numRuns: runs(1000, 100) },
    );
    expect(found).toBeGreaterThan(0);
  });

  it("are unknown if that depends on a gate of unknown state, in either release", () => {
    const judged = (running: IndexedManifest, next: IndexedManifest, change: Partial<ReleaseFilter> = {}) =>
      implicitCapabilities(
        { manifests: [running], filter: { ...enabled, ...change } },
        { manifests: [next], filter: { ...enabled, ...change } },
      );
    const unknown = (...names: string[]) => ({ enabled: [], unknown: [{ name: "New", gates: names }] });
    const plain = manifest({});
    const split = manifest({ [capability]: "New" });
    for (const gate of ["A", "-A"]) {
      expect(judged(manifest({ [gates]: gate }), split)).toEqual(unknown("A"));
      expect(judged(plain, manifest({ [capability]: "New", [gates]: gate }))).toEqual(unknown("A"));
    }
    expect(judged(manifest({ [gates]: "A" }), manifest({ [capability]: "New", [gates]: "B" }))).toEqual(
      unknown("A", "B"),
    );
    const known = { enabled: ["New"], unknown: [] };
    expect(judged(manifest({ [gates]: "A" }), split, { featureGates: ["A"] })).toEqual(known);
    expect(judged(manifest({ [gates]: "A" }), split, { featureGates: ["-A"] })).toEqual({ enabled: [], unknown: [] });
    // What another manifest certainly enables is known.
    const certain = implicitCapabilities(
      { manifests: [manifest({ [gates]: "A" }), manifest({}, { name: "other" })], filter: enabled },
      { manifests: [split, manifest({ [capability]: "New" }, { name: "other" })], filter: enabled },
    );
    expect(certain).toEqual(known);
  });
});
