import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { capabilitiesFindings, enabledBy, withCapabilities } from "../../../src/cli/release/capabilities.ts";
import {
  filesAbout,
  gatesPath,
  indexFile,
  isVersion,
  metadataFile,
  readPreviousRelease,
  readReleaseFacts,
  releasePath,
} from "../../../src/cli/release/release-directory.ts";
import { UsageError } from "../../../src/cli/terminal/errors.ts";
import { type IndexedManifest, indexed, maxIndexLength, writeIndex } from "../../../src/requests/manifests-index.ts";
import { defaultRelease, filterFor, minorOf, type ReleaseFilter } from "../../../src/requests/release-filter.ts";
import { type Any, identity, request } from "../../helpers/cluster.ts";
import { completed } from "../../helpers/release-directory.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const include = "include.release.openshift.io/self-managed-high-availability";
const capability = "capability.openshift.io/name";

const metadata = (version: unknown, kind = "cincinnati-metadata-v0") =>
  JSON.stringify({ kind, version, previous: ["4.21.9"], metadata: { url: "https://example.com/errata" } });
const manifest = (name: string, annotations: Any = {}) =>
  indexed(
    resourceOf({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: "shop", annotations: { [include]: "true", ...annotations } },
    }),
  );
const index = [manifest("a"), manifest("b", { [capability]: "New" })];

function directoryOf(files: Readonly<Record<string, string>>): string {
  const directory = temporary();
  writeTree(directory, completed(files));
  return directory;
}

const read = (files: Readonly<Record<string, string>>) => readReleaseFacts('--from "next"', directoryOf(files));

/** The message of a UsageError, with `DIR` in place of the directory. */
function refusal(directory: string, run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(directory, "DIR");
    throw error;
  }
  return "";
}

function refused(files: Readonly<Record<string, string>>): string {
  const directory = directoryOf(files);
  return refusal(directory, () => readReleaseFacts('--from "next"', directory));
}

