import { generateKeyPairSync } from "node:crypto";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexed, writeIndex } from "../../../src/requests/manifests-index.ts";
import { ccf, type Run, run } from "../../helpers/ccf.ts";
import { type Any, request, statements } from "../../helpers/cluster.ts";
import { configure, defaults, renderedPackage, signerKeyFile, succeed } from "../../helpers/cluster-package.ts";
import { run as runProgram } from "../../helpers/programs.ts";
import { completed } from "../../helpers/release-directory.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { digestOfExport, digestOfPackage, resultText } from "../../helpers/status-result.ts";
import { keptTemporary, readTree, temporary, writeTree } from "../../helpers/temporary.ts";

/*
 * What each command does with a request of the next release that depends on a feature gate, by what is known about the gate:
 * a table with a row for each command, and a column for each state of the gate.
 */

/** A gate that OpenShift has, so that no command doubts its name. */
const gate = "ClusterAPIInstall";
const include = "include.release.openshift.io/self-managed-high-availability";
const gatesFile = "credentials-requests/feature-gates.yaml";

/** A request of a release; its name determines its Secret, in a namespace of the platform. */
function asks(name: string, action: string, annotations: Any = {}): string {
  const secretRef = { namespace: `openshift-${name}`, name: "credentials" };
  const allow = statements({ effect: "Allow", action: [action], resource: "*" });
  const profiles = { [include]: "true", "include.release.openshift.io/ibm-cloud-managed": "true" };
  return dump(request(name, { annotations: { ...profiles, ...annotations }, spec: { secretRef, ...allow } }));
}

const keyOf = (name: string) => `openshift-${name}/credentials`;
const gated = (names: string) => ({ "release.openshift.io/feature-gate": names });

/** A FeatureGate manifest, in the form of a release's. */
function gateManifest(profile: string, set: string, enabled: string[], disabled: string[]): string {
  const named = (names: string[]) => names.map((name) => ({ name }));
  const annotations = {
    [`include.release.openshift.io/${profile}`]: "false-except-for-the-config-operator",
    "release.openshift.io/feature-set": set,
    "release.openshift.io/major-version": "4,5,6",
  };
  return JSON.stringify({
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster", annotations },
    spec: set === "Default" ? {} : { featureSet: set },
    status: { featureGates: [{ version: "", enabled: named(enabled), disabled: named(disabled) }] },
  });
}

