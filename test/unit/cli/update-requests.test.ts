import fc from "fast-check";
import { dump, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { readItems } from "../../../src/cli/files/read-objects.ts";
import { FindingsError } from "../../../src/cli/terminal/errors.ts";
import { changesOf, planFinal, planUpdate, type UpdatePlan } from "../../../src/cli/update-requests/plan-update.ts";
import { countedOf, type Release, subjectOf } from "../../../src/cli/update-requests/release.ts";
import { roleDefinitionsOf } from "../../../src/clouds/inspectors.ts";
import { diffIdentities } from "../../../src/diff/diff.ts";
import type { IndexedManifest } from "../../../src/requests/manifests-index.ts";
import { parseDocuments } from "../../../src/yaml/documents.ts";
import { isProblem } from "../../../src/yaml/source.ts";
import { type Any, request } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import "../../helpers/seed.ts";

type Files = Readonly<Record<string, string>>;
type Objects = Readonly<Record<string, Any>>;

const of = "include.release.openshift.io/self-managed-high-availability";
const transition = "fn.cloudcredential.dev/transition";
const requests = "credentials-requests";
const key = (name: string) => `ns-${name}/credentials`;

/** A release's request for AWS: its name determines its Secret. */
function asks(
  name: string,
  actions: readonly string[],
  { annotations = {}, spec = {}, effect = "Allow" }: Any = {},
): Any {
  const providerSpec = { kind: "AWSProviderSpec", statementEntries: [{ effect, action: actions, resource: "*" }] };
  return request(name, { annotations: { [of]: "true", ...annotations }, spec: { providerSpec, ...spec } });
}

const texts = (objects: Objects): Files =>
  Object.fromEntries(
    Object.entries(objects).map(([path, object]) => [
      path,
      typeof object === "string"
        ? object
        : [object]
            .flat()
            .map((one) => dump(one))
            .join("---\n"),
    ]),
  );

function identity(
  release: Any = {},
  platform: Any = { aws: { accountID: "123456789012", region: "us-east-2" } },
): string {
  const metadata = { name: "demo" };
  return dump({
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata,
    spec: { release, platform },
  });
}

function filesOf(some: Files) {
  return Object.entries(some).map(([path, text]) => {
    const source = parseDocuments(text);
    if (isProblem(source)) throw new Error(source.reason);
    return { path, source, items: readItems(path, source, []) };
  });
}

const packageOf = (some: Files) => ({ directory: "", files: filesOf(some), subpackages: [], findings: [] });

function releaseOf(objects: Objects, facts: Partial<Release> = {}): Release {
  const all = texts(objects);
  const items = filesOf(all).flatMap((file) => file.items);
  const known = { version: undefined, index: undefined, previous: undefined, ...facts };
  return { named: '--from "next"', texts: new Map(Object.entries(all)), items, ...known };
}

/** A package whose requests have these files. */
function pack(objects: Objects, config = identity()): Files {
  const own = texts(objects);
  return {
    "cluster-identity.yaml": config,
    ...Object.fromEntries(Object.entries(own).map(([path, text]) => [`${requests}/${path}`, text])),
  };
}

function applied(files: Files, plan: Pick<UpdatePlan, "steps">): Files {
  const after = new Map(Object.entries(files));
  for (const { path, before, after: text } of changesOf(plan)) {
    expect(after.get(path), path).toBe(before);
    if (text === undefined) after.delete(path);
    else after.set(path, text);
  }
  return Object.fromEntries([...after].sort());
}

const lists = (plan: UpdatePlan) =>
  Object.fromEntries(
    (["new", "changed", "kept", "gone", "unknown"] as const).flatMap((name) =>
      plan[name].length === 0 ? [] : [[name, plan[name].map((one) => one.key)]],
    ),
  );

function update(files: Files, release: Objects, facts: Partial<Release> = {}) {
  const plan = planUpdate(packageOf(files), releaseOf(release, facts));
  const after = applied(files, plan);
  return { plan, after, lists: lists(plan), paths: Object.keys(after).filter((path) => path.startsWith(requests)) };
}

function refused(run: () => unknown): string[][] {
  try {
    run();
  } catch (error) {
    if (error instanceof FindingsError)
      return error.findings.map(({ code, file, message }) => [code, `${file?.path ?? ""}: ${message}`]);
    throw error;
  }
  throw new Error("not refused");
}

/** The verdicts of what a package asks for, compared with objects that ask for something. */
function verdict(from: Files, to: Files) {
  const [old, now] = [from, to].map((files) => {
    const subject = subjectOf(packageOf(files));
    return countedOf(subject, subject.items).identities;
  }) as [Any, Any];
  return diffIdentities(old, now, roleDefinitionsOf()).verdict;
}

describe("the update of a package", () => {
  const before = asks("a", ["s3:Get", "s3:Put"]);
  it.each<[string, Objects, Objects, Any, readonly string[]]>([
    [
      "adds a new request",
      { "1.yaml": before },
      { "1.yaml": before, "2.yaml": asks("b", ["s3:Get"]) },
      { new: [key("b")] },
      ["1.yaml", "2.yaml"],
    ],
    [
      "replaces one that needs more",
      { "1.yaml": before },
      { "1.yaml": asks("a", ["s3:*"]) },
      { changed: [key("a")] },
      ["1.yaml"],
    ],
    [
      "keeps one that needs what the new one does not allow",
      { "1.yaml": before },
      { "1.yaml": asks("a", ["s3:Get", "s3:List"]) },
      { changed: [key("a")], kept: [key("a")] },
      ["1.yaml", "previous-release/1.yaml"],
    ],
    [
      "keeps one that is gone, in its file",
      { "1.yaml": before, "2.yaml": asks("b", ["s3:Get"]) },
      { "2.yaml": asks("b", ["s3:Get"]) },
      { kept: [key("a")], gone: [key("a")] },
      ["1.yaml", "2.yaml"],
    ],
    [
      "keeps one that the release deletes",
      { "1.yaml": before, "2.yaml": asks("b", ["s3:Get"]) },
      {
        "1.yaml": asks("a", ["s3:Get"], { annotations: { "release.openshift.io/delete": "true" } }),
        "2.yaml": asks("b", ["s3:Get"]),
      },
      { kept: [key("a")], gone: [key("a")] },
      ["1.yaml", "2.yaml", "previous-release/1.yaml"],
    ],
    [
      "keeps one whose service accounts become fewer",
      { "1.yaml": asks("a", ["s3:Get"], { spec: { serviceAccountNames: ["x", "y"] } }) },
      { "1.yaml": asks("a", ["s3:Get"], { spec: { serviceAccountNames: ["x"] } }) },
      { changed: [key("a")], kept: [key("a")] },
      ["1.yaml", "previous-release/1.yaml"],
    ],
    ["replaces a renamed file", { "1.yaml": before }, { "2.yaml": before }, {}, ["2.yaml"]],
    [
      "keeps one in its own file if the new one is in another",
      { "1.yaml": before },
      { "2.yaml": asks("a", ["s3:Get"]) },
      { changed: [key("a")], kept: [key("a")] },
      ["1.yaml", "2.yaml"],
    ],
    [
      "treats a moved Secret as a new identity",
      { "1.yaml": before },
      { "1.yaml": { ...before, spec: { ...before.spec, secretRef: { namespace: "ns-b", name: "credentials" } } } },
      { new: [key("b")], kept: [key("a")], gone: [key("a")] },
      ["1.yaml", "previous-release/1.yaml"],
    ],
    [
      "does not add one that does not count, and updates and removes those that the package has",
      {
        "1.yaml": before,
        "2.yaml": asks("b", ["s3:Get"], {
          annotations: { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" },
        }),
        "3.yaml": asks("c", ["s3:Get"], {
          annotations: { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" },
        }),
      },
      {
        "1.yaml": before,
        "2.yaml": asks("b", ["s3:Put"], { annotations: { "release.openshift.io/feature-set": "OKD" } }),
        "4.yaml": asks("d", ["s3:Put"], { annotations: { "release.openshift.io/feature-set": "OKD" } }),
      },
      {},
      ["1.yaml", "2.yaml"],
    ],
    [
      "adds one that depends on a gate of unknown state, and says so",
      { "1.yaml": before },
      {
        "1.yaml": before,
        "2.yaml": asks("b", ["s3:Put"], { annotations: { "release.openshift.io/feature-gate": "Some" } }),
      },
      { unknown: [key("b")] },
      ["1.yaml", "2.yaml"],
    ],
    [
      "takes the requests of its cloud, with the names of their files",
      { "1.yaml": before },
      { "aws/1.yaml": before, "gcp/1.yaml": request("a", { spec: { providerSpec: { kind: "GCPProviderSpec" } } }) },
      {},
      ["1.yaml"],
    ],
    [
      "keeps one of a file with several",
      { "1.yaml": [before, asks("b", ["s3:Get"])] },
      { "1.yaml": [asks("a", ["s3:Get"]), asks("b", ["s3:Get"])] },
      { changed: [key("a")], kept: [key("a")] },
      ["1.yaml", "previous-release/1.yaml"],
    ],
  ])("%s", (_, old, now, said, paths) => {
    const files = pack(old);
    const done = update(files, now);
    expect([done.lists, done.paths]).toEqual([said, paths.map((path) => `${requests}/${path}`)]);
    // Everybody has what they had, and what they need next; a second run changes nothing.
    expect("unknown" in said ? ["unknown"] : ["none", "broadened"]).toContain(verdict(files, done.after));
    expect(update(done.after, now).plan.steps).toEqual([]);
    // Afterwards, exactly the release is left.
    const final = planFinal(packageOf(done.after), releaseOf(now));
    const last = applied(done.after, final);
    const release = texts(now);
    for (const [path, text] of Object.entries(last).filter(([path]) => path.startsWith(requests)))
      expect(Object.values(release), path).toContain(text);
    expect(planFinal(packageOf(last), undefined).steps).toEqual([]);
  });

  it("keeps every byte of a request that stays but the annotation, and renames it if the new one has its name", () => {
    const text = `# A comment.\n${dump(before).replace("spec:", "# Another.\nspec: # third")}`;
    const own = update(pack({ "1.yaml": text }), { "1.yaml": asks("a", ["s3:Get"]) }).after;
    const kept = own[`${requests}/previous-release/1.yaml`] ?? "";
    expect(kept).toBe(
      text
        .replace("name: a\n", "name: a-previous-release\n")
        .replace(`${of}: 'true'\n`, `${of}: 'true'\n    ${transition}: previous-release\n`),
    );
    const alone = update(pack({ "1.yaml": text, "2.yaml": asks("b", ["s3:Get"]) }), {
      "2.yaml": asks("b", ["s3:Get"]),
    });
    expect((load(alone.after[`${requests}/1.yaml`] ?? "") as Any).metadata).toMatchObject({
      name: "a",
      annotations: { [transition]: "previous-release" },
    });
  });

  it("does not touch requests of users and OLM operators, and other objects", () => {
    const mine = request("mine");
    const subscription = {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "Subscription",
      metadata: { name: "o", namespace: "ns-o" },
    };
    const files: Files = {
      ...pack({ "1.yaml": before, "mine.yaml": mine, "o.yaml": [request("o"), subscription] }),
      "elsewhere/2.yaml": dump(asks("old", ["s3:Get"])),
    };
    const { after } = update(files, { "1.yaml": asks("a", ["s3:*"]) });
    const { [`${requests}/1.yaml`]: _, ...rest } = after;
    const { [`${requests}/1.yaml`]: __, ...untouched } = files;
    expect(rest).toEqual(untouched);
  });

  it("says why a request stays, even if that is undecided", () => {
    const odd = (more: Any) => ({
      ...before,
      spec: { ...before.spec, providerSpec: { ...before.spec.providerSpec, ...more } },
    });
    const why = (old: Any, now: Any) =>
      update(pack({ "1.yaml": old }), { "1.yaml": now }).plan.kept.map((one) => one.why);
    expect(why(before, asks("a", ["s3:Get"]))).toEqual(["the release does not allow s3:Put"]);
    expect(why(odd({ unknownLimit: "x" }), before)).toEqual([
      expect.stringMatching(/^it is undecided whether the release allows /),
    ]);
  });

  it("goes by the capabilities and gates of the package", () => {
    const release = {
      "1.yaml": before,
      "2.yaml": asks("b", ["s3:Get"], { annotations: { "capability.openshift.io/name": "Storage" } }),
      "3.yaml": asks("c", ["s3:Get"], { annotations: { "release.openshift.io/feature-gate": "Some" } }),
    };
    const taken = (config: Any) => update(pack({ "1.yaml": before }, identity(config)), release).lists["new"];
    expect(taken({})).toEqual([key("b")]);
    expect(taken({ capabilities: ["Console"] })).toBeUndefined();
    expect(taken({ capabilities: ["Storage"], featureGates: ["Some"] })).toEqual([key("b"), key("c")]);
    // A request that the package's cluster no longer counts is one that is gone.
    const gone = {
      "1.yaml": before,
      "2.yaml": asks("b", ["s3:Get"], { annotations: { "release.openshift.io/feature-gate": "Some" } }),
    };
    const updated = (config: Any) =>
      update(pack({ "1.yaml": before, "2.yaml": asks("b", ["s3:Get"]) }, identity(config)), gone).lists;
    expect(updated({ featureGates: ["-Some"] })).toMatchObject({ gone: [key("b")], kept: [key("b")] });
    expect(updated({})).toEqual({ changed: [key("b")], unknown: [key("b")] });
  });

  describe("with what the release says about itself", () => {
    const gate = (annotations: Any, ...enabled: string[]) => ({
      apiVersion: "config.openshift.io/v1",
      kind: "FeatureGate",
      metadata: { name: "cluster", annotations: { [of]: "false-except-for-the-config-operator", ...annotations } },
      spec: {},
      status: {
        featureGates: [{ version: "", enabled: enabled.map((name) => ({ name })), disabled: [{ name: "Other" }] }],
      },
    });
    const setOf = (name: string) => ({ "release.openshift.io/feature-set": name });
    const gated = (name: string, gates: string) =>
      asks(name, ["s3:Get"], { annotations: { "release.openshift.io/feature-gate": gates } });
    const release = (...enabled: string[]) => ({
      "1.yaml": before,
      "2.yaml": gated("b", "Some"),
      "0000_50_featureGate-Default.yaml": gate(setOf("Default"), ...enabled),
      "0000_50_featureGate-Tech.yaml": gate(setOf("TechPreviewNoUpgrade"), "Some"),
    });
    const gatesFile = `${requests}/feature-gates.yaml`;

    it("brings the gates of the package's feature set along, as an object that no tool applies", () => {
      const { after, lists: said, paths } = update(pack({ "1.yaml": before }), release("Some"), { version: "4.22.3" });
      expect(said).toEqual({ new: [key("b")] });
      expect(paths).toEqual(["1.yaml", "2.yaml", "feature-gates.yaml"].map((path) => `${requests}/${path}`));
      expect(load(after[gatesFile] ?? "")).toEqual({
        apiVersion: "config.openshift.io/v1",
        kind: "FeatureGate",
        metadata: {
          name: "release-feature-gates",
          annotations: {
            "config.kubernetes.io/local-config": "true",
            [of]: "false-except-for-the-config-operator",
            ...setOf("Default"),
          },
        },
        spec: {},
        status: { featureGates: [{ version: "", enabled: [{ name: "Some" }], disabled: [{ name: "Other" }] }] },
      });
      expect((load(after["cluster-identity.yaml"] ?? "") as Any).spec.release).toEqual({ version: "4.22" });
      expect(update(after, release("Some"), { version: "4.22.3" }).plan.steps).toEqual([]);
      // A gate that the next release does not enable any more.
      const next = update(after, release(), { version: "4.23.0" });
      expect(next.lists).toMatchObject({ gone: [key("b")], kept: [key("b")] });
      expect(next.plan.version).toEqual(["4.22", "4.23"]);
    });

    it("has those of the package's own feature set, and none of another release", () => {
      const tech = identity({ featureSet: "TechPreviewNoUpgrade" });
      const first = update(pack({ "1.yaml": before }, tech), release());
      expect([first.lists, load(first.after[gatesFile] ?? "")]).toMatchObject([
        { new: [key("b")] },
        { spec: { featureSet: "TechPreviewNoUpgrade" } },
      ]);
      const { "1.yaml": one, "2.yaml": two } = release();
      const without = update(first.after, { "1.yaml": one, "2.yaml": two });
      expect(without.paths).toEqual([`${requests}/1.yaml`, `${requests}/2.yaml`]);
      expect(without.lists).toEqual({ unknown: [key("b")] });
      expect(without.plan.findings).toMatchObject([{ severity: "warning", code: "feature-gate-unknown" }]);
    });

    it("says that the version of the package stays if the release does not say its own", () => {
      const left = (config: Any, facts: Partial<Release> = {}) =>
        update(pack({ "1.yaml": before }, identity(config)), release(), facts).plan.versionLeft;
      expect(left({ version: "4.21" })).toBe("4.21");
      expect([left({}), left({ version: "4.21" }, { version: "4.22.3" })]).toEqual([undefined, undefined]);
    });

    it("refuses requests in a file with the name that the gates need", () => {
      const named = { "1.yaml": before, "feature-gates.yaml": asks("b", ["s3:Get"]) };
      expect(() => update(pack({ "1.yaml": before }), named)).toThrow(
        '--from "next" contains requests in a file that a package needs for something else, "credentials-requests/feature-gates.yaml"; rename the file',
      );
    });

    it("replaces manifests that a user put beside the requests", () => {
      const manual = pack({ "1.yaml": before, "0000_50_featureGate-Default.yaml": gate(setOf("Default")) });
      expect(update(manual, release("Some")).paths).toEqual(
        ["1.yaml", "2.yaml", "feature-gates.yaml"].map((path) => `${requests}/${path}`),
      );
    });

    it("does not ask a dump of the cluster, which knows another release", () => {
      const dump = {
        ...gate({}),
        metadata: { name: "cluster" },
        status: { featureGates: [{ version: "4.21.3", disabled: [{ name: "Some" }] }] },
      };
      const { "1.yaml": one, "2.yaml": two } = release();
      const files = pack({ "1.yaml": before, "../dump.yaml": dump });
      expect(update(files, { "1.yaml": one, "2.yaml": two, "dump.yaml": dump }).lists).toEqual({ unknown: [key("b")] });
    });

    const capable = (names: string) =>
      asks("c", ["s3:Get"], { annotations: { "capability.openshift.io/name": names } });
    const manifest = (kind: string, capability?: string): IndexedManifest => ({
      group: kind === "Deployment" ? "apps" : "cloudcredential.openshift.io",
      kind,
      namespace: "openshift-cloud-credential-operator",
      name: "c",
      annotations: new Map([
        [of, "true"],
        ...(capability === undefined ? [] : [["capability.openshift.io/name", capability] as const]),
      ]),
    });

    it("enables a capability that the next release makes of what the cluster has", () => {
      const config = identity({ capabilities: ["Console", "Ingress"] });
      const old = pack({ "1.yaml": before, "3.yaml": asks("c", ["s3:Get"]) }, config);
      const next = { "1.yaml": before, "3.yaml": capable("ImageRegistry+Ingress") };
      const { plan, after, lists: said } = update(old, next);
      expect([plan.capabilities, said]).toEqual([["ImageRegistry"], { changed: [key("c")] }]);
      expect((load(after["cluster-identity.yaml"] ?? "") as Any).spec.release.capabilities).toEqual([
        "Console",
        "Ingress",
        "ImageRegistry",
      ]);
      expect(plan.findings).toMatchObject([{ severity: "warning", code: "capabilities-by-requests" }]);
      expect(update(after, next).plan.steps).toEqual([]);
    });

    it("decides by all manifests of both releases, if they are given: a new request comes in with another object", () => {
      const old = pack({ "1.yaml": before }, identity({ capabilities: ["Ingress"] }));
      const next = { "1.yaml": before, "3.yaml": capable("ImageRegistry") };
      expect(update(old, next).lists).toEqual({});
      const known = (manifests: readonly IndexedManifest[]) => ({ manifests, gates: [], version: "4.21.3" });
      const index = [manifest("CredentialsRequest", "ImageRegistry"), manifest("Deployment", "ImageRegistry")];
      const { plan, lists: said } = update(old, next, { index, previous: known([manifest("Deployment")]) });
      expect([plan.capabilities, said, plan.findings]).toEqual([["ImageRegistry"], { new: [key("c")] }, []]);
      expect(update(old, next, { index, previous: known([manifest("Deployment", "Other")]) }).lists).toEqual({});
    });
  });

  it("keeps roles and permissions of GCP, and compares them by their definitions", () => {
    const gcp = (more: Any) =>
      request("a", { annotations: { [of]: "true" }, spec: { providerSpec: { kind: "GCPProviderSpec", ...more } } });
    const config = identity({}, { gcp: { projectID: "my-project", projectNumber: "123456789012" } });
    const dns = { predefinedRoles: ["roles/dns.admin"] };
    const kept = (old: Any, now: Any) =>
      update(pack({ "1.yaml": gcp(old) }, config), { "1.yaml": gcp(now) }).lists["kept"];
    expect(kept({ permissions: ["dns.changes.get"] }, dns)).toBeUndefined();
    expect(kept(dns, { permissions: ["dns.changes.get"] })).toEqual([key("a")]);
    expect(kept({ predefinedRoles: ["roles/unknown.role"] }, dns)).toEqual([key("a")]);
  });

  it("is finished by a second run wherever the first one stopped", () => {
    const files = pack({
      "1.yaml": before,
      "2.yaml": asks("b", ["s3:Get", "s3:Put"]),
      "3.yaml": asks("c", ["s3:Get"]),
      "5.yaml": asks("e", ["s3:Get"]),
    });
    const release = {
      "1.yaml": asks("a", ["s3:Get"]),
      "4.yaml": asks("b", ["s3:Get"]),
      "6.yaml": asks("e", ["s3:Get"]),
    };
    const { plan, after } = update(files, release);
    const changes = changesOf(plan);
    expect(changes.length).toBeGreaterThan(5);
    for (let count = 0; count <= changes.length; count++) {
      const interrupted = applied(files, { steps: [{ changes: changes.slice(0, count) }] });
      expect(update(interrupted, release).after, String(count)).toEqual(after);
    }
  });

  it("allows at least what both releases need, and in the end exactly the new one", () => {
    const action = fc.constantFrom("s3:Get", "s3:Put", "s3:*", "ec2:Run", "ec2:R*");
    const one = fc.record({
      name: fc.constantFrom("a", "b", "c"),
      actions: fc.uniqueArray(action, { minLength: 1, maxLength: 3 }),
      accounts: fc.uniqueArray(fc.constantFrom("x", "y", "z"), { minLength: 1 }),
      file: fc.constantFrom("1.yaml", "2.yaml", "3.yaml"),
    });
    const release = fc.uniqueArray(one, { selector: ({ name }) => name, minLength: 1, maxLength: 3 }).map((all) => {
      const files: Record<string, Any[]> = {};
      for (const { name, actions, accounts, file } of all) {
        const own = files[file] ?? [];
        files[file] = [...own, asks(name, actions, { spec: { serviceAccountNames: accounts } })];
      }
      return files;
    });
    fc.assert(
      fc.property(release, release, (old, now) => {
        const [files, next] = [pack(old), pack(now)];
        const done = update(files, now);
        for (const from of [files, next]) expect(["none", "broadened"]).toContain(verdict(from, done.after));
        const last = applied(done.after, planFinal(packageOf(done.after), releaseOf(now)));
        expect(last).toEqual(Object.fromEntries(Object.entries(next).sort()));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("a package stays as it is", () => {
  const before = asks("a", ["s3:Get", "s3:Put"]);
  const refusal = (files: Files, release: Objects) => refused(() => planUpdate(packageOf(files), releaseOf(release)));

  it.each<[string, Files, Objects, string, RegExp]>([
    [
      "if no request counts for it",
      pack({ "1.yaml": before }),
      { "1.yaml": request("a", { spec: { providerSpec: { kind: "GCPProviderSpec" } } }) },
      "no-request-for-package",
      /^cluster-identity.yaml: --from "next" has no request that counts for this cluster on AWS, /,
    ],
    [
      "if the old request denies something",
      pack({
        "1.yaml": [asks("a", ["s3:Get"], { effect: "Deny" })].map((one) => ({
          ...one,
          spec: {
            ...one.spec,
            providerSpec: {
              ...one.spec.providerSpec,
              statementEntries: [
                ...one.spec.providerSpec.statementEntries,
                ...before.spec.providerSpec.statementEntries,
              ],
            },
          },
        })),
      }),
      { "1.yaml": asks("a", ["s3:List"]) },
      "transition-conflict",
      /^credentials-requests\/1.yaml: .* "Deny".* Choose: replace this request with the new one, if .*; or remove the statements /,
    ],
    [
      "if only the path of the token changes",
      pack({ "1.yaml": before }),
      { "1.yaml": asks("a", ["s3:Get", "s3:Put"], { spec: { cloudTokenPath: "/new" } }) },
      "transition-conflict",
      /^.*: the new one expects its token at a different path \("\/new"\) than this one \("\/var\/run\/secrets\/openshift\/serviceaccount\/token"\), .* or set "spec\.cloudTokenPath" of this request to "\/new"/,
    ],
    [
      "if the request is in another directory",
      { ...pack({}), "requests/1.yaml": dump(before) },
      { "1.yaml": before },
      "request-elsewhere",
      /^requests\/1.yaml: names the same Secret as the release's CredentialsRequest /,
    ],
    [
      "if an OLM operator has the Secret",
      pack({
        "1.yaml": {
          ...before,
          metadata: { ...before.metadata, annotations: { "fn.cloudcredential.dev/subscription": "o" } },
        },
      }),
      { "1.yaml": before },
      "request-elsewhere",
      /^credentials-requests\/1.yaml: /,
    ],
    [
      "if a file with the name of one of the release contains something else",
      pack({ "1.yaml": [before, request("mine")] }),
      { "1.yaml": asks("a", ["s3:*"]) },
      "request-file-shared",
      /^credentials-requests\/1.yaml: .* also contains CredentialsRequest "openshift-cloud-credential-operator\/mine"/,
    ],
    [
      "if its requests are those of two releases",
      pack({ "1.yaml": before, "2.yaml": asks("a", ["s3:List"]) }),
      { "1.yaml": asks("a", ["s3:*"]) },
      "secret-shared",
      /^credentials-requests\/2.yaml: /,
    ],
  ])("%s", (_, files, release, code, said) => {
    expect(refusal(files, release)).toEqual([[code, expect.stringMatching(said)]]);
  });

  it("if a third release changes a request that is still kept, but not if another one is", () => {
    const first = update(pack({ "1.yaml": before, "2.yaml": asks("b", ["s3:Get"]) }), {
      "1.yaml": asks("a", ["s3:Get"]),
      "2.yaml": asks("b", ["s3:Get"]),
    });
    const third = { "1.yaml": asks("a", ["s3:List"]), "2.yaml": asks("b", ["s3:Get"]) };
    expect(refusal(first.after, third)).toEqual([
      [
        "transition-unfinished",
        expect.stringMatching(
          /^credentials-requests\/1.yaml: .* still stays from an earlier one\. If that upgrade is finished, run "ccf update-requests --final" in the package/,
        ),
      ],
    ]);
    const other = { "1.yaml": asks("a", ["s3:Get"]), "2.yaml": asks("b", ["s3:List"]) };
    expect(update(first.after, other).lists["kept"]).toEqual([key("a"), key("b")]);
    const final = applied(first.after, planFinal(packageOf(first.after), undefined));
    expect(update(final, third).lists).toEqual({ changed: [key("a")], kept: [key("a")] });
  });

  it("with --final, if it has another release", () => {
    const files = pack({ "1.yaml": before });
    expect(refused(() => planFinal(packageOf(files), releaseOf({ "1.yaml": asks("a", ["s3:Get"]) })))).toEqual([
      [
        "update-missing",
        expect.stringMatching(/^cluster-identity.yaml: .* \("ns-a\/credentials"\), so its upgrade is not finished/),
      ],
    ]);
  });
});