describe("what a directory says about its release", () => {
  const known = { version: "4.22.3", index: undefined };
  it.each<[what: string, files: Record<string, string>, facts: unknown]>([
    [
      "nothing without metadata",
      { "one.yaml": "", "release-metadata.json": metadata("4.22.3") },
      { ...known, version: undefined },
    ],
    ["its version", { [metadataFile]: metadata("4.22.3") }, known],
    ["the version in a directory below", { [`release-manifests/${metadataFile}`]: metadata("4.22.3") }, known],
    ["the version three directories below", { [`a/b/c/${metadataFile}`]: metadata("4.22.3") }, known],
    [
      "nothing of a directory that is deeper",
      { [`a/b/c/d/${metadataFile}`]: metadata("4.22.3") },
      { ...known, version: undefined },
    ],
    [
      "a version that it has twice",
      { [metadataFile]: metadata("4.22.3"), [`aws/${metadataFile}`]: metadata("4.22.3") },
      known,
    ],
    ["all manifests", { [indexFile]: writeIndex(index) }, { version: undefined, index }],
    [
      "all manifests, in a directory below",
      { [`a/${indexFile}`]: writeIndex(index), [`b/${metadataFile}`]: metadata("4.22.3") },
      { version: "4.22.3", index },
    ],
    ["an empty list of manifests", { [indexFile]: writeIndex([]) }, { version: undefined, index: [] }],
  ])("is %s", (_, files, facts) => {
    expect(read(files)).toEqual(facts);
  });

  const again = "extract the release again";
  const notMetadata = `--from "next": "DIR/${metadataFile}" is not the metadata of a release; ${again}`;
  it.each<[what: string, files: Record<string, string>, message: string]>([
    [
      "two versions",
      { [`b/${metadataFile}`]: metadata("4.21.9"), [`a/${metadataFile}`]: metadata("4.22.3") },
      '--from "next" contains two releases, "4.21.9" and "4.22.3"; name one of them',
    ],
    [
      "metadata that are not JSON",
      { [metadataFile]: "version: 4.22.3\n" },
      `--from "next": "DIR/${metadataFile}" is not JSON; ${again}`,
    ],
    ["empty metadata", { [metadataFile]: "" }, `--from "next": "DIR/${metadataFile}" is not JSON; ${again}`],
    [
      "metadata with a key twice",
      { [metadataFile]: '{"version":"4.22.3","version":"4.22.4"}' },
      `--from "next": "DIR/${metadataFile}" has a duplicate key; ${again}`,
    ],
    ["metadata of another kind", { [metadataFile]: metadata("4.22.3", "cincinnati-metadata-v1") }, notMetadata],
    ["metadata that are a list", { [metadataFile]: "[]" }, notMetadata],
    ["metadata without a version", { [metadataFile]: metadata(undefined) }, notMetadata],
    ["a number as version", { [metadataFile]: metadata(4.22) }, notMetadata],
    ["a minor version", { [metadataFile]: metadata("4.22") }, notMetadata],
    [
      "malformed metadata below good ones",
      { [metadataFile]: metadata("4.22.3"), [`aws/${metadataFile}`]: "{}" },
      `--from "next": "DIR/aws/${metadataFile}" is not the metadata of a release; ${again}`,
    ],
    [
      "an index that is not JSON",
      { [indexFile]: "manifests: []\n" },
      `--from "next": "DIR/${indexFile}" is not JSON; ${again}`,
    ],
    [
      "an index of another kind",
      { [indexFile]: "{}" },
      `--from "next": "DIR/${indexFile}" is not a ReleaseManifestsIndex of fn.cloudcredential.dev/v1alpha1; ${again}`,
    ],
    [
      "a huge index",
      { [indexFile]: `${writeIndex(index)}${" ".repeat(maxIndexLength)}` },
      `--from "next": "DIR/${indexFile}" is too large; ${again}`,
    ],
    [
      "two indexes",
      { [indexFile]: writeIndex(index), [`aws/${indexFile}`]: writeIndex(index) },
      `--from "next" contains more than one extracted release; name the directory of one release`,
    ],
  ])("is refused with %s", (_, files, message) => {
    expect(refused(files)).toBe(message);
  });

  it("is refused with metadata that are not UTF-8, or a directory", () => {
    const name = metadataFile;
    const directory = temporary();
    writeFileSync(join(directory, name), Buffer.from([0x7b, 0xff, 0x7d]));
    const readIt = () => readReleaseFacts('--from "next"', directory);
    expect(refusal(directory, readIt)).toBe(`--from "next": "DIR/${name}" is not UTF-8`);
    const other = temporary();
    mkdirSync(join(other, name));
    const readOther = () => readReleaseFacts('--from "next"', other);
    expect(refusal(other, readOther)).toBe(`--from "next": "DIR/${name}" is not a file`);
  });

  describe("is refused if it is not as the command wrote it:", () => {
    const whole = completed({
      [indexFile]: writeIndex(index),
      "a.yaml": "a: 1\n",
    });
    const without = (name: string) => Object.fromEntries(Object.entries(whole).filter(([path]) => path !== name));
    const refusedAs = (files: Readonly<Record<string, string>>) => {
      const directory = temporary();
      writeTree(directory, files);
      return refusal(directory, () => readReleaseFacts("--from DIR", directory));
    };
    it.each<[what: string, files: Readonly<Record<string, string>>, message: string]>([
      ["whole", whole, ""],
      [
        "an interrupted run",
        without("release-source.json"),
        '"DIR" has no "release-source.json", so the release is not complete; extract it again',
      ],
      [
        "only a part of the files",
        { "a.yaml": "a: 1\n", "release-metadata": metadata("4.22.3"), ".ccf-extract-release/process": "{}" },
        '"DIR" has no "release-source.json", so the release is not complete; extract it again',
      ],
      [
        "an index that was not copied",
        without("manifests-index.json"),
        '"DIR/manifests-index.json" is missing; extract the release again, into an empty directory',
      ],
      [
        "a file that was not copied",
        without("a.yaml"),
        '"DIR/a.yaml" is missing; extract the release again, into an empty directory',
      ],
      [
        "an edited file",
        { ...whole, "a.yaml": "a: 2\n" },
        '"DIR/a.yaml" was changed after the release was extracted; extract the release again, into an empty directory',
      ],
      [
        "no list of files",
        { ...whole, "release-source.json": "{}" },
        '"DIR/release-source.json" does not list files; extract the release again',
      ],
      [
        "a path elsewhere",
        { ...whole, "release-source.json": '{"files":{"../a":"x"}}' },
        '"DIR/release-source.json" does not list files; extract the release again',
      ],
    ])("%s", (_, files, message) => {
      expect(refusedAs(files)).toBe(message === "" ? "" : `--from DIR: ${message}`);
    });
  });

  it("of the previous release is its index, which is in the named directory itself", () => {
    const request = {
      apiVersion: "cloudcredential.openshift.io/v1",
      kind: "CredentialsRequest",
      metadata: { name: "a" },
    };
    const gate = {
      apiVersion: "config.openshift.io/v1",
      kind: "FeatureGate",
      metadata: { name: "cluster", annotations: { "release.openshift.io/feature-set": "Default" } },
    };
    const found = readPreviousRelease(
      directoryOf({
        [indexFile]: writeIndex(index),
        [metadataFile]: metadata("4.21.9"),
        "a.yaml": JSON.stringify(request),
        "b.yaml": JSON.stringify(gate),
      }),
    );
    expect([found.version, found.manifests, found.gates.map(({ kind }) => kind)]).toEqual([
      "4.21.9",
      index,
      ["FeatureGate"],
    ]);
    const named = '--previous-release "DIR"';
    const missing = `${named} does not contain "${indexFile}"; "ccf extract-release VERSION --output-dir DIR" writes it`;
    for (const [files, message] of [
      [{ [metadataFile]: metadata("4.21.9") }, missing],
      [
        { "release-source.json": "{}" },
        `${named}: "DIR/release-source.json" does not list files; extract the release again`,
      ],
      [{ [indexFile]: "[" }, `${named}: "DIR/${indexFile}" is not JSON; ${again}`],
    ] as const) {
      const directory = directoryOf(files as Record<string, string>);
      expect(refusal(directory, () => readPreviousRelease(directory))).toBe(message);
    }
    const none = join(temporary(), "none");
    expect(refusal(none, () => readPreviousRelease(none))).toBe(`${named} is not a directory`);
  });
});

