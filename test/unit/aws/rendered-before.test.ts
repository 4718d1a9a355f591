import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { configureOperators } from "../../../functions/configure-operators/function.ts";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { generators } from "../../../functions/generators.ts";
import type { KrmFunction } from "../../../src/krm/function.ts";
import { type Any, expectFinding, identity, make, publicKey, request } from "../../helpers/cluster.ts";

const other = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();
const kid = "HqwWDSIA74tjnU5Fp9-dp3BWEmUeHD3YZ_ZKZkhDQTk";
const withKeys = (...keys: string[]) =>
  identity({ spec: { issuer: { signingKeys: keys.map((key) => ({ publicKey: key })) } } });

const allowing = (list: string, config: Any): Any => ({
  ...config,
  metadata: { ...config.metadata, annotations: { "fn.cloudcredential.dev/allow": list } },
});

/** Renders a config into a package that was rendered with another config before. */
function rerendered(before: Any, config: Any, fns: readonly KrmFunction[] = [generateOidcIssuer]) {
  const first = make([generateOidcIssuer, generateCloudCredentials], before, [request("one")]);
  expect(first.exitCode).toBe(0);
  return make(fns, config, JSON.parse(first.stdout).items);
}

const isOfIssuer = ({ name }: Any) => name === "aws-cluster" || name === "aws-issuer" || name === "cluster";

/** The list in the form of earlier versions, with the scripts and the facts about the cluster in one ConfigMap. */
function withScripts(items: Any[], owner: string | null = "shared/demo"): Any[] {
  const path = "aws/scripts.yaml";
  const toolPaths = { "config.kubernetes.io/path": path, "internal.config.kubernetes.io/path": path };
  return items.map((item) => {
    if (item.metadata.name !== "aws-cluster") return item;
    const { "fn.cloudcredential.dev/generated-by": _, ...others } = item.metadata.annotations;
    const by = owner === null ? {} : { "fn.cloudcredential.dev/generated-by": owner };
    const annotations = { ...others, ...by, ...toolPaths };
    return {
      ...item,
      metadata: { name: "aws-scripts", annotations },
      data: { ...item.data, "apply.sh": "#!/bin/sh\n" },
    };
  });
}

/** An object without the annotations that name its file: kustomize drops them. */
function withoutPath(value: Any): Any {
  const kept = Object.entries(value.metadata.annotations ?? {}).filter(
    ([key]) => !key.includes("config.kubernetes.io/"),
  );
  return { ...value, metadata: { ...value.metadata, annotations: Object.fromEntries(kept) } };
}

const said = ({ results }: { results: readonly Any[] }) =>
  results
    .filter(({ tags }) => tags.code.startsWith("signing-key"))
    .map(({ severity, tags, message }) => [severity, tags.code, message]);

