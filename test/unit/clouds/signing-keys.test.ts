import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { withAzureIssuer } from "../../helpers/azure-cluster.ts";
import { type Any, identity, make, publicKey } from "../../helpers/cluster.ts";
import { withGcpIssuer } from "../../helpers/gcp-cluster.ts";

const allowing = (list: string, config: Any): Any => ({
  ...config,
  metadata: { ...config.metadata, annotations: { "fn.cloudcredential.dev/allow": list } },
});
const codes = ({ results }: { results: readonly Any[] }) =>
  results.filter(({ severity }) => severity === "error").map(({ tags }) => tags.code);

describe("signing keys that were published", () => {
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 })
    .publicKey.export({ type: "spki", format: "pem" })
    .toString();
  const clouds: readonly (readonly [string, (keys: readonly string[]) => Any])[] = [
    ["AWS", (keys) => identity({ spec: { issuer: { signingKeys: keys.map((key) => ({ publicKey: key })) } } })],
    ["GCP", (keys) => withGcpIssuer({ signingKeys: keys.map((key) => ({ publicKey: key })) })],
    ["Azure", (keys) => withAzureIssuer({ signingKeys: keys.map((key) => ({ publicKey: key })) })],
  ];

  it.each(clouds)("on %s: all of them removed, or replaced, is an error, and nothing changes", (_cloud, withKeys) => {
    const items = JSON.parse(make([generateOidcIssuer], withKeys([publicKey])).stdout).items;
    const without = withKeys([]);
    delete without.spec.issuer.signingKeys;
    for (const [config, code] of [
      [without, "config-missing-field"],
      [allowing("removal,replace-key", without), "config-missing-field"],
      [withKeys([other]), "signing-key-replaced"],
    ] as const) {
      const made = make([generateOidcIssuer], config, items);
      expect(codes(made)).toEqual([code]);
      expect(made.exitCode).toBe(1);
      expect(JSON.parse(made.stdout).items).toEqual(items);
    }
    expect(make([generateOidcIssuer], allowing("replace-key", withKeys([other])), items).exitCode).toBe(0);
  });
});