describe("the version of a release", () => {
  it.each<[text: string, isOne: boolean]>([
    ["4.20.3", true],
    ["4.20.0-rc.1", true],
    ["4.22.0-okd-scos.7", true],
    ["4.22.0-0.nightly-2026-01-02-030405", true],
    ["4.20.3+build.7", true],
    ["10.0.0", true],
    ["4.20", false],
    ["4", false],
    ["4.20.3.1", false],
    ["v4.20.3", false],
    ["latest", false],
    ["", false],
    [" 4.20.3", false],
    ["4.20.3\n", false],
    ["4.20.3-", false],
    ["4.20.3-a/b", false],
    ["4.20.3-\u0661", false],
    ["4.020.1", false],
    ["04.20.1", false],
    ["4.20.01", false],
    ["-4.20.1", false],
    ["4.20.x", false],
  ])("%j: %s", (text, isOne) => {
    expect(isVersion(text)).toBe(isOne);
  });

  it("is not too long", () => {
    expect(isVersion(`4.20.3-${"a".repeat(121)}`)).toBe(true);
    for (const text of [`4.20.3-${"a".repeat(122)}`, `4.20.${"1".repeat(100)}`, `${"4".repeat(100)}.20.3`])
      expect(isVersion(text)).toBe(false);
  });

  it.each([
    ["4.20.3", "4.20"],
    ["4.22.0-okd-scos.7", "4.22"],
    ["5.0.0-rc.1", "5.0"],
    ["4.20", "4.20"],
  ])("%s is of %s", (version, minor) => {
    expect(minorOf(version)).toBe(minor);
  });

  it("is that of the directory, and never that of the cluster's current release", () => {
    const filter: ReleaseFilter = {
      ...defaultRelease,
      version: "4.21",
      capabilities: ["Ingress"],
      featureGates: ["A"],
    };
    const { version: _, ...others } = filter;
    expect(filterFor(filter, { version: "4.22.3" })).toEqual({ ...filter, version: "4.22" });
    expect(filterFor(filter, { version: undefined })).toEqual(others);
    expect(filterFor(defaultRelease, { version: "4.22.3" })).toEqual({ ...defaultRelease, version: "4.22" });
    expect(filterFor(defaultRelease, { version: undefined })).toEqual(defaultRelease);
  });
});

