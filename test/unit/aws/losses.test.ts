import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configureOperators } from "../../../functions/configure-operators/function.ts";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import {
  type Any,
  expectFinding,
  identity,
  type Made,
  make,
  makeCredentials,
  makeOperators,
  publicKey,
  request,
  subscription,
} from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";

const both = [generateOidcIssuer, generateCloudCredentials];
const names = ["a", "b", "c", "d", "e"];
const allow = (list: string) => ({ metadata: { annotations: { "fn.cloudcredential.dev/allow": list } } });
const cure = (allowance: string) =>
  `If this is intended, add "--allow ${allowance}" to "ccf render", or set the annotation "fn.cloudcredential.dev/allow: ${allowance}" on the ClusterIdentity for one run.`;

/** The cure of removals that can be allowed by their names. */
const byName = (...keys: string[]) => {
  const words = keys.map((key) => `removal:${key}`).join(",");
  const annotate =
    keys.length > 1
      ? 'put the same list into the annotation "fn.cloudcredential.dev/allow" of the ClusterIdentity'
      : `set the annotation "fn.cloudcredential.dev/allow: ${words}" on the ClusterIdentity`;
  return `If this is intended, add "--allow ${words}" to "ccf render", or ${annotate}.`;
};
const secretOf = (name: string) => `ns-${name}/credentials`;
const lost = (name: string) =>
  `"ns-${name}/credentials" (component "ns-${name}/${name}-operator", role "demo-ns-${name}-credentials", Secret)`;

/** What a first run rendered, without the requests. */
function generated(requests: readonly Any[], config = identity(), fns = both): Any[] {
  const made = make(fns, config, requests);
  expect(made.exitCode).toBe(0);
  return JSON.parse(made.stdout).items.slice(requests.length);
}

const rendered = generated(names.map((name) => request(name)));
const again = (config: Any, requests: readonly Any[]) => make(both, config, [...requests, ...rendered]);
const said = ({ results }: Made, ...codes: string[]) =>
  results.filter(({ tags }) => codes.includes(tags.code)).map(({ severity, message }) => [severity, message]);
const paths = ({ stdout }: Made) =>
  JSON.parse(stdout).items.flatMap(({ metadata }: Any) => metadata.annotations?.["config.kubernetes.io/path"] ?? []);

