import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { generators } from "../../../functions/generators.ts";
import { type Any, expectClean, expectFinding, identity, type Made, make, request } from "../../helpers/cluster.ts";
import { gcpConfig, gcpRequest, withGcpIssuer } from "../../helpers/gcp-cluster.ts";

const both = [generateOidcIssuer, generateCloudCredentials];
const requests = [gcpRequest("one"), gcpRequest("two")];
const base = "spec.platform.gcp";

/** What a first run generated. */
function rendered(config: Any, of: readonly Any[] = requests): Any[] {
  const made = make(both, config, of);
  expect(made.exitCode, made.stderr).toBe(0);
  return JSON.parse(made.stdout).items.slice(of.length);
}

function allowing(list: string, config: Any): Any {
  return { ...config, metadata: { ...config.metadata, annotations: { "fn.cloudcredential.dev/allow": list } } };
}

const again = (config: Any, items: readonly Any[], of: readonly Any[] = requests) =>
  make(both, config, [...of, ...items]);
const paths = ({ stdout }: Made) =>
  JSON.parse(stdout)
    .items.flatMap(({ metadata }: Any) => metadata.annotations?.["config.kubernetes.io/path"] ?? [])
    .sort();
const problems = ({ results }: Made) =>
  results.filter(({ severity }) => severity !== "info").map(({ severity, tags }) => [severity, tags.code]);

const before = rendered(gcpConfig());
const without = (items: readonly Any[], ...names: string[]) =>
  items.filter(({ metadata }) => !names.includes(metadata.name));

const changes: readonly (readonly [gcp: Any, code: string, field: string, now: string, former: string])[] = [
  [{ projectID: "other-project" }, "project-changed", "projectID", "other-project", "my-project"],
  [{ projectNumber: "210987654321" }, "project-changed", "projectNumber", "210987654321", "123456789012"],
  [{ pool: "other-pool" }, "pool-changed", "pool", "other-pool", "demo"],
  [{ provider: "other-provider" }, "pool-changed", "provider", "other-provider", "demo"],
];

describe("a package that was rendered for another project, universe, pool or provider", () => {
  it.each(changes)("%j is an error", (gcp, code, field, now, former) => {
    const made = again(gcpConfig({ gcp }), before);
    const message = expectFinding(made, "error", code);
    expect(message).toContain(
      `"${base}.${field}" is "${now}", but the package was rendered with "${former}". Every Secret would name `,
    );
    expect(message).toContain(`Set "${base}.${field}" to "${former}", or create a new package for another cluster.`);
    expect(message).toContain("--allow removal");
    // The list is unchanged.
    expect(paths(made)).toEqual(paths({ stdout: JSON.stringify({ items: before }) } as Made));
  });

  it("a universe is an error, also back to the default", () => {
    const gcp = { universeDomain: "apis-example.goog" };
    const url = "https://oidc.example.com";
    const other = rendered(withGcpIssuer({ url }, gcp));
    expect(expectFinding(again(withGcpIssuer({ url }), other), "error", "project-changed")).toContain(
      `"${base}.universeDomain" is "googleapis.com", but the package was rendered with "apis-example.goog"`,
    );
    expectFinding(again(withGcpIssuer({ url }, gcp), rendered(withGcpIssuer({ url }))), "error", "project-changed");
  });

  it.each(changes)("%j is a warning if it is allowed", (gcp, code) => {
    const made = again(allowing("removal", gcpConfig({ gcp })), before);
    expect(made.exitCode, made.stderr).toBe(0);
    expectFinding(made, "warning", code);
    const text = JSON.stringify(JSON.parse(made.stdout).items);
    expect(text).toContain(Object.values(gcp)[0]);
  });

  it.each(changes)("%j is an error even if gcp/cluster.yaml was deleted", (gcp, code) => {
    expectFinding(again(gcpConfig({ gcp }), without(before, "gcp-cluster")), "error", code);
  });

  it.each(changes)("%j is an error even if only gcp/issuer.yaml is left", (gcp, code) => {
    const issuer = before.filter(({ metadata }) => metadata.name === "gcp-issuer");
    expect(issuer).toHaveLength(1);
    if (gcp.projectID === undefined) expectFinding(again(gcpConfig({ gcp }), issuer), "error", code);
  });
});

describe("a changed prefix", () => {
  const config = gcpConfig({
    spec: { resourcePrefix: "other" },
    gcp: { pool: "demo", provider: "demo", bucket: "demo-oidc" },
  });

  it("is an error, with and without gcp/cluster.yaml, and cannot be allowed", () => {
    for (const items of [before, without(before, "gcp-cluster"), without(before, "gcp-cluster", "gcp-issuer")])
      for (const one of [config, allowing("removal", config)])
        expect(expectFinding(again(one, items), "error", "prefix-changed")).toBe(
          'the resource prefix is "other", but the package was rendered with "demo". Cloud resources cannot be renamed, so those with the old prefix would be orphaned. Set "spec.resourcePrefix" to "demo", or create a new package for a new set of resources.',
        );
  });

  it("is reported as a rename if it is the name", () => {
    const made = again(gcpConfig({ metadata: { name: "renamed" } }), before);
    expect(made.exitCode).toBe(1);
    expectFinding(made, "error", "identity-renamed");
  });
});