const featureSets = ["Default", "OKD", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade"];

/** The manifests of a release for all feature sets and both profiles, of which all but one state the opposite. */
function gateManifests(isEnabled: boolean, own = "Default"): Record<string, string> {
  const files = ["self-managed-high-availability", "ibm-cloud-managed"].flatMap((profile) =>
    featureSets.map((set): [string, string] => {
      const isOwn = profile === "self-managed-high-availability" && set === own;
      const [on, off] = isOwn === isEnabled ? [[gate, "Other"], ["Third"]] : [["Other"], [gate, "Third"]];
      const name = `0000_50_cluster-config-api_featureGate-4-10-${profile === "ibm-cloud-managed" ? "Hypershift" : "SelfManagedHA"}-${set}.yaml`;
      return [name, gateManifest(profile, set, on, off)];
    }),
  );
  // A release also creates the empty object of a cluster.
  const empty = `apiVersion: config.openshift.io/v1\nkind: FeatureGate\nmetadata:\n  name: cluster\n  annotations:\n    ${include}: "true"\n    release.openshift.io/create-only: "true"\nspec: {}\n`;
  return { ...Object.fromEntries(files), "0000_05_config-operator_02_featuregate.cr.yaml": empty };
}

const metadata = { "release-metadata": JSON.stringify({ kind: "cincinnati-metadata-v0", version: "4.22.3" }) };

type State = "unknown" | "enabled" | "disabled";

/** What is known about the gate, and by what. */
interface Column {
  readonly state: State;
  readonly by: "nothing" | "manifest" | "configuration";
}

const nothing: Column = { state: "unknown", by: "nothing" };
const columns: readonly Column[] = [
  nothing,
  { state: "enabled", by: "manifest" },
  { state: "disabled", by: "manifest" },
  { state: "enabled", by: "configuration" },
  { state: "disabled", by: "configuration" },
];

const current = { "shop.yaml": asks("shop", "s3:GetObject"), "till.yaml": asks("till", "sqs:SendMessage") };

/** What the next release changes: a request of its own needs the gate, or one that the cluster has. */
const changes = {
  fresh: { ...current, "fresh.yaml": asks("fresh", "ec2:DescribeVolumes", gated(gate)) },
  till: { ...current, "till.yaml": asks("till", "sqs:SendMessage", gated(gate)) },
};
type Change = keyof typeof changes;

const kept = keptTemporary();
afterAll(() => kept.remove());
const shared = (...names: string[]) => join(kept.directory, ...names);

let rendered: Record<string, string>;
let exported: Record<string, string>;
let digest: string;
beforeAll(() => {
  writeTree(shared("base"), current);
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
  writeTree(shared(), { "other.public": other.export({ type: "spki", format: "pem" }) as string });
  const made = renderedPackage(shared("base"), (spec) => {
    const roles = { permissionsBoundaryARN: `arn:aws:iam::${defaults.accountId}:policy/boundary` };
    Object.assign((spec["platform"] as Any).aws, { roles });
  });
  rendered = readTree(made);
  const out = shared("out");
  succeed(run(["export", made, "--output-dir", out]));
  digest = digestOfExport(out);
  exported = Object.fromEntries(Object.entries(readTree(out)).filter(([path]) => path !== "SHA256SUMS"));
  for (const [change, files] of Object.entries(changes)) {
    const all = { ...files, ...metadata };
    writeTree(shared(change, "unknown"), all);
    for (const state of ["enabled", "disabled"] as const)
      writeTree(shared(change, state), { ...all, ...gateManifests(state === "enabled") });
  }
});

const gatesFor = ({ state, by }: Column) => (by === "configuration" ? [state === "enabled" ? gate : `-${gate}`] : []);

/** A package as it was rendered with the current release; a configuration states its gate already. */
function packageFor(column: Column): string {
  const directory = join(temporary(), "package");
  writeTree(directory, rendered);
  const featureGates = gatesFor(column);
  if (featureGates.length > 0) configure(directory, (spec) => Object.assign(spec, { release: { featureGates } }));
  return directory;
}

const releaseFor = (change: Change, { state, by }: Column) => shared(change, by === "manifest" ? state : "unknown");

const made = new Map<string, Record<string, string>>();

/** A copy of a package that is made once for each column. */
function copyOf(key: string, make: () => string): string {
  if (!made.has(key)) made.set(key, readTree(make()));
  const directory = join(temporary(), "package");
  writeTree(directory, made.get(key) ?? {});
  return directory;
}

/** The package with the requests of the next release, not rendered again. */
const updatedFor = (change: Change, column: Column) =>
  copyOf(`updated ${change} ${column.state} ${column.by}`, () => {
    const directory = packageFor(column);
    succeed(run(["update-requests", "--from", releaseFor(change, column), "--quiet", directory]));
    return directory;
  });

const renderedFor = (change: Change, column: Column) =>
  copyOf(`rendered ${change} ${column.state} ${column.by}`, () => {
    const directory = updatedFor(change, column);
    succeed(run(["render", directory]));
    return directory;
  });

/** The exit code, then the warnings and errors by their codes. */
const outcome = ({ status, stderr }: Run) => [
  status,
  ...[...stderr.matchAll(/^(warning|error): .*\[([a-z-]+)\]$/gm)].map(([, severity, code]) => `${severity} ${code}`),
];
const linesOf = (text: string) => text.trimEnd().split("\n");
const lastLine = (text: string) => linesOf(text).at(-1);
const secretsIn = (stream: string) =>
  loadAll(stream)
    .filter((value: Any) => value?.kind === "Secret")
    .map((value: Any) => `${value.metadata.namespace}/${value.metadata.name}`)
    .sort();
const releaseIn = (directory: string) => (load(readTree(directory)["cluster-identity.yaml"] ?? "") as Any).spec.release;

/** A row: what a command does, by the state of the gate. Whatever states it, the answer is the same. */
interface Row {
  readonly command: string;
  run(change: Change, column: Column): unknown;
  /** If the request is new. */
  readonly fresh: Readonly<Record<State, unknown>>;
  /** If the cluster has the request. */
  readonly till: Readonly<Record<State, unknown>>;
}

const [freshKey, tillKey] = [keyOf("fresh"), keyOf("till")];
const two = [keyOf("shop"), tillKey];
const three = [freshKey, ...two];
const warned = "warning feature-gate-unknown";
const lost = [1, "error secret-lost", warned, []];
const unknownLine = (name: string) =>
  `Unknown, because of feature gates: whether the release has a request, and whether an installation lacks credentials: "${name}".`;

/** What a comparison with the next release says, whatever the current one is read from. */
const compared = {
  fresh: {
    unknown: [2, warned, "Verdict, permissions only: unknown (1 unknown, 2 unchanged)."],
    enabled: [2, "Verdict, permissions only: broadened (1 new, 2 unchanged)."],
    disabled: [0, "No changes of permissions."],
  },
  till: {
    unknown: [2, warned, "Verdict, permissions only: unknown (1 unknown, 1 unchanged)."],
    enabled: [0, "No changes of permissions."],
    disabled: [0, "Verdict, permissions only: narrowed (1 gone, 1 unchanged)."],
  },
};

const rows: readonly Row[] = [
  {
    command: "diff",
    run(change, column) {
      const done = run(["diff", packageFor(column), releaseFor(change, column)]);
      return [...outcome(done), verdictIn(done)];
    },
    ...compared,
  },
  {
    command: "diff -o json",
    run(change, column) {
      const args = ["-o", "json", packageFor(column), releaseFor(change, column)];
      const { status, stdout } = run(["diff", ...args]);
      const { verdict, identities } = JSON.parse(stdout);
      const one = identities.find(({ request: name }: Any) => name === change);
      return [status, verdict, one && [one.change, one.verdict, one.unknownGates]];
    },
    fresh: {
      unknown: [2, "unknown", ["new", "unknown", [gate]]],
      enabled: [2, "broadened", ["new", "broadened", undefined]],
      disabled: [0, "none", undefined],
    },
    till: {
      unknown: [2, "unknown", ["none", "unknown", [gate]]],
      enabled: [0, "none", ["none", "none", undefined]],
      disabled: [0, "narrowed", ["gone", "narrowed", undefined]],
    },
  },
  {
    command: "diff of two directories, with --feature-gates",
    run(change, column) {
      const flags = gatesFor(column).map((name) => `--feature-gates=${name}`);
      const done = run(["diff", shared("base"), releaseFor(change, column), ...flags]);
      return [...outcome(done), verdictIn(done)];
    },
    ...compared,
  },
  {
    command: "report --credentials-requests -o wide",
    run(change, column) {
      const done = run([
        ...["report", "-o", "wide", "--credentials-requests"],
        ...[releaseFor(change, column), packageFor(column)],
      ]);
      const [head = "", row = ""] = linesOf(done.stdout);
      return [...outcome(done), row.slice(head.indexOf("RELEASE")), lastLine(done.stderr)];
    },
    fresh: {
      unknown: [2, `unknown: ${freshKey}`, "1 package: 1 unknown"],
      enabled: [2, `lacks ${freshKey} (new)`, "1 package: 1 not ready"],
      disabled: [0, "ready", "1 package: 1 ready"],
    },
    till: {
      unknown: [2, `unknown: ${tillKey}`, "1 package: 1 unknown"],
      enabled: [0, "ready", "1 package: 1 ready"],
      disabled: [0, "ready", "1 package: 1 ready"],
    },
  },
  {
    command: "report --credentials-requests -o json",
    run(change, column) {
      const args = ["-o", "json", "--credentials-requests", releaseFor(change, column), packageFor(column)];
      const { status, stdout } = run(["report", ...args]);
      const { ready, lacks } = JSON.parse(stdout);
      return [status, ready, ...lacks.map((one: Any) => [one.secret, one.change, one.featureGates, one.permissions])];
    },
    fresh: {
      unknown: [2, null, [freshKey, "unknown", [gate], []]],
      enabled: [2, false, [freshKey, "new", undefined, ["ec2:DescribeVolumes"]]],
      disabled: [0, true],
    },
    till: { unknown: [2, null, [tillKey, "unknown", [gate], []]], enabled: [0, true], disabled: [0, true] },
  },
  {
    command: "upgradeable-to --credentials-requests",
    run(change, column) {
      const flags = ["--status", statusFile(digest), "--credentials-requests", releaseFor(change, column)];
      const directory = packageFor(column);
      const done = run(["upgradeable-to", "4.22", ...flags, directory]);
      return [...outcome(done), "manifests/cluster-cloudcredential.yaml" in readTree(directory)];
    },
    fresh: {
      unknown: [2, "error feature-gate-unknown", false],
      enabled: [2, "error permissions-missing", false],
      disabled: [0, true],
    },
    till: { unknown: [2, "error feature-gate-unknown", false], enabled: [0, true], disabled: [0, true] },
  },
  {
    command: "update-requests",
    run(change, column) {
      const done = run(["update-requests", "--from", releaseFor(change, column), packageFor(column)]);
      return [...outcome(done), ...linesOf(done.stdout).slice(0, -1)];
    },
    fresh: {
      unknown: [
        0,
        warned,
        `unknown  ${freshKey}: depends on the feature gate ${gate}`,
        "version  4.22: it was not set",
      ],
      enabled: [0, `new      ${freshKey}`, "version  4.22: it was not set"],
      disabled: [0, "version  4.22: it was not set"],
    },
    till: {
      unknown: [
        ...[0, warned, `changed  ${tillKey}`, `unknown  ${tillKey}: depends on the feature gate ${gate}`],
        "version  4.22: it was not set",
      ],
      enabled: [0, `changed  ${tillKey}`, "version  4.22: it was not set"],
      disabled: [
        ...[0, `gone     ${tillKey}`, `kept     ${tillKey}: the release has no request for it`],
        "version  4.22: it was not set",
      ],
    },
  },
  {
    command: "update-requests -o json",
    run(change, column) {
      const directory = packageFor(column);
      const args = ["-o", "json", "--from", releaseFor(change, column), directory];
      const { status, stdout } = run(["update-requests", ...args]);
      const { files, findings, version, ...lists } = JSON.parse(stdout);
      const named = ["new", "changed", "kept", "gone", "unknown"].filter((name) => (lists[name] ?? []).length > 0);
      // Only manifests bring gates along.
      expect(files.added.includes(gatesFile)).toBe(column.by === "manifest");
      expect([version, releaseIn(directory).version]).toEqual(["4.22", "4.22"]);
      return [status, ...named.map((name) => [name, ...lists[name]]), ...findings.map(({ tags }: Any) => tags.code)];
    },
    fresh: {
      unknown: [0, ["unknown", freshKey], "feature-gate-unknown"],
      enabled: [0, ["new", freshKey]],
      disabled: [0],
    },
    till: {
      unknown: [0, ["changed", tillKey], ["unknown", tillKey], "feature-gate-unknown"],
      enabled: [0, ["changed", tillKey]],
      disabled: [0, ["kept", tillKey], ["gone", tillKey]],
    },
  },
  {
    command: "render",
    run(change, column) {
      const directory = updatedFor(change, column);
      const done = run(["render", directory]);
      const after = readTree(directory);
      // What was rendered stays, byte for byte.
      for (const [path, text] of Object.entries(rendered)) if (isRendered(path)) expect(after[path], path).toBe(text);
      return [...outcome(done), ...Object.keys(after).filter((path) => isRendered(path) && !(path in rendered))];
    },
    fresh: {
      unknown: [0, warned],
      enabled: [
        ...[0, "aws/roles/openshift-fresh-credentials.yaml"],
        "manifests/openshift-fresh-credentials-credentials.yaml",
      ],
      disabled: [0],
    },
    till: { unknown: [0, warned], enabled: [0], disabled: [0] },
  },
  {
    command: "render --stdout, with what was rendered",
    run: (change, column) => printed(run(["render", "--stdout", renderedFor(change, column)])),
    fresh: { unknown: [0, warned, two], enabled: [0, three], disabled: [0, two] },
    till: { unknown: [0, warned, two], enabled: [0, two], disabled: [0, two] },
  },
  {
    command: "render --stdout, without what was rendered",
    run: (change, column) => printed(run(["render", "--stdout", sourcesOf(updatedFor(change, column))])),
    fresh: { unknown: lost, enabled: [0, three], disabled: [0, two] },
    till: { unknown: lost, enabled: [0, two], disabled: [0, two] },
  },
  {
    command: "render --stdout --allow removal:NAMESPACE/NAME",
    run(change, column) {
      const flags = ["--stdout", "--allow", `removal:${keyOf(change)}`];
      return printed(run(["render", ...flags, sourcesOf(updatedFor(change, column))]));
    },
    fresh: { unknown: [0, warned, "warning secret-lost", two], enabled: [0, three], disabled: [0, two] },
    till: { unknown: [0, warned, "warning secret-lost", [keyOf("shop")]], enabled: [0, two], disabled: [0, two] },
  },
  {
    command: "argo-cd-generate",
    run: (change, column) => printed(run(["argo-cd-generate"], { cwd: sourcesOf(updatedFor(change, column)) })),
    fresh: { unknown: lost, enabled: [0, three], disabled: [0, two] },
    till: { unknown: lost, enabled: [0, two], disabled: [0, two] },
  },
  {
    // A page about the files: what was rendered is what it shows.
    command: "explain",
    run(change, column) {
      const done = run(["explain", "-o", "json", renderedFor(change, column)]);
      const { identities } = JSON.parse(done.stdout);
      return [...outcome(done), identities.map(({ secret }: Any) => secret)];
    },
    fresh: { unknown: [0, two], enabled: [0, three], disabled: [0, two] },
    till: { unknown: [0, two], enabled: [0, two], disabled: [0, two] },
  },
  {
    command: "validate",
    run: (change, column) => outcome(run(["validate", renderedFor(change, column)])),
    fresh: { unknown: [0, warned], enabled: [0], disabled: [0] },
    till: { unknown: [0, warned], enabled: [0], disabled: [0] },
  },
  {
    command: "init, and render",
    run(change, column) {
      const { directory, ...done } = created(change, column);
      expect(gatesFile in readTree(directory)).toBe(column.by === "manifest");
      expect(releaseIn(directory).version).toBe("4.22");
      const next = run(["render", directory]);
      const manifests = Object.entries(readTree(directory)).filter(([path]) => path.startsWith("manifests/"));
      return [...outcome(done), ...outcome(next), secretsIn(manifests.map(([, text]) => text).join("---\n"))];
    },
    fresh: { unknown: [0, warned, 0, warned, two], enabled: [0, 0, three], disabled: [0, 0, two] },
    till: { unknown: [0, warned, 0, warned, [keyOf("shop")]], enabled: [0, 0, two], disabled: [0, 0, [keyOf("shop")]] },
  },
  {
    command: "upgradeable-to, for a package with the next release",
    run(change, column) {
      const directory = renderedFor(change, column);
      return outcome(run(["upgradeable-to", "4.22", "--status", statusFile(digestFor(directory)), directory]));
    },
    fresh: { unknown: [2, "error feature-gate-unknown"], enabled: [0], disabled: [0] },
    till: { unknown: [2, "error feature-gate-unknown"], enabled: [0], disabled: [0] },
  },
  {
    command: "export",
    run(change, column) {
      const out = join(temporary(), "out");
      const done = run(["export", renderedFor(change, column), "--output-dir", out]);
      const { SHA256SUMS: _, ...files } = readTree(out);
      const texts = Object.values(files);
      for (const text of texts) expect(text).not.toContain("FeatureGate");
      // An export without what was exported before would take it away.
      for (const [path, text] of Object.entries(exported))
        expect(files[path], path).toEqual(/\/roles\/|^manifests\//.test(path) ? text : expect.any(String));
      return [
        ...outcome(done),
        lastLine(done.stdout)?.replace(out, "OUT"),
        secretsIn(texts.filter(isSecret).join("---\n")),
      ];
    },
    fresh: {
      unknown: [0, warned, unknownLine("fresh"), two],
      enabled: [0, "Next: ccf apply --dry-run OUT", three],
      disabled: [0, "Next: ccf apply --dry-run OUT", two],
    },
    till: {
      unknown: [0, warned, unknownLine("till"), two],
      enabled: [0, "Next: ccf apply --dry-run OUT", two],
      disabled: [0, "Next: ccf apply --dry-run OUT", two],
    },
  },
  {
    command: "export --format manifests-configmap",
    run(change, column) {
      const done = run(["export", renderedFor(change, column), "--format", "manifests-configmap"]);
      const [map, ...others] = loadAll(done.stdout) as Any[];
      expect([map.kind, others, done.stdout.includes("FeatureGate")]).toEqual(["ConfigMap", [], false]);
      const texts = Object.values<string>(map.data);
      return [...outcome(done), secretsIn(texts.join("---\n")), lastLine(done.stderr)];
    },
    fresh: { unknown: [0, warned, two, unknownLine("fresh")], enabled: [0, three, ""], disabled: [0, two, ""] },
    till: { unknown: [0, warned, two, unknownLine("till")], enabled: [0, two, ""], disabled: [0, two, ""] },
  },
];

const isRendered = (path: string) => /^(?:aws|manifests)\//.test(path);
const isSecret = (text: string) => text.includes("\nkind: Secret\n");
const verdictIn = ({ stdout }: Run) => linesOf(stdout).find((line) => /^(?:Verdict, |No changes)/.test(line));

/** What a command printed that others apply: its Secrets, and never the gates. */
function printed(done: Run): unknown[] {
  expect(done.stdout).not.toContain("FeatureGate");
  if (done.status !== 0) expect(done.stdout).toBe("");
  return [...outcome(done), secretsIn(done.stdout)];
}

/** The package as in a repository that contains nothing rendered. */
function sourcesOf(directory: string): string {
  for (const name of ["aws", "manifests"]) rmSync(join(directory, name), { recursive: true });
  return directory;
}

/** The digest of what a rendered package wants in the cloud: that of the same files, computed once. */
function digestFor(directory: string): string {
  const files = Object.entries(readTree(directory)).filter(([path]) => path.startsWith("aws/"));
  const key = JSON.stringify(files);
  const known = digests.get(key) ?? digestOfPackage(directory);
  digests.set(key, known);
  return known;
}
const digests = new Map<string, string>();

function statusFile(of: string): string {
  const path = join(temporary(), "status.json");
  writeFileSync(path, resultText(of));
  return path;
}

/** A new package; with gates of a configuration, it is made like a package that has them. */
function created(change: Change, column: Column): Run & { readonly directory: string } {
  const directory = join(temporary(), "new");
  const given = ["--credentials-requests", releaseFor(change, column), "--name", "second", "--public-key-file"];
  if (column.by === "configuration")
    return { directory, ...run(["init", directory, "--like", packageFor(column), ...given, shared("other.public")]) };
  const platform = ["--platform", "aws", "--account-id", defaults.accountId, "--region", defaults.region];
  return { directory, ...run(["init", directory, ...platform, ...given, signerKeyFile]) };
}

describe.each([
  ["fresh", "a request that is new in the next release and needs a gate"],
  ["till", "a request that needs a gate since the next release"],
] as const)("%s: %s", (change, _) => {
  it.each(rows)("$command", (row) => {
    // What states a gate makes no difference; that is tried for the first of the two.
    const all = change === "fresh" ? columns : columns.filter(({ by }) => by !== "configuration");
    for (const column of all)
      expect(row.run(change, column), `${column.state} by ${column.by}`).toEqual(row[change][column.state]);
  });
});

describe("the manifests of all feature sets and profiles beside the requests", () => {
  const sets = [...featureSets, "CustomNoUpgrade"];

  it.each(featureSets)("state a gate for a cluster with %s, if only that set enables it", (own) => {
    const next = temporary();
    writeTree(next, { ...changes.fresh, ...gateManifests(true, own) });
    for (const set of sets) {
      const { status, stdout } = run(["diff", "--feature-set", set, shared("base"), next]);
      // Custom gates differ from those of the default set.
      const isOwn = own === (set === "CustomNoUpgrade" ? "Default" : set);
      expect([set, status, verdictIn({ status, stdout, stderr: "" })]).toEqual(
        isOwn
          ? [set, 2, "Verdict, permissions only: broadened (1 new, 2 unchanged)."]
          : [set, 0, "No changes of permissions."],
      );
    }
  });

  it("state the opposite for the other profile", () => {
    for (const [state, status] of [
      ["enabled", 0],
      ["disabled", 2],
    ] as const)
      expect(run(["diff", "--profile", "ibm-cloud-managed", shared("base"), shared("fresh", state)]).status).toBe(
        status,
      );
    expect(run(["diff", "--profile", "ibm-cloud-managed", shared("base"), shared("fresh", "unknown")])).toMatchObject({
      status: 2,
      stdout: expect.stringContaining("Verdict, permissions only: unknown"),
    });
  });

  it("can be named apart from the requests, in a directory with an index", () => {
    const gates = temporary();
    writeTree(gates, completed({ ...gateManifests(true), "manifests-index.json": writeIndex([]) }));
    const flags = ["--feature-gate-manifests", gates];
    const done = run(["diff", shared("base"), shared("fresh", "unknown"), ...flags]);
    expect([...outcome(done), verdictIn(done)]).toEqual([
      2,
      "Verdict, permissions only: broadened (1 new, 2 unchanged).",
    ]);
  });

  it("come into a package as one object of its feature set", () => {
    const next = temporary();
    writeTree(next, { ...changes.fresh, ...metadata, ...gateManifests(true, "OKD") });
    for (const [release, isEnabled] of [
      [{}, false],
      [{ featureSet: "OKD" }, true],
      [{ featureSet: "OKD", profile: "ibm-cloud-managed" }, false],
      [{ featureSet: "TechPreviewNoUpgrade" }, false],
    ] as const) {
      const directory = packageFor(nothing);
      configure(directory, (spec) => Object.assign(spec, { release }));
      succeed(run(["update-requests", "--from", next, directory]));
      const { [gatesFile]: text = "", ...others } = readTree(directory);
      const { metadata: own, spec, status } = load(text) as Any;
      const set = "featureSet" in release ? release.featureSet : "Default";
      expect(own.annotations["config.kubernetes.io/local-config"]).toBe("true");
      expect(own.annotations["release.openshift.io/feature-set"]).toBe(set);
      expect([own.name, spec.featureSet ?? "Default"]).toEqual(["release-feature-gates", set]);
      const [{ enabled }] = status.featureGates;
      expect(enabled.some(({ name }: Any) => name === gate)).toBe(isEnabled);
      expect(Object.values(others).join("").includes("kind: FeatureGate")).toBe(false);
      expect("credentials-requests/fresh.yaml" in others).toBe(isEnabled);
    }
  });
});

describe("the plugin of kustomize", () => {
  const plugin = (directory: string, config: Any = {}) => {
    const home = temporary();
    symlinkSync(ccf, join(home, "ClusterIdentity"));
    const files = readTree(directory);
    const identity = load(files["cluster-identity.yaml"] ?? "") as Any;
    const path = join(home, "config.yaml");
    writeFileSync(path, dump({ ...identity, metadata: { ...identity.metadata, ...config } }));
    const input = Object.entries(files)
      .filter(([name]) => name.startsWith("credentials-requests/"))
      .map(([, text]) => text)
      .join("---\n");
    return runProgram(process.execPath, [join(home, "ClusterIdentity"), path], { input });
  };
  const gates = (stream: string) =>
    (loadAll(stream) as Any[]).flatMap(({ kind, metadata: own }) => (kind === "FeatureGate" ? [own.annotations] : []));

  it("prints nothing without a Secret that a cluster may have, and the gates only as what kustomize drops", () => {
    const unknown = plugin(updatedFor("till", nothing));
    expect([outcome(unknown), unknown.stdout]).toEqual([[1, "error secret-lost", warned], ""]);
    const allowed = plugin(updatedFor("till", nothing), {
      annotations: { "fn.cloudcredential.dev/allow": `removal:${tillKey}` },
    });
    expect([...outcome(allowed), secretsIn(allowed.stdout)]).toEqual([
      ...[0, warned, "warning secret-lost", [keyOf("shop")]],
    ]);
    const enabled = plugin(updatedFor("till", { state: "enabled", by: "manifest" }));
    expect([...outcome(enabled), secretsIn(enabled.stdout)]).toEqual([0, two]);
    expect(gates(enabled.stdout)).toEqual([expect.objectContaining({ "config.kubernetes.io/local-config": "true" })]);
  });
});

describe("a capability that the next release splits off", () => {
  const capability = "capability.openshift.io/name";
  const split = { ...current, "till.yaml": asks("till", "sqs:SendMessage", { [capability]: "ImageRegistry" }) };
  const manifestOf = (kind: string, name: string, annotations: Any = {}) =>
    indexed(
      resourceOf({
        apiVersion: kind === "Deployment" ? "apps/v1" : "cloudcredential.openshift.io/v1",
        kind,
        metadata: { name, namespace: "shop", annotations: { [include]: "true", ...annotations } },
      }),
    );
  // A component that is new to the requests: its Deployment was there, and gets a capability.
  const fresh = { ...split, "fresh.yaml": asks("fresh", "ec2:DescribeVolumes", { [capability]: "Storage" }) };
  const oldIndex = [manifestOf("Deployment", "fresh"), manifestOf("CredentialsRequest", "till")];
  const newIndex = [
    manifestOf("Deployment", "fresh", { [capability]: "Storage" }),
    manifestOf("CredentialsRequest", "fresh", { [capability]: "Storage" }),
    manifestOf("CredentialsRequest", "till", { [capability]: "ImageRegistry" }),
  ];

  /** A package with some capabilities, the current release, and the next one, each with its index. */
  function sides() {
    const [directory, next, previous] = [packageFor(nothing), temporary(), temporary()];
    configure(directory, (spec) => Object.assign(spec, { release: { capabilities: ["Ingress"] } }));
    writeTree(next, completed({ ...fresh, ...metadata, "manifests-index.json": writeIndex(newIndex) }));
    writeTree(previous, completed({ "shop.yaml": "kind: Nothing\n", "manifests-index.json": writeIndex(oldIndex) }));
    return { directory, next, previous };
  }
  const warning = "warning capabilities-by-requests";

  /** What the four commands say about the same upgrade. */
  function answers(directory: string, next: string, flags: string[] = []) {
    const diff = run(["diff", directory, next, ...flags]);
    const report = run(["report", "-o", "json", "--credentials-requests", next, ...flags, directory]);
    const { ready, lacks } = JSON.parse(report.stdout);
    const allowing = [
      "upgradeable-to",
      "4.22",
      "--status",
      statusFile(digest),
      "--credentials-requests",
      next,
      ...flags,
    ];
    const allowed = run([...allowing, directory]);
    const update = run(["update-requests", "-o", "json", "--check", "--from", next, ...flags, directory]);
    const { new: added, gone, capabilities, findings } = JSON.parse(update.stdout);
    return {
      diff: [...outcome(diff), verdictIn(diff)],
      report: [...outcome(report), ready, ...lacks.map(({ secret }: Any) => secret)],
      allowed: outcome(allowed),
      update: [update.status, ...findings.map(({ tags }: Any) => tags.code), { added, gone, capabilities }],
    };
  }

  it("is enabled, and nothing is gone, with a warning if only the requests are known", () => {
    const { directory, next } = sides();
    expect(answers(directory, next)).toEqual({
      diff: [0, warning, "No changes of permissions."],
      report: [0, warning, true],
      allowed: [0, warning],
      update: [2, "capabilities-by-requests", { added: [], gone: [], capabilities: ["ImageRegistry"] }],
    });
  });

  it("is enabled by other manifests, too, if both indexes are given", () => {
    const { directory, next, previous } = sides();
    expect(answers(directory, next, ["--previous-release", previous])).toEqual({
      diff: [2, "Verdict, permissions only: broadened (1 new, 2 unchanged)."],
      report: [2, false, freshKey],
      allowed: [2, "error permissions-missing"],
      update: [2, { added: [freshKey], gone: [], capabilities: ["ImageRegistry", "Storage"] }],
    });
  });

  it("is not enabled for what the cluster does not have", () => {
    const { directory, next, previous } = sides();
    // Nothing of the cluster's release is in the index.
    writeTree(previous, completed({ "shop.yaml": "kind: Nothing\n", "manifests-index.json": writeIndex([]) }));
    expect(answers(directory, next, ["--previous-release", previous])).toEqual({
      diff: [0, "Verdict, permissions only: narrowed (1 gone, 1 unchanged)."],
      report: [0, true],
      allowed: [0],
      update: [2, { added: [], gone: [tillKey], capabilities: undefined }],
    });
  });

  it("is enabled anyway in a cluster with all capabilities", () => {
    const { next } = sides();
    expect(answers(packageFor(nothing), next)).toEqual({
      diff: [2, "Verdict, permissions only: broadened (1 new, 2 unchanged)."],
      report: [2, false, freshKey],
      allowed: [2, "error permissions-missing"],
      update: [2, { added: [freshKey], gone: [], capabilities: undefined }],
    });
  });

  it("is written into the configuration, after which every command agrees without the indexes", () => {
    const { directory, next, previous } = sides();
    succeed(run(["update-requests", "--from", next, "--previous-release", previous, directory]));
    expect(releaseIn(directory)).toEqual({ capabilities: ["Ingress", "ImageRegistry", "Storage"], version: "4.22" });
    const done = run(["render", directory]);
    expect([...outcome(done), secretsIn(run(["render", "--stdout", directory]).stdout)]).toEqual([0, three]);
    expect(answers(directory, next, ["--previous-release", previous])).toMatchObject({
      diff: [0, "No changes of permissions."],
      report: [0, true],
      update: [0, { added: [], gone: [] }],
    });
  });
});
