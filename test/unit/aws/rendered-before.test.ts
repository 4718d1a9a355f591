import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
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

  it("a package whose issuer is managed elsewhere has its account, prefix and name too", () => {
    const rendered: Any[] = JSON.parse(rerendered(identity(), identity(), generators).stdout).items;
    const items = rendered.filter(({ metadata }) => !isOfIssuer(metadata));
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
