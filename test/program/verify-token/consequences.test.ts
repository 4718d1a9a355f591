import { describe, expect, it } from "vitest";
import { linesOf } from "../../../src/cli/terminal/table.ts";
import { answerFor } from "../../../src/clouds/aws/tokens/exchange.ts";
import { roleToAssume } from "../../../src/clouds/aws/tokens/identity.ts";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import type { RenderedIssuer } from "../../../src/clouds/rendered.ts";
import { readToken } from "../../../src/oidc/token.ts";
import type { Any } from "../../helpers/cluster.ts";
import { claimsOf, ecSigner, now, type Signer, tokenOf } from "../../helpers/token.ts";
import { host, providerArn, roleArn, subject, trust } from "./exported.ts";

const [signer, stranger] = [ecSigner(), ecSigner()];
const issuer = `https://${host}`;

const provider: RenderedIssuer = {
  url: host,
  id: providerArn,
  clientIds: ["openshift"],
  discovery: { value: { issuer, jwks_uri: `${issuer}/keys.json` } },
  keys: { value: { keys: [signer.jwk] } },
};

/** The failed checks of a token, each with the check that it follows from, or "cure" if it has its own cure. */
async function failures(
  changes: Any,
  by: Signer = signer,
  policy: Any = trust({}),
  with_: Partial<RenderedIssuer> = {},
) {
  const role = roleToAssume(roleArn, { value: policy });
  if (role === undefined) throw new Error("the role has an ARN");
  const providers = [{ ...provider, ...with_ }];
  const token = readToken(tokenOf(by, claimsOf(changes)), limits);
  const { checks } = await answerFor(token, now, providers, role);
  return checks.flatMap(({ name, status, followsFrom, cure }) => {
    if (status !== "failed") return [];
    expect(followsFrom === undefined).toBe(cure !== undefined);
    return [[name, followsFrom ?? "cure"]];
  });
}

const byAudience = trust({ Condition: { StringEquals: { [`${host}:sub`]: subject, [`${host}:aud`]: "openshift" } } });

describe("what follows from the first failure", () => {
  it.each<[string, () => Promise<unknown>, [string, string][]]>([
    [
      "a token of another cluster: keys, document and role are right for their issuer",
      () => failures({ iss: "https://oidc.example.com" }, stranger),
      [
        ["provider", "cure"],
        ["discovery", "provider"],
        ["signature", "provider"],
        ["trust policy", "provider"],
      ],
    ],
    [
      "a slash at the end of the issuer: the keys would still have to be right",
      () => failures({ iss: `${issuer}/` }, stranger),
      [
        ["provider", "cure"],
        ["discovery", "provider"],
        ["signature", "cure"],
        ["trust policy", "provider"],
      ],
    ],
    [
      "a slash at the end, and the right key",
      () => failures({ iss: `${issuer}/` }),
      [
        ["provider", "cure"],
        ["discovery", "provider"],
        ["trust policy", "provider"],
      ],
    ],
    [
      "another issuer and another audience, which has a cure of its own",
      () => failures({ iss: "https://oidc.example.com", aud: "x" }, stranger),
      [
        ["provider", "cure"],
        ["discovery", "provider"],
        ["signature", "provider"],
        ["audience", "cure"],
        ["trust policy", "provider"],
      ],
    ],
    [
      "another issuer, and documents that could not be read",
      () =>
        failures({ iss: "https://oidc.example.com" }, stranger, trust({}), {
          discovery: { problem: "is not JSON" },
          keys: { problem: "is not JSON" },
        }),
      [
        ["provider", "cure"],
        ["discovery", "cure"],
        ["signature", "cure"],
        ["trust policy", "provider"],
      ],
    ],
    [
      "another issuer, and a role of a third one",
      () =>
        failures(
          { iss: "https://oidc.example.com" },
          signer,
          trust({ Principal: { Federated: providerArn.replace("demo", "third") } }),
        ),
      [
        ["provider", "cure"],
        ["discovery", "provider"],
        ["trust policy", "cure"],
      ],
    ],
    [
      "another audience, which the role asks for, too",
      () => failures({ aud: "x" }, signer, byAudience),
      [
        ["audience", "cure"],
        ["trust policy", "audience"],
      ],
    ],
    [
      "another audience, and another subject",
      () => failures({ aud: "x", sub: "system:serviceaccount:a:b" }, signer, byAudience),
      [
        ["audience", "cure"],
        ["trust policy", "cure"],
      ],
    ],
    [
      "a document of another issuer, and keys of another",
      () =>
        failures({}, stranger, trust({}), { discovery: { value: { issuer: "https://x", jwks_uri: "https://x/k" } } }),
      [
        ["discovery", "cure"],
        ["signature", "cure"],
      ],
    ],
  ])("%s", async (_name, ask, expected) => {
    expect(await ask()).toEqual(expected);
  });

  it("is printed instead of a cure", () => {
    expect(linesOf({ name: "discovery", status: "failed", detail: "it differs", followsFrom: "provider" })).toEqual([
      "  follows      discovery       it differs",
      '                               Follows from the failed check "provider"; the cure for that check also fixes this.',
    ]);
  });
});