describe("requests that are gone", () => {
  it("are an error that names component, role, Secret and flag, whatever their number, and nothing is removed", () => {
    for (const gone of [names, ["b"], ["a", "e"]]) {
      const left = names.filter((name) => !gone.includes(name)).map((name) => request(name));
      const made = again(identity(), left);
      expect(expectFinding(made, "error", "identities-lost")).toBe(
        `${gone.length} of 5 rendered identities would be removed, because the package contains no CredentialsRequest for them: ${gone.map(lost).join("; ")}. If a component still runs, put its request for this cluster back into the package. ${byName(...gone.map(secretOf))}`,
      );
      expect(made.exitCode).toBe(1);
      expect(JSON.parse(made.stdout).items).toHaveLength(rendered.length + left.length);
    }
  });

  it("are named whole in the flag, even if the message only counts some", () => {
    const many = Array.from({ length: 12 }, (_, index) => `n${10 + index}`);
    const before = generated(many.map((name) => request(name)));
    const message = expectFinding(make(both, identity(), before), "error", "identities-lost");
    expect(message).toContain("; and 4 more.");
    expect(message).toContain(byName(...many.map(secretOf)));
  });

  it("are removed if the release deletes them, although another cloud's request names the same Secret", () => {
    const deleted = request("a", { annotations: { "release.openshift.io/delete": "true" } });
    const other = request("a", { spec: { providerSpec: { kind: "GCPProviderSpec" } } });
    const left = names.slice(1).map((name) => request(name));
    for (const two of [
      [deleted, other],
      [other, deleted],
    ])
      expect(again(identity(), [...two, ...left]).exitCode).toBe(0);
  });

  it("are an error if the remaining requests are for another cloud", () => {
    const others = names.map((name) => request(name, { spec: { providerSpec: { kind: "GCPProviderSpec" } } }));
    const messages = (made: Made) => said(made, "identities-lost").map(([, message]) => message.split(":")[0]);
    expect(messages(again(identity(), others))).toEqual([
      "5 of 5 rendered identities would be removed, because only requests for another cloud name their Secrets",
    ]);
    expect(messages(again(identity(), others.slice(0, 2)))).toEqual([
      "2 of 5 rendered identities would be removed, because only requests for another cloud name their Secrets",
      "3 of 5 rendered identities would be removed, because the package contains no CredentialsRequest for them",
    ]);
  });

  it("are allowed by name, each for itself. The names may stay", () => {
    const config = identity(allow("removal:ns-a/credentials, removal:ns-b/credentials"));
    const one = again(
      config,
      names.slice(3).map((name) => request(name)),
    );
    expect(said(one, "identities-lost").map(([severity, message]) => [severity, message.slice(-100)])).toEqual([
      ["error", expect.stringContaining('allow: removal:ns-c/credentials" on the ClusterIdentity.')],
      ["warning", expect.stringMatching(/ This run allows it by name\.$/)],
    ]);
    const two = again(
      config,
      names.slice(2).map((name) => request(name)),
    );
    expect(two.exitCode).toBe(0);
    expect(said(two, "allow-annotation", "allow-unmatched")).toEqual([]);
    expect(said(two, "object-removed")).toHaveLength(4);
    const after = make(both, config, JSON.parse(two.stdout).items);
    expect(after.exitCode).toBe(0);
    expect(JSON.parse(after.stdout).items).toEqual(JSON.parse(two.stdout).items);
    expect(said(after, "allow-unmatched").map(([severity, message]) => [severity, message.slice(0, 80)])).toEqual([
      ["info", 'the run allows the removal of "ns-a/credentials", but nothing rendered has that '],
      ["info", 'the run allows the removal of "ns-b/credentials", but nothing rendered has that '],
    ]);
  });

  it("get a hint only for the first of many wrong names", () => {
    const wrong = Array.from({ length: 30 }, (_, at) => `removal:ns-a/credential${at}`).join(",");
    const notes = said(
      again(
        identity(allow(wrong)),
        names.map((name) => request(name)),
      ),
      "allow-unmatched",
    );
    expect(notes).toHaveLength(30);
    expect(notes.filter(([, message]) => message.includes("did you mean"))).toHaveLength(20);
  });

  it("suggest a name that was rendered only for a typing error", () => {
    const all = names.map((name) => request(name));
    const notes = (allowed: string) => said(again(identity(allow(allowed)), all), "allow-unmatched");
    expect(notes("removal:ns-a/credentails")[0]?.[1]).toContain('(did you mean "ns-a/credentials"?)');
    expect(notes("removal:ns-other/credentials")[0]?.[1]).toMatch(/but nothing rendered has that name\. If it was/);
  });

  it("are not confused with a Secret whose files have the same name", () => {
    const spec = (namespace: string, name: string) => ({ spec: { secretRef: { namespace, name } } });
    const before = generated([request("a", spec("x-y", "z")), request("b")]);
    const made = make(both, identity(), [request("a", spec("x", "y-z")), request("b"), ...before]);
    expect(expectFinding(made, "error", "identities-lost")).toContain(byName("x-y/z"));
  });

  it("are found by their role if its file no longer names the Secret", () => {
    const edited = rendered
      .filter(({ kind }) => kind !== "Secret")
      .map((item) =>
        item.data?.["identity.json"] ? { ...item, data: { ...item.data, "identity.json": "{}" } } : item,
      );
    const made = make(both, identity(), [...names.slice(1).map((name) => request(name)), ...edited]);
    expect(expectFinding(made, "error", "identities-lost")).toContain(byName("ConfigMap/aws-role-ns-a-credentials"));
    const allowed = identity(allow("removal:ConfigMap/aws-role-ns-a-credentials"));
    expect(make(both, allowed, [...names.slice(1).map((name) => request(name)), ...edited]).exitCode).toBe(0);
  });

  it("can be allowed by the annotation, and each run reports it", () => {
    const made = again(identity(allow("removal")), []);
    expect(made.exitCode).toBe(0);
    expect(expectFinding(made, "warning", "identities-lost")).toMatch(
      /back into the package\. This run allows it \("removal"\)\.$/,
    );
    expect(expectFinding(made, "warning", "allow-annotation")).toBe(
      'its annotation "fn.cloudcredential.dev/allow" allows "removal" in every run. Remove the annotation once the change is rendered.',
    );
    expect(paths(made).filter((path: string) => path.includes("ns-"))).toEqual([]);
    expectFinding(again(identity(allow("replace-key, replace-issuer")), []), "error", "identities-lost");
  });

  it("are not a loss if nothing was rendered, if the release deletes them, or if the configuration skips them", () => {
    expectFinding(makeCredentials(identity()), "warning", "no-requests");
    const deleted = names.map((name) => request(name, { annotations: { "release.openshift.io/delete": "true" } }));
    expect(again(identity(), deleted).exitCode).toBe(0);
    const overrides = Object.fromEntries(names.map((name) => [`ns-${name}/credentials`, { skip: true }]));
    const skipped = again(
      identity({ spec: { overrides } }),
      names.map((name) => request(name)),
    );
    expect(skipped.exitCode).toBe(0);
    expect(said(skipped, "identities-lost")).toEqual([]);
  });

  it("of another identity or function do not count", () => {
    const foreign = rendered.map((item) => {
      const owner = "fn.cloudcredential.dev/generated-by";
      const annotations = {
        ...item.metadata.annotations,
        [owner]: item.metadata.annotations[owner].replace("/demo", "/x"),
      };
      return { ...item, metadata: { ...item.metadata, annotations } };
    });
    expect(said(makeCredentials(identity(), foreign), "identities-lost")).toEqual([]);
  });

  it("have no effect on the issuer alone", () => {
    expect(make([generateOidcIssuer], identity(), rendered).exitCode).toBe(0);
  });

  it("are found without paths, as kustomize hands objects on", () => {
    const bare = rendered.map((item) => {
      const { "fn.cloudcredential.dev/generated-by": owner } = item.metadata.annotations;
      return { ...item, metadata: { ...item.metadata, annotations: { "fn.cloudcredential.dev/generated-by": owner } } };
    });
    expectFinding(makeCredentials(identity(), bare), "error", "identities-lost");
  });
});

