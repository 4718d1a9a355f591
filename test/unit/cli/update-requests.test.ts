import fc from "fast-check";
import { dump, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { readItems } from "../../../src/cli/files/read-objects.ts";
import { FindingsError } from "../../../src/cli/terminal/errors.ts";
import { changesOf, planFinal, planUpdate, type UpdatePlan } from "../../../src/cli/update-requests/plan-update.ts";
import { countedOf, subjectOf } from "../../../src/cli/update-requests/release.ts";
import { roleDefinitionsOf } from "../../../src/clouds/inspectors.ts";
import { diffIdentities } from "../../../src/upgrade/diff.ts";
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

function releaseOf(objects: Objects) {
  const all = texts(objects);
  const items = filesOf(all).flatMap((file) => file.items);
  return { named: '--from "next"', texts: new Map(Object.entries(all)), items };
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
    (["new", "changed", "kept", "gone"] as const).flatMap((name) =>
      plan[name].length === 0 ? [] : [[name, plan[name].map((one) => one.key)]],
    ),
  );

function update(files: Files, release: Objects) {
  const plan = planUpdate(packageOf(files), releaseOf(release));
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
        "2.yaml": asks("b", ["s3:Put"], { annotations: { "release.openshift.io/feature-gate": "Some" } }),
        "4.yaml": asks("d", ["s3:Put"], { annotations: { "release.openshift.io/feature-gate": "Some" } }),
      },
      {},
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
    expect(["none", "broadened"]).toContain(verdict(files, done.after));
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
    expect(update(pack({ "1.yaml": before, "2.yaml": asks("b", ["s3:Get"]) }), gone).lists).toMatchObject({
      gone: [key("b")],
      kept: [key("b")],
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
