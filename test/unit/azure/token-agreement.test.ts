import { describe, expect, it } from "vitest";
import { azureTokenLimits } from "../../../src/clouds/azure/tokens/limits.ts";
import { checkDocument, checkKeys, checkUrl } from "../../../src/oidc/published-issuer.ts";
import {
  type AzureWorld,
  azureAnswer,
  azureClaims,
  azureExport,
  azureIdentities,
  azureIdentity,
  azureIssuer,
  azureRequest,
  renderedAzure,
} from "../../helpers/azure-exchange.ts";
import type { Any } from "../../helpers/cluster.ts";
import { ecSigner, rsaSigner, tokenOf } from "../../helpers/token.ts";

/*
 * Commands that judge the same package or the same documents must agree.
 */

const [signer, stranger, ec] = [rsaSigner(), rsaSigner(), ecSigner()];
const previous = "https://old.example.com/x";
const accounts = ["one-operator", "two.operator"];
const { files, manifests } = azureExport(azureIdentity([signer], {}, { previous: [previous] }), [
  azureRequest("one", { serviceAccountNames: accounts }),
  azureIdentities(),
]);
const world: AzureWorld = { files, items: [...manifests, azureIdentities()] };
const documentOf = (issuer: string, changes: Any = {}) => ({
  issuer,
  jwks_uri: `${issuer}/openid/v1/jwks`,
  subject_types_supported: ["public"],
  ...changes,
});

describe("verify-token and explain", () => {
  const trusts = renderedAzure(files)?.identities[0]?.trusts ?? [];
  const subjectOf = (account: string) => `system:serviceaccount:ns-one:${account}`;

  it.each([azureIssuer, previous, `${azureIssuer}/`])("agree on who is trusted, for tokens of %s", async (iss) => {
    for (const account of [...accounts, "three"])
      for (const aud of ["openshift", "sts.amazonaws.com"]) {
        const sub = subjectOf(account);
        const isTrusted = trusts.some(
          ({ issuer, subjects, audiences }) =>
            issuer === iss && subjects.includes(sub) && audiences?.includes(aud) === true,
        );
        const token = tokenOf(signer, azureClaims({ iss, sub, aud }));
        const { verdict } = await azureAnswer(token, {
          ...world,
          discovery: documentOf(iss),
          jwks: { keys: [signer.jwk] },
        });
        expect([iss, account, aud, verdict]).toEqual([iss, account, aud, isTrusted ? "accepted" : "refused"]);
      }
  });

  it("know four pairs of an issuer and a service account", () => {
    expect(trusts).toHaveLength(4);
  });
});

describe("verify-token and check-issuer", () => {
  const token = tokenOf(signer, azureClaims());
  const hundred = Array.from({ length: 100 }, (_, index) => ({ ...stranger.jwk, kid: `k${index}` }));

  it.each<[string, Any, Any]>([
    ["the rendered ones", {}, [signer.jwk]],
    ["those of another issuer", { issuer: "https://x.example" }, [signer.jwk]],
    ["a document without types of subjects", { subject_types_supported: [] }, [signer.jwk]],
    ["a document without the keys' URL", { jwks_uri: undefined }, [signer.jwk]],
    ["keys over http", { jwks_uri: "http://x.example" }, [signer.jwk]],
    ["keys at a port", { jwks_uri: `${azureIssuer.replace("/demo", ":8443/demo")}/keys` }, [signer.jwk]],
    ["no keys", {}, []],
    ["an EC key only", {}, [ec.jwk]],
    ["an EC key beside the good one", {}, [signer.jwk, ec.jwk]],
    ["a private key", {}, [{ ...signer.jwk, d: "x" }]],
    ["a weak key", {}, [signer.jwk, { kty: "RSA", kid: "x", n: "w".repeat(342), e: "AQ" }]],
    ["two keys with an ID", {}, [signer.jwk, { ...stranger.jwk, kid: signer.kid }]],
    ["more keys than are read", {}, [...hundred, signer.jwk]],
  ])("agree on %s", async (_, changes, keys) => {
    const document = documentOf(azureIssuer, changes);
    const { checks } = checkDocument(JSON.stringify(document), azureIssuer, ["x.example"], azureTokenLimits);
    const all = [
      checkUrl(azureIssuer, azureTokenLimits),
      ...checks,
      checkKeys(JSON.stringify({ keys }), azureTokenLimits).check,
    ];
    const isUsable = all.every(({ status }) => status === "passed");
    const { verdict } = await azureAnswer(token, { ...world, discovery: document, jwks: { keys } });
    expect(verdict === "accepted").toBe(isUsable);
    if (verdict === "refused") expect(all.some(({ status }) => status === "failed")).toBe(true);
  });
});