describe("a changed issuer", () => {
  it("is an error that says how to keep it, and a warning if it is allowed", () => {
    const config = withGcpIssuer({ url: "https://oidc.example.com" });
    expect(expectFinding(again(config, before), "error", "issuer-changed")).toContain(
      'the package was rendered with the issuer "https://storage.googleapis.com/demo-oidc", and component identities would no longer trust that issuer. Google Cloud trusts exactly one issuer at a time. Set "spec.issuer.url" to "https://storage.googleapis.com/demo-oidc".',
    );
    const made = again(allowing("replace-issuer", config), before);
    expect(made.exitCode).toBe(0);
    expectFinding(made, "warning", "issuer-changed");
  });

  it("is not what a change of the key storage is, in both directions", () => {
    const bucket = gcpConfig({ gcp: { keyStorage: "Bucket" } });
    expectClean(again(bucket, before));
    const back = again(allowing("removal:ConfigMap/gcp-issuer", gcpConfig()), rendered(bucket));
    expect(problems(back)).toEqual([["warning", "documents-lost"]]);
    const issuer = JSON.parse(back.stdout).items.find(({ metadata }: Any) => metadata.name === "gcp-issuer");
    expect(Object.keys(issuer.data)).toEqual(["keys.json", "pool.json", "provider.json"]);
  });
});

describe("a package that was rendered for another cloud", () => {
  const awsItems = (() => {
    const made = make(both, identity(), [request("one")]);
    expect(made.exitCode).toBe(0);
    return JSON.parse(made.stdout).items.slice(1);
  })();
  const mixed = [gcpRequest("one"), request("one")];

  it("is an error for the functions of credentials; nothing is removed", () => {
    const made = again(gcpConfig(), awsItems, mixed);
    expect(expectFinding(made, "error", "platform-changed")).toContain(
      'the package was rendered for AWS, but "spec.platform" is now "gcp". Every rendered identity and Secret would be removed. Correct "spec.platform", or create a new package for a cluster on another cloud.',
    );
    expect(paths(made)).toEqual(paths({ stdout: JSON.stringify({ items: awsItems }) } as Made));
    expectFinding(again(identity(), before, mixed), "error", "platform-changed");
  });

  it("is the same error for the function of the issuer alone, and the issuer is not", () => {
    for (const [config, items] of [
      [gcpConfig(), awsItems],
      [identity(), before],
    ] as const) {
      const made = make([generateOidcIssuer], config, [...mixed, ...items]);
      expectFinding(made, "error", "platform-changed");
      expect(problems(made)).not.toContainEqual(["error", "issuer-changed"]);
      expect(paths(made)).toEqual(paths({ stdout: JSON.stringify({ items }) } as Made));
    }
  });

  it("is rendered for the new one if that is allowed, and nothing of the old one stays", () => {
    const made = again(allowing("removal", gcpConfig()), awsItems, [gcpRequest("one")]);
    expect(made.exitCode, made.stderr).toBe(0);
    expectFinding(made, "warning", "platform-changed");
    expect(paths(made)).toEqual([
      "gcp/cluster.yaml",
      "gcp/identities/ns-one-credentials.yaml",
      "gcp/issuer.yaml",
      "manifests/cluster-authentication-02-config.yaml",
      "manifests/ns-one-credentials-credentials.yaml",
    ]);
  });
});

describe("a package without paths, as kustomize passes it", () => {
  const bare = (items: readonly Any[]) =>
    items.map((item) => {
      const kept = Object.entries(item.metadata.annotations ?? {}).filter(
        ([key]) => !key.includes("kubernetes.io/path"),
      );
      return { ...item, metadata: { ...item.metadata, annotations: Object.fromEntries(kept) } };
    });
  const names = ({ stdout }: Made) =>
    JSON.parse(stdout)
      .items.map(({ kind, metadata }: Any) => `${kind} ${metadata.name}`)
      .sort();

  it("renders the same objects again, none twice", () => {
    const made = make(generators, gcpConfig(), [...requests, ...bare(before)]);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(names(made)).toEqual(names({ stdout: JSON.stringify({ items: [...requests, ...before] }) } as Made));
    expect(problems(made)).toEqual([]);
  });

  it("removes the identity of a request that is gone only if that is allowed by its name", () => {
    const items = [gcpRequest("one"), ...bare(before)];
    const refused = make(generators, gcpConfig(), items);
    expect(refused.exitCode).toBe(1);
    expect(refused.results.find(({ tags }) => tags.code === "identities-lost")?.message).toMatch(
      /"ns-two\/credentials" \(component "ns-two\/[a-z-]+", service account "[^"]+", Secret\)\. .*"--allow removal:ns-two\/credentials"/,
    );
    const annotations = { "fn.cloudcredential.dev/allow": "removal:ns-two/credentials" };
    const made = make(generators, gcpConfig({ metadata: { annotations } }), items);
    expect(names(made)).not.toContain("ConfigMap gcp-identity-ns-two-credentials");
    expect(names(made)).toContain("ConfigMap gcp-identity-ns-one-credentials");
  });
});

describe("a package with files that were changed", () => {
  const edited = (name: string, data: Any) =>
    before.map((item) => (item.metadata.name === name ? { ...item, data: { ...item.data, ...data } } : item));

  it.each([
    ["gcp-cluster", { "cluster.json": "{" }],
    ["gcp-cluster", { "cluster.json": "[]" }],
    ["gcp-cluster", { "cluster.json": '{"projectID":7,"resourcePrefix":[],"pool":null}' }],
    ["gcp-issuer", { "provider.json": "null", "keys.json": '{"keys":[1,null,{"kid":7}]}', "pool.json": "7" }],
    ["gcp-identity-ns-one-credentials", { "service-account.json": '"x"', "bindings.json": "[1]" }],
  ])("%s with %j is rendered again, and not trusted", (name, data) => {
    const made = again(gcpConfig(), edited(name, data));
    expect(made.exitCode, made.stderr).toBe(0);
    const restored = JSON.parse(made.stdout).items.find(({ metadata }: Any) => metadata.name === name);
    expect(restored.data).toEqual(before.find(({ metadata }) => metadata.name === name).data);
  });
});
