import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../functions/generate-oidc-issuer/function.ts";
import { type Any, identity, make, publicKey, request } from "../helpers/cluster.ts";

const other = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();
const kid = "HqwWDSIA74tjnU5Fp9-dp3BWEmUeHD3YZ_ZKZkhDQTk";
const withKeys = (...keys: string[]) =>
  identity({ spec: { issuer: { signingKeys: keys.map((one) => ({ publicKey: one })) } } });

/** Renders a config into a list that another rendered before. */
function rerendered(before: Any, config: Any, fns = [generateOidcIssuer]) {
  const first = make([generateOidcIssuer, generateCloudCredentials], before, [request("one")]);
  expect(first.exitCode).toBe(0);
  return make(fns, config, JSON.parse(first.stdout).items);
}

const said = ({ results }: { results: readonly Any[] }) =>
  results
    .filter(({ tags }) => tags.code.startsWith("signing-key"))
    .map(({ severity, tags, message }) => [severity, tags.code, message]);

describe("a package that was rendered before", () => {
  it("says which key is new, and nothing of one that stays", () => {
    const made = rerendered(withKeys(publicKey), withKeys(publicKey, other));
    expect(said(made)).toEqual([
      ["info", "signing-key", `publishes the key "${kid}" (RSA, 4096 bits).`],
      ["info", "signing-key", expect.stringMatching(/^publishes the new key "[\w-]{43}" \(ECDSA, P-256\)\.$/)],
    ]);
  });

  it("says which key goes", () => {
    const made = rerendered(withKeys(publicKey, other), withKeys(other));
    expect(said(made)).toEqual([
      ["info", "signing-key", expect.stringMatching(/^publishes the key /)],
      ["info", "signing-key-removed", `no longer publishes the key "${kid}".`],
    ]);
    expect(made.exitCode).toBe(0);
  });

  it("warns when the only key changes in one step", () => {
    const made = rerendered(withKeys(publicKey), withKeys(other));
    expect(said(made)).toEqual([
      [
        "warning",
        "signing-key-replaced",
        '"spec.issuer.signingKeys" holds none of the keys that were published before, so every token of the cluster is refused until it signs with a new one. Publish the old and the new key together first, and remove the old one later.',
      ],
      ["info", "signing-key", expect.stringMatching(/^publishes the new key /)],
      ["info", "signing-key-removed", `no longer publishes the key "${kid}".`],
    ]);
    expect(made.exitCode).toBe(0);
  });

  it("warns when its issuer changes, unless roles go on believing the old one", () => {
    const old = "https://demo-oidc.s3.us-east-2.amazonaws.com";
    const moved = (previous: string[], hosting: Any = { bucket: "demo-other" }) =>
      identity({
        spec: { issuer: { signingKeys: [{ publicKey }], previous } },
        aws: { issuerHosting: hosting },
      });
    const changed = ({ results }: { results: readonly Any[] }) =>
      results.filter(({ tags }) => tags.code === "issuer-changed").map(({ severity, message }) => [severity, message]);
    const warning = [
      "warning",
      `the package was rendered with the issuer "${old}", whose tokens roles would not believe any more; name it in "spec.issuer.previous" while the cluster moves.`,
    ];
    expect(changed(rerendered(identity(), moved([])))).toEqual([warning]);
    expect(changed(rerendered(identity(), moved([], { type: "S3CloudFront" })))).toEqual([warning]);
    expect(changed(rerendered(identity(), moved([old])))).toEqual([]);
    expect(changed(rerendered(identity(), identity()))).toEqual([]);
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
            'the resource prefix is "else", and the package was rendered with "demo". Nothing in the cloud can be renamed, and what was made under the old prefix would be left behind; set "spec.resourcePrefix" to "demo", or make a new package for a new set of resources.',
          ],
        ]),
      );
    }
  });

  it.each(["", "no JSON", '"text"', '{"resourcePrefix": 5}', "null"])("whose facts are %j says nothing", (text) => {
    const first = make([generateOidcIssuer], identity());
    const items: Any[] = JSON.parse(first.stdout).items;
    for (const item of items) {
      if (item.metadata.name === "aws-scripts") item.data["cluster.json"] = text;
      if (item.metadata.name === "aws-issuer") item.data["keys.json"] = text;
    }
    const made = make([generateOidcIssuer], identity({ spec: { ...identity().spec, resourcePrefix: "else" } }), items);
    expect(made.exitCode).toBe(0);
    expect(said(made)).toEqual([["info", "signing-key", `publishes the key "${kid}" (RSA, 4096 bits).`]]);
  });
});