describe("requests that the release excludes", () => {
  const needs = { "capability.openshift.io/name": "CloudCredential+Ingress" };
  const requests = names.map((name, index) => request(name, { annotations: index === 0 ? needs : {} }));
  const release = (capabilities: string[]) =>
    identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release: { capabilities } } });

  it("are an error that names the field, although it is one of five", () => {
    const made = again(release(["CloudCredential", "Ingres"]), requests);
    expect(expectFinding(made, "error", "identities-lost")).toBe(
      `"spec.release.capabilities" excludes requests that have rendered identities and Secrets, which would be removed: ${lost("a")}, because it requires the capability Ingress, which is not enabled. Correct the field. If a component should lose its credentials, set "spec.overrides.<namespace>/<name>.skip" to true. ${byName("ns-a/credentials")}`,
    );
    expect(expectFinding(made, "warning", "release-name-unknown")).toBe(
      '"spec.release.capabilities" names the unknown capability "Ingres" (did you mean "Ingress"?): it appears in no request and in no known release of OpenShift. Correct the name, or remove it.',
    );
  });

  it.each([
    ["featureSet", { featureSet: "Default" }, { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" }],
    ["featureGates", { featureGates: ["-ClusterAPI"] }, { "release.openshift.io/feature-gate": "ClusterAPI" }],
    ["profile", {}, { "include.release.openshift.io/ibm-cloud-managed": "true" }],
    [
      "excludeIdentifier",
      { excludeIdentifier: "x" },
      {
        "exclude.release.openshift.io/x": "true",
        "include.release.openshift.io/self-managed-high-availability": "true",
      },
    ],
  ])("by %s are", (field, rules, annotations) => {
    const config = identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release: rules } });
    const left = names.map((name, index) => request(name, { annotations: index === 0 ? annotations : {} }));
    const made = again(config, left);
    expectFinding(made, "error", "identities-lost");
    expect(made.results.find(({ tags }) => tags.code === "identities-lost").field.path).toBe(`spec.release.${field}`);
  });
});