describe("the gates that a package gets", () => {
  const gate = (set: string, enabled: string[], annotations: Any = {}) => ({
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: {
      name: "cluster",
      annotations: {
        [include]: "false-except-for-the-config-operator",
        "release.openshift.io/feature-set": set,
        ...annotations,
      },
    },
    spec: {},
    status: { featureGates: [{ version: "", enabled: enabled.map((name) => ({ name })), disabled: [] }] },
  });
  const text = (filter: ReleaseFilter, ...values: Any[]) =>
    filesAbout(values.map((value) => resourceOf(value)) as Any, filter, { index: undefined }).get(gatesPath);

  it("come with the namespaces that the cluster certainly gets, and with all capabilities", () => {
    const namespace = (name: string, annotations: Any = {}) =>
      indexed(
        resourceOf({
          apiVersion: "v1",
          kind: "Namespace",
          metadata: { name, annotations: { [include]: "true", ...annotations } },
        }),
      );
    const all = [
      namespace("openshift-a"),
      namespace("openshift-tech", { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" }),
      namespace("openshift-gated", { "release.openshift.io/feature-gate": "OfDefault" }),
      namespace("openshift-unknown", { "release.openshift.io/feature-gate": "-Other" }),
      namespace("openshift-capable", { [capability]: "Storage+New" }),
    ];
    const release = (filter: ReleaseFilter, ...values: Any[]) =>
      filesAbout(values.map((value) => resourceOf(value)) as Any, filter, { index: all }).get(releasePath) ?? "";
    const names = (text: string) => (load(text) as Any).data;
    expect(names(release(defaultRelease))).toEqual({
      capabilities: "New\nStorage",
      namespaces: "openshift-a\nopenshift-capable",
    });
    const gates = gate("Default", ["OfDefault"]);
    expect(names(release({ ...defaultRelease, capabilities: [] }, gates)).namespaces).toBe(
      "openshift-a\nopenshift-gated\nopenshift-unknown",
    );
  });

  it("are those of its feature set and major version, or none", () => {
    const five = { "release.openshift.io/major-version": "5" };
    const all = [
      gate("Default", ["OfDefault"]),
      gate("OKD", ["OfOKD"]),
      gate("TechPreviewNoUpgrade", ["OfFive"], five),
    ];
    expect(text(defaultRelease, ...all)).toMatch(
      /^# The feature gates [^\n]+\napiVersion: config\.openshift\.io\/v1\n/,
    );
    expect(text(defaultRelease, ...all)).toContain("- name: OfDefault");
    expect(text(defaultRelease, ...all.toReversed())).toBe(text(defaultRelease, ...all));
    expect(text({ ...defaultRelease, featureSet: "OKD" }, ...all)).toContain("- name: OfOKD");
    const tech = { ...defaultRelease, featureSet: "TechPreviewNoUpgrade" };
    expect(text({ ...tech, version: "5.0" }, ...all)).toContain("- name: OfFive");
    expect(text({ ...tech, version: "4.22" }, ...all)).toBeUndefined();
    expect(text({ ...defaultRelease, featureSet: "LatencySensitive" }, ...all)).toBeUndefined();
    expect(text({ ...defaultRelease, profile: "ibm-cloud-managed" }, ...all)).toBeUndefined();
  });
});

describe("the capabilities that an upgrade enables in a cluster", () => {
  const some: ReleaseFilter = { ...defaultRelease, capabilities: ["Ingress"] };
  const asks = (name: string, annotations: Any = {}) =>
    resourceOf(request(name, { annotations: { [include]: "true", ...annotations } }));
  const gated = { "release.openshift.io/feature-gate": "A" };
  const gates = resourceOf({
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster", annotations: { "release.openshift.io/feature-set": "Default" } },
    status: { featureGates: [{ version: "", enabled: [{ name: "A" }], disabled: [] }] },
  });
  const was = (manifests: readonly IndexedManifest[]) => ({ manifests, gates: [], version: "4.21.9" });
  const release = (items: Any[], facts: Any = {}) => ({ items, index: undefined, previous: undefined, ...facts });

  it.each<[what: string, items: Any[], next: Any, expected: string[]]>([
    ["by the requests", [asks("one")], release([asks("one", { [capability]: "New" })]), ["New"]],
    ["by no request that is new", [], release([asks("one", { [capability]: "New" })]), []],
    [
      "by no request that the package keeps of the release before",
      [asks("one", { "fn.cloudcredential.dev/transition": "previous-release" })],
      release([asks("one", { [capability]: "New" })]),
      [],
    ],
    [
      "by no object but requests",
      [
        resourceOf({
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "a", namespace: "shop", annotations: { [include]: "true" } },
        }),
      ],
      release([
        resourceOf({
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "a", namespace: "shop", annotations: { [include]: "true", [capability]: "New" } },
        }),
      ]),
      [],
    ],
    [
      "with the gates of the new release",
      [asks("one")],
      release([asks("one", { [capability]: "New", ...gated }), gates]),
      ["New"],
    ],
    [
      "not with the gates of the package for the new release",
      [asks("one"), gates],
      release([asks("one", { [capability]: "New", ...gated })]),
      [],
    ],
    [
      "with the gates of the package for its own requests",
      [asks("one", gated), gates],
      release([asks("one", { [capability]: "New" })]),
      ["New"],
    ],
    [
      "not with the gates of the new release for the package's requests",
      [asks("one", gated)],
      release([asks("one", { [capability]: "New" }), gates]),
      [],
    ],
    // With only one of the two indexes, the requests of both sides are compared: an index lists more than requests.
    [
      "by the requests with only the new index",
      [asks("one")],
      release([asks("one", { [capability]: "New" })], { index: [] }),
      ["New"],
    ],
    [
      "by the requests with only the old index",
      [asks("one")],
      release([asks("one", { [capability]: "New" })], { previous: was([]) }),
      ["New"],
    ],
    [
      "by both indexes alone",
      [asks("one")],
      release([asks("one", { [capability]: "New" })], { index: [], previous: was([]) }),
      [],
    ],
    [
      "by other manifests of both indexes",
      [],
      release([], {
        previous: was([manifest("a"), manifest("b")]),
        index: [manifest("a"), manifest("b", { [capability]: "New+Ingress" })],
      }),
      ["New"],
    ],
    [
      "by the gates in the directory of the current release",
      [],
      release([], {
        previous: { ...was([manifest("a", gated)]), gates: [gates] },
        index: [manifest("a", { [capability]: "New" })],
      }),
      ["New"],
    ],
    [
      "not by gates that nothing states",
      [],
      release([], { previous: was([manifest("a", gated)]), index: [manifest("a", { [capability]: "New" })] }),
      [],
    ],
    [
      "by manifests that the gates of each side decide",
      [gates],
      release([], {
        previous: was([manifest("a", gated)]),
        index: [manifest("a", { [capability]: "New" }), manifest("b", gated)],
      }),
      ["New"],
    ],
  ])("are decided %s", (_, items, next, expected) => {
    expect(enabledBy(items, next, some, some).enabled).toEqual(expected);
    expect(enabledBy(items, next, defaultRelease, defaultRelease)).toEqual({ enabled: [], unknown: [] });
  });

  it("follow those of the configuration", () => {
    const listed = { ...defaultRelease, capabilities: ["Storage", "Ingress"] };
    expect(withCapabilities(listed, ["Another", "New"]).capabilities).toEqual(["Storage", "Ingress", "Another", "New"]);
    expect(withCapabilities(listed, [])).toBe(listed);
    expect(withCapabilities(defaultRelease, ["New"])).toBe(defaultRelease);
    expect(withCapabilities({ ...defaultRelease, capabilities: [] }, ["New"]).capabilities).toEqual(["New"]);
  });

  it("come with a warning, unless both indexes are known or all capabilities are enabled", () => {
    const resource = resourceOf(identity());
    const judge = (facts: Any, filter: ReleaseFilter = some) =>
      capabilitiesFindings(release([], facts), filter, [], resource);
    const message =
      '"spec.release.capabilities" does not enable all capabilities. The requests alone decided which ones the upgrade enables, but the cluster-version-operator also decides by other manifests. Extract the current and the new release with "ccf extract-release", and name the directory of the current one with "--previous-release".';
    const field = "spec.release.capabilities";
    const { apiVersion, kind, name } = resource;
    const warning = {
      severity: "warning",
      code: "capabilities-by-requests",
      message,
      resource: { apiVersion, kind, name },
      field,
    };
    expect(judge({})).toEqual([warning]);
    expect(judge({ index })).toEqual([warning]);
    expect(judge({ previous: index })).toEqual([warning]);
    expect(judge({ index, previous: index })).toEqual([]);
    expect(judge({}, defaultRelease)).toEqual([]);
    expect(judge({}, { ...defaultRelease, capabilities: [] })).toHaveLength(1);
    const { resource: _, field: __, ...without } = warning;
    expect(capabilitiesFindings(release([]), some, [], undefined)).toEqual([without]);
    const both = { index: [], previous: was([]) };
    const unknown = [{ name: "New", gates: ["A"] }];
    expect(capabilitiesFindings(release([], both), some, unknown, undefined)).toMatchObject([
      {
        severity: "warning",
        code: "capability-unknown",
        message: expect.stringMatching(
          /^it is unknown whether the upgrade enables the capability "New": that depends on the feature gate "A"\. /,
        ),
      },
    ]);
  });
});