describe("a package that was rendered before", () => {
  it("reports a new key, and does not report an unchanged key as new", () => {
    const made = rerendered(withKeys(publicKey), withKeys(publicKey, other));
    expect(said(made)).toEqual([
      ["info", "signing-key", `publishes the key "${kid}" (RSA, 4096 bits).`],
      ["info", "signing-key", expect.stringMatching(/^publishes the new key "[\w-]{43}" \(ECDSA, P-256\)\.$/)],
    ]);
  });

  it("reports which key is removed", () => {
    const made = rerendered(withKeys(publicKey, other), withKeys(other));
    expect(said(made)).toEqual([
      ["info", "signing-key", expect.stringMatching(/^publishes the key /)],
      ["info", "signing-key-removed", `no longer publishes the key "${kid}".`],
    ]);
    expect(made.exitCode).toBe(0);
  });

  it("refuses to replace the only key in one step, unless that is allowed", () => {
    const cause =
      '"spec.issuer.signingKeys" contains none of the keys that were published before, so every token of the cluster is refused until the cluster signs with a new key. Publish the old and the new key together first, and remove the old one later.';
    const refused = rerendered(withKeys(publicKey), withKeys(other));
    expect(refused.exitCode).toBe(1);
    expect(said(refused)[0]).toEqual([
      "error",
      "signing-key-replaced",
      `${cause} If this is intended, add "--allow replace-key" to "ccf render", or set the annotation "fn.cloudcredential.dev/allow: replace-key" on the ClusterIdentity for one run.`,
    ]);
    const made = rerendered(withKeys(publicKey), allowing("replace-key", withKeys(other)));
    expect(said(made)).toEqual([
      ["warning", "signing-key-replaced", `${cause} This run allows it ("replace-key").`],
      ["info", "signing-key", expect.stringMatching(/^publishes the new key /)],
      ["info", "signing-key-removed", `no longer publishes the key "${kid}".`],
    ]);
    expect(made.exitCode).toBe(0);
  });

  it("refuses another issuer, unless roles still trust the old one or the change is allowed", () => {
    const old = "https://demo-oidc.s3.us-east-2.amazonaws.com";
    const moved = (previous: string[], hosting: Any = { bucket: "demo-other" }) =>
      identity({
        spec: { issuer: { signingKeys: [{ publicKey }], previous } },
        aws: { issuerHosting: hosting },
      });
    const changed = ({ results }: { results: readonly Any[] }) =>
      results.filter(({ tags }) => tags.code === "issuer-changed").map(({ severity, message }) => [severity, message]);
    const cause = `the package was rendered with the issuer "${old}", and component identities would no longer trust that issuer. Add it to "spec.issuer.previous" while the cluster moves.`;
    const refused = [
      "error",
      `${cause} If this is intended, add "--allow replace-issuer" to "ccf render", or set the annotation "fn.cloudcredential.dev/allow: replace-issuer" on the ClusterIdentity for one run.`,
    ];
    for (const fns of [
      [generateOidcIssuer],
      [generateCloudCredentials],
      [generateOidcIssuer, generateCloudCredentials],
    ])
      expect(changed(rerendered(identity(), moved([]), fns))).toEqual([refused]);
    const cloudFront = changed(rerendered(identity(), moved([], { type: "S3CloudFront" })));
    expect(cloudFront).toEqual([
      [
        "error",
        expect.stringContaining(
          'moves, and set "spec.platform.aws.issuerHosting.bucket" to a name other than "demo-oidc". If this is intended,',
        ),
      ],
    ]);
    const allowed = rerendered(identity(), allowing("replace-issuer", moved([])));
    expect(changed(allowed)).toEqual([["warning", `${cause} This run allows it ("replace-issuer").`]]);
    expect(allowed.exitCode).toBe(0);
    expect(changed(rerendered(identity(), moved([old])))).toEqual([]);
    expect(changed(rerendered(identity(), identity()))).toEqual([]);
  });

  it("stays in its account, unless the removal of its roles is allowed", () => {
    const moved = identity({ aws: { accountID: "210987654321" } });
    for (const fn of [generateOidcIssuer, generateCloudCredentials]) {
      const message = expectFinding(rerendered(identity(), moved, [fn]), "error", "account-changed");
      expect(message).toMatch(
        /^the account is "210987654321", but the package was rendered for "123456789012"\. Every Secret would name a role in "210987654321", .* add "--allow removal"/,
      );
      const made = rerendered(identity(), allowing("removal", moved), [fn]);
      expect(expectFinding(made, "warning", "account-changed")).toMatch(/This run allows it \("removal"\)\.$/);
      expect(made.exitCode).toBe(0);
    }
  });

  it.each([
    ["whose issuer is managed elsewhere", (items: Any[]) => items.filter(({ metadata }) => !isOfIssuer(metadata))],
    ["that contains the scripts", withScripts],
  ])("a package %s has its account, prefix and name too", (_, change) => {
    const items = change(JSON.parse(rerendered(identity(), identity(), generators).stdout).items);
    const spec = identity().spec;
    for (const [code, config] of [
      ["account-changed", identity({ aws: { accountID: "210987654321" } })],
      ["prefix-changed", identity({ spec: { ...spec, resourcePrefix: "else" } })],
      ["identity-renamed", identity({ spec, metadata: { name: "else" } })],
    ])
      expect(make([generateCloudCredentials], config, items).results).toContainEqual(
        expect.objectContaining({ severity: "error", tags: { code } }),
      );
  });

  it.each([
    ["shared", generators],
    ["generate-oidc-issuer", generators],
    ["generate-cloud-credentials", [generateCloudCredentials]],
    ["configure-operators", [configureOperators]],
  ])("removes the scripts of %s, and nothing else", (owner, fns) => {
    const before: Any[] = JSON.parse(rerendered(identity(), identity(), generators).stdout).items;
    for (const paths of [true, false]) {
      const items = withScripts(before, `${owner}/demo`).map((withScript) =>
        paths ? withScript : withoutPath(withScript),
      );
      const made = make(fns, identity(), items);
      expect(made.exitCode).toBe(0);
      const names = JSON.parse(made.stdout).items.map(({ metadata }: Any) => metadata.name);
      const lost = new Set(["aws-scripts", ...(fns === generators ? [] : ["aws-cluster"])]);
      expect(names.sort()).toEqual(
        before
          .map(({ metadata }: Any) => metadata.name)
          .filter((name: string) => !lost.has(name))
          .sort(),
      );
      const removed = made.results
        .filter(({ tags }) => tags.code === "object-removed")
        .map(({ severity, resourceRef }) => [severity, resourceRef.name]);
      // Without its path, an object that is generated again is also reported as removed.
      if (paths) expect(removed).toEqual([["info", "aws-scripts"]]);
      else expect(removed).toContainEqual(["info", "aws-scripts"]);
    }
  });

  it("keeps scripts of another identity, and a ConfigMap of that name that no function generated", () => {
    const before: Any[] = JSON.parse(rerendered(identity(), identity(), generators).stdout).items;
    for (const owner of ["shared/else", "other/demo", null]) {
      const made = make([generateCloudCredentials], identity(), withScripts(before, owner));
      expect(JSON.parse(made.stdout).items).toContainEqual(
        expect.objectContaining({ metadata: expect.objectContaining({ name: "aws-scripts" }) }),
      );
    }
  });

  it("keeps the path of its roles, unless their removal is allowed", () => {
    const moved = identity({ aws: { roles: { path: "/else/" } } });
    const message = expectFinding(
      rerendered(identity(), moved, [generateCloudCredentials]),
      "error",
      "role-path-changed",
    );
    expect(message).toMatch(
      /^the path of roles is "\/else\/", but the package was rendered with "\/"\. .* Set "spec\.platform\.aws\.roles\.path" to "\/"\. If this is intended, add "--allow removal"/,
    );
    const made = rerendered(identity(), allowing("removal", moved), [generateCloudCredentials]);
    expect(expectFinding(made, "warning", "role-path-changed")).toMatch(/This run allows it \("removal"\)\.$/);
    expect(made.exitCode).toBe(0);
  });

  it("keeps its prefix", () => {
    for (const fn of [generateOidcIssuer, generateCloudCredentials]) {
      const made = rerendered(identity(), identity({ spec: { ...identity().spec, resourcePrefix: "else" } }), [fn]);
      expect(made.exitCode).toBe(1);
      expect(
        made.results.map(({ severity, tags, field, message }) => [severity, tags.code, field.path, message]),
      ).toEqual(
        expect.arrayContaining([
          [
            "error",
            "prefix-changed",
            "spec.resourcePrefix",
            'the resource prefix is "else", but the package was rendered with "demo". Cloud resources cannot be renamed, so those with the old prefix would be orphaned. Set "spec.resourcePrefix" to "demo", or create a new package for a new set of resources.',
          ],
        ]),
      );
    }
  });

  it.each(["", "not JSON", '"text"', '{"resourcePrefix": 5}', "null"])(
    "whose facts are %j is treated as not rendered",
    (text) => {
      const first = make([generateOidcIssuer], identity());
      const items: Any[] = JSON.parse(first.stdout).items;
      for (const item of items) {
        if (item.metadata.name === "aws-cluster") item.data["cluster.json"] = text;
        if (item.metadata.name === "aws-issuer") item.data["keys.json"] = text;
      }
      const renamed = identity({
        spec: { ...identity().spec, resourcePrefix: "else" },
        aws: { issuerHosting: { bucket: "demo-oidc" } },
      });
      const made = make([generateOidcIssuer], renamed, items);
      expect(made.exitCode).toBe(0);
      expect(said(made)).toEqual([["info", "signing-key", `publishes the key "${kid}" (RSA, 4096 bits).`]]);
    },
  );
});