describe("names in spec.release", () => {
  const check = (release: Any, annotations: Any = {}) =>
    said(
      makeCredentials(identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release } }), [
        request("one", { annotations }),
        request("two"),
      ]),
      "release-name-unknown",
    ).map(([, message]) => /the (.*)$/.exec(message)?.[1]);

  it.each<[string, Any, Any]>([
    ["known", { capabilities: ["Ingress", "baremetal"], featureGates: ["MachineAPIMigration"] }, {}],
    ["a request's own", { capabilities: ["Newer"] }, { "capability.openshift.io/name": "Newer" }],
    ["a request's own gate", { featureGates: ["NewGate"] }, { "release.openshift.io/feature-gate": "-NewGate" }],
    ["a gate that is disabled", { featureGates: ["-MachineAPIMigratoin"] }, {}],
    ["a request's own profile", { profile: "mine" }, { "include.release.openshift.io/mine": "true" }],
  ])("are %s: nothing is said", (_, release, annotations) => {
    expect(check(release, annotations)).toEqual([]);
  });

  it.each<[string, Any, string]>([
    [
      "gate",
      { featureGates: ["MachineAPIMigratoin"] },
      'unknown feature gate "MachineAPIMigratoin" (did you mean "MachineAPIMigration"?): it appears in no request and in no known release of OpenShift. Correct the name, or remove it.',
    ],
    [
      "profile",
      { profile: "self-managed-high-availabilty" },
      'unknown cluster profile "self-managed-high-availabilty" (did you mean "self-managed-high-availability"?): it appears in no request and in no known release of OpenShift. Correct the name, or remove it.',
    ],
    [
      "capability",
      { capabilities: ["QuiteDifferent"] },
      'unknown capability "QuiteDifferent": it appears in no request and in no known release of OpenShift. Correct the name, or remove it.',
    ],
  ])("that are misspelled are a warning: %s", (_, release, message) => {
    expect(check(release)).toEqual([message]);
  });
});

describe("output that other tools use for pruning", () => {
  const kustomize = { metadata: { annotations: { "config.kubernetes.io/function": "exec: {path: ccf}" } } };

  it("is refused without a request, in kustomize too", () => {
    expect(expectFinding(makeCredentials(identity(kustomize)), "error", "no-requests")).toBe(
      `No CredentialsRequest is included in this cluster, so no role and no Secret is generated. Add the release's requests for AWS to the package. ${cure("removal")}`,
    );
    const left = request("one", { annotations: { "release.openshift.io/feature-set": "X" } });
    expect(expectFinding(makeCredentials(identity(kustomize), [left]), "error", "no-requests")).toContain(
      '"spec.release" excludes 1 of the package\'s requests.',
    );
  });
});

describe("operators' requests", () => {
  const operator = request("one");
  const items = [operator, subscription("any", "ns-one")];
  const before = generated(items, identity(), [configureOperators]);

  it("that are gone are an error, with their Subscription or without", () => {
    for (const list of [before, [...before, subscription("any", "ns-one")]])
      expect(expectFinding(makeOperators(identity(), list), "error", "identities-lost")).toMatch(
        /^1 of 1 rendered identities .*: "ns-one\/credentials" \(component "ns-one\/one-operator", role "demo-ns-one-credentials"\).*--allow removal:ns-one\/credentials"/,
      );
  });

  it("that are gone, the last one too, are allowed by their names, and a later run changes nothing", () => {
    const config = identity(allow("removal:ns-one/credentials"));
    const made = makeOperators(config, before);
    expect(made.exitCode).toBe(0);
    expect(paths(made)).toEqual([]);
    expect(said(made, "object-lost")).toEqual([]);
    expect(makeOperators(identity(), JSON.parse(made.stdout).items).exitCode).toBe(0);
  });

  it("alone are not a loss for the platform", () => {
    const made = makeCredentials(identity(), [...items, ...before]);
    expect(made.exitCode).toBe(0);
    expect(said(made, "no-requests", "identities-lost")).toEqual([]);
  });

  it("that become the platform's are not a loss", () => {
    expect(makeOperators(identity(), [operator, ...before]).exitCode).toBe(0);
  });

  it("keep their Secrets unless the config gives them up by name", () => {
    const emits = (emitSecrets?: boolean) =>
      identity({ spec: emitSecrets === undefined ? {} : { operators: { emitSecrets } } });
    const secrets = generated(items, emits(true), [configureOperators]);
    expect(secrets.map(({ kind }) => kind)).toContain("Secret");
    expect(expectFinding(makeOperators(emits(), [...items, ...secrets]), "error", "secret-delegated")).toContain(
      'because "spec.operators.emitSecrets" is no longer set',
    );
    expect(makeOperators(emits(false), [...items, ...secrets]).exitCode).toBe(0);
  });
});

describe("CloudFront, turned on in a live package", () => {
  const old = "https://demo-oidc.s3.us-east-2.amazonaws.com";
  const moving = (previous: string[], more: Any = {}) =>
    identity({
      spec: { issuer: { signingKeys: [{ publicKey }], previous } },
      aws: { issuerHosting: { type: "S3CloudFront", bucket: "demo-private", ...more } },
    });
  const requests = names.map((name) => request(name));

  it("is refused unless the cluster's current issuer is named", () => {
    const made = again(moving([]), requests);
    expectFinding(made, "error", "issuer-changed");
    expect(JSON.parse(made.stdout).items).toHaveLength(requests.length + rendered.length);
    expect(
      expectFinding(
        again(
          {
            ...moving([]),
            ...allow("replace-issuer"),
            metadata: { name: "demo", ...allow("replace-issuer").metadata },
          },
          requests,
        ),
        "error",
        "identities-lost",
      ),
    ).toMatch(
      /^The issuer is not known yet, so 5 rendered identities would be removed: .*\. Add the cluster's current issuer to "spec\.issuer\.previous"/,
    );
  });

  it("keeps roles, Secrets and the Authentication byte for byte until the domain is known", () => {
    const made = again(moving([old]), requests);
    expect(made.exitCode).toBe(0);
    expect(expectFinding(made, "warning", "issuer-unknown")).toContain(
      'Roles trust only the issuers in "spec.issuer.previous", and the rendered Authentication stays as it is.',
    );
    const path = (item: Any) => item.metadata.annotations?.["config.kubernetes.io/path"] ?? "";
    const live = (items: Any[]) =>
      items.filter((item) => /^(manifests|aws\/roles)\//.test(path(item))).sort((a, b) => (path(a) < path(b) ? -1 : 1));
    expect(live(JSON.parse(made.stdout).items)).toEqual(live(rendered));
    const issuer = JSON.parse(made.stdout).items.find((item: Any) => path(item) === "aws/issuer.yaml");
    expect(Object.keys(issuer.data)).toContain("create-distribution-with-tags.json");
  });

  it("still knows the live issuer in the next run, from the Authentication", () => {
    const first = again(moving([old]), requests);
    const items = JSON.parse(first.stdout).items;
    expectFinding(make(both, moving([]), items), "error", "issuer-changed");
    const same = make(both, moving([old]), items);
    expect(JSON.parse(same.stdout).items).toEqual(expect.arrayContaining(items));
    const known = make(both, moving([old], { distributionDomain: "d111111abcdef8.cloudfront.net" }), items);
    expect(known.exitCode).toBe(0);
    const role = JSON.parse(known.stdout).items.find(
      ({ metadata }: Any) => metadata.name === "aws-role-ns-a-credentials",
    );
    expect(JSON.parse(role.data["trust-policy.json"]).Statement).toHaveLength(2);
  });
});

describe("the annotation", () => {
  it.each([
    ["remove", ' (did you mean "removal"?)'],
    ["", ""],
    ["removal, everything", ""],
    ["removal:", ' (did you mean "removal"?)'],
    ["removal:a/b/c", ""],
  ])("%j is an error", (list, hint) => {
    const made = makeCredentials(identity(allow(list)), [request("one")]);
    const word = list.split(", ").at(-1);
    expect(expectFinding(made, "error", "allow-unknown")).toBe(
      `"metadata.annotations.fn.cloudcredential.dev/allow" contains the unknown name ${JSON.stringify(word)}${hint}. Use "removal", "removal:<namespace>/<secret>", "replace-issuer", "replace-key", separated by commas, or remove the annotation.`,
    );
  });
});

describe("laws", () => {
  it("nothing rendered is removed silently, whatever requests remain and in whatever order", () => {
    const state = fc.constantFrom("there", "gone", "excluded", "skipped", "deleted", "other");
    fc.assert(
      fc.property(fc.array(state, { minLength: 5, maxLength: 5 }), fc.integer(), (states, seed) => {
        const annotations = (text: string) => ({
          ...(text === "excluded" ? { "release.openshift.io/feature-set": "X" } : {}),
          ...(text === "deleted" ? { "release.openshift.io/delete": "true" } : {}),
        });
        const requests = names.flatMap((name, index) => {
          const text = states[index] as string;
          const spec = text === "other" ? { providerSpec: { kind: "GCPProviderSpec" } } : {};
          return text === "gone" ? [] : [request(name, { spec, annotations: annotations(text) })];
        });
        const skips = names.filter((_, index) => states[index] === "skipped");
        const overrides = Object.fromEntries(skips.map((name) => [`ns-${name}/credentials`, { skip: true }]));
        const config = identity({ spec: { overrides } });
        const items = [...requests, ...rendered];
        const turned = [...items.slice(seed % items.length), ...items.slice(0, seed % items.length)];
        const [made, other] = [make(both, config, items), make(both, config, turned)];
        expect(other.stderr).toBe(made.stderr);
        const left = new Set(paths(made));
        const lost = names.filter((name) => !left.has(`manifests/ns-${name}-credentials-credentials.yaml`));
        const unasked = names.filter((_, index) => ["gone", "other", "excluded"].includes(states[index] as string));
        expect(made.exitCode).toBe(unasked.length > 0 ? 1 : 0);
        expect(lost).toEqual(unasked.length > 0 ? [] : names.filter((_, index) => states[index] !== "there"));
        const flags = said(made, "identities-lost").flatMap(
          ([, message]) => /"--allow (\S+)"/.exec(message)?.[1]?.split(",") ?? [],
        );
        expect(flags.sort()).toEqual(unasked.map((name) => `removal:ns-${name}/credentials`));
        const allowed = { ...identity({ spec: { overrides } }), ...(flags.length > 0 ? allow(flags.join(",")) : {}) };
        allowed.metadata = { name: "demo", ...allowed.metadata };
        const then = make(both, allowed, items);
        expect(then.exitCode).toBe(0);
        const kept = new Set(paths(then));
        const removed = names.filter((name) => !kept.has(`manifests/ns-${name}-credentials-credentials.yaml`));
        expect(removed).toEqual(names.filter((_, index) => states[index] !== "there"));
        const last = make(
          both,
          config,
          JSON.parse(then.stdout).items.filter(({ kind }: Any) => kind !== "ClusterIdentity"),
        );
        expect(last.exitCode).toBe(0);
        expect(new Set(paths(last))).toEqual(kept);
      }),
      { numRuns: runs(60) },
    );
  });
});
