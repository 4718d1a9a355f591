import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, type SourceFlags } from "../../../src/cli/verify-token/verify-token.ts";
import { verifyTokenText } from "../../../src/cli/verify-token/verify-token-output.ts";
import {
  azureClaims,
  azureClient,
  azureCredential,
  azureIdentities,
  azureIdentity,
  azureIdentityId,
  azureIssuer,
  azureRequest,
} from "../../helpers/azure-exchange.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { configure, succeed } from "../../helpers/cluster-package.ts";
import {
  accountPolicy,
  describedProvider,
  gcpClaims,
  gcpIdentity,
  gcpIssuer,
  gcpRequest,
  principalOf,
} from "../../helpers/gcp-exchange.ts";
import { keptTemporary, temporary } from "../../helpers/temporary.ts";
import { claimsOf, now, rsaSigner, tokenOf } from "../../helpers/token.ts";
import { exportedCluster, fileOf, getRole, host, type Made, roleArn, trust } from "./exported.ts";

/*
 * Files from the live cluster or cloud, beside a package that fits the token.
 */

const signer = rsaSigner();
const issuer = `https://${host}`;
const awsToken = tokenOf(signer);
const gcpToken = tokenOf(signer, gcpClaims());
const azureToken = tokenOf(signer, azureClaims());
const gcpAccount = "demo-ns-one-w5gapgq@my-project.iam.gserviceaccount.com";

const { directory, remove } = keptTemporary();
const [gcp, bucket, azure] = ["gcp", "bucket", "azure"].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];
let aws: Made;
beforeAll(() => {
  aws = exportedCluster([signer]);
  makePackage(gcp, gcpIdentity([signer]), [gcpRequest(), gcpRequest("two")]);
  makePackage(bucket, gcpIdentity([signer], { keyStorage: "Bucket" }), [gcpRequest()]);
  const ids = azureIdentities({ "ns-one_credentials": azureClient });
  makePackage(azure, azureIdentity([signer]), [azureRequest(), ids]);
});
afterAll(() => {
  aws.remove();
  remove();
});

function makePackage(path: string, identity: Any, objects: readonly Any[]): void {
  mkdirSync(path);
  writeFileSync(join(path, "cluster-identity.yaml"), dump(identity));
  writeFileSync(join(path, "objects.yaml"), objects.map((object) => dump(object)).join("---\n"));
  succeed(run(["render", path]));
}

/** The verdict, the output, and the cures of the checks that did not pass, of the first identity. */
async function verify(token: string, flags: SourceFlags) {
  const answer = await answerOf(flags, "token", token, now);
  const checks = answer.identities[0]?.checks ?? [];
  const open = checks.filter(({ status }) => status === "failed" || status === "unknown");
  return {
    answer,
    verdict: answer.verdict,
    open: open.map(({ name, status }) => `${name}: ${status}`),
    cures: [...new Set(open.flatMap(({ cure }) => cure ?? []))],
    text: verifyTokenText(answer, now).join("\n"),
  };
}

const document = (at: string, changes: Any = {}) =>
  fileOf({ issuer: at, jwks_uri: `${at}/keys.json`, subject_types_supported: ["public"], ...changes });

describe("a live document that names other keys than the package", () => {
  it.each<[string, () => [token: string, flags: SourceFlags, at: string]]>([
    ["AWS", () => [awsToken, { package: aws.pkg, identity: roleArn }, issuer]],
    ["GCP", () => [gcpToken, { package: bucket }, gcpIssuer]],
    ["Azure", () => [azureToken, { package: azure }, azureIssuer]],
  ])("does not have the package's on %s", async (_cloud, of) => {
    const [token, flags, at] = of();
    expect((await verify(token, flags)).verdict).toBe("accepted");
    for (const uri of [`${at}/new.json`, "https://keys.example.com/keys.json"]) {
      const discovery = document(at, { jwks_uri: uri });
      const { verdict, open, cures } = await verify(token, { ...flags, discovery });
      expect({ verdict, open, cures }).toEqual({
        verdict: "unknown",
        open: ["signature: unknown"],
        cures: [`fetch it and pass it as --jwks: \`curl -fsS ${uri} -o jwks.json\``],
      });
      const jwks = fileOf({ keys: [signer.jwk] });
      expect((await verify(token, { ...flags, discovery, jwks })).verdict).toBe("accepted");
    }
  });

  it("does not name a command for a URL that a shell or a reader could take for another", async () => {
    for (const uri of ["https://a.example/k;$(x)", "https://A.example/keys.json"]) {
      const discovery = document(issuer, { jwks_uri: uri });
      const { cures, text } = await verify(awsToken, { package: aws.pkg, identity: roleArn, discovery });
      expect(text).not.toMatch(/curl -fsS https:\/\/(?:a|A)\./);
      if (uri.includes("A.")) expect(cures.at(-1)).toContain("the jwks_uri of the issuer's discovery document");
    }
  });
});

describe("a live provider or credential for another issuer than the package's", () => {
  it("has none of the package's documents on AWS", async () => {
    const other = "https://oidc.example.com";
    const provider = fileOf({ Url: "oidc.example.com", ClientIDList: ["openshift"] });
    const role = fileOf(
      getRole(
        trust({
          Principal: { Federated: "arn:aws:iam::123456789012:oidc-provider/oidc.example.com" },
          Condition: {},
        }),
      ),
    );
    const token = tokenOf(signer, claimsOf({ iss: other }));
    const flags = { package: aws.pkg, "provider-file": provider, "identity-file": [role] };
    const { verdict, open, cures } = await verify(token, flags);
    expect({ verdict, open }).toEqual({ verdict: "unknown", open: ["discovery: unknown", "signature: unknown"] });
    expect(cures[0]).toBe(
      "fetch it and pass it as --discovery: `curl -fsS https://oidc.example.com/.well-known/openid-configuration -o discovery.json`",
    );
  });

  it("has none of the package's documents on Azure", async () => {
    const other = "https://oidc.example.com";
    const token = tokenOf(signer, azureClaims({ iss: other }));
    const list = fileOf([azureCredential({ issuer: other })]);
    const { verdict, open } = await verify(token, { package: azure, "identity-file": [list] });
    expect({ verdict, open }).toEqual({ verdict: "unknown", open: ["discovery: unknown", "signature: unknown"] });
  });
});

describe("the live files of one identity", () => {
  it.each<[string, () => [token: string, flags: SourceFlags]]>([
    ["AWS", () => [awsToken, { package: aws.pkg, "identity-file": [fileOf(getRole(trust({})))] }]],
    [
      "GCP",
      () => [
        gcpToken,
        { package: gcp, identity: gcpAccount, "identity-file": [fileOf(accountPolicy([principalOf()]))] },
      ],
    ],
    ["Azure", () => [azureToken, { package: azure, "identity-file": [fileOf([azureCredential()])] }]],
  ])("say nothing about the others on %s", async (_cloud, of) => {
    const { answer, text } = await verify(...of());
    expect(answer.verdict).toBe("accepted");
    expect(text).toMatch(/\nAccepted\.\n/);
    expect(text).not.toContain("DIFFERS");
    expect(text).not.toContain("does not exist");
    expect(answer.identities.flatMap(({ beside }) => beside.filter(({ fits }) => !fits))).toEqual([]);
  });
});

describe("a cure", () => {
  const apply = (path: string) => [`run \`ccf apply ${path}\`: the package fits the token`];

  it.each<[string, () => SourceFlags]>([
    ["a provider without client IDs", () => ({ "provider-file": fileOf({ Url: host, ClientIDList: [] }) })],
    ["a provider with another audience", () => ({ "provider-file": fileOf({ Url: host, ClientIDList: ["x"] }) })],
    ["a provider with a slash", () => ({ "provider-file": fileOf({ Url: `${host}/`, ClientIDList: ["openshift"] }) })],
    ["other keys", () => ({ jwks: fileOf({ keys: [] }) })],
    ["another issuer's document", () => ({ discovery: document(`${issuer}/x`, { jwks_uri: `${issuer}/keys.json` }) })],
    [
      "a wildcard under StringEquals",
      () => ({
        "identity-file": [fileOf(getRole(trust({ Condition: { StringEquals: { [`${host}:sub`]: "system:*" } } })))],
      }),
    ],
    [
      "an address",
      () => ({
        "identity-file": [fileOf(getRole(trust({ Condition: { NotIpAddress: { "aws:SourceIp": "10.0.0.0/8" } } })))],
      }),
    ],
  ])("applies the package on AWS: %s", async (_name, files) => {
    const { cures } = await verify(awsToken, { package: aws.pkg, identity: roleArn, ...files() });
    expect(cures).toEqual(apply(aws.pkg));
  });

  it.each<[string, () => SourceFlags]>([
    [
      "a provider with a slash",
      () => ({ "provider-file": fileOf(describedProvider([signer], { oidc: { issuerUri: `${gcpIssuer}/` } })) }),
    ],
    [
      "a provider with another audience",
      () => ({ "provider-file": fileOf(describedProvider([signer], { oidc: { allowedAudiences: ["x"] } })) }),
    ],
    ["a disabled provider", () => ({ "provider-file": fileOf(describedProvider([signer], { disabled: true })) })],
    [
      "another role",
      () => ({ "identity-file": [fileOf(accountPolicy([principalOf()], { role: "roles/iam.serviceAccountUser" }))] }),
    ],
    [
      "an unknown role",
      () => ({ "identity-file": [fileOf(accountPolicy([principalOf()], { role: "projects/p/roles/x" }))] }),
    ],
  ])("applies the package on GCP: %s", async (_name, files) => {
    const { cures } = await verify(gcpToken, { package: gcp, identity: gcpAccount, ...files() });
    expect(cures).toEqual(apply(gcp));
  });

  it.each<[string, Any]>([
    ["a slash", { issuer: `${azureIssuer}/` }],
    ["another subject", { subject: "system:serviceaccount:x:y" }],
    ["another audience", { audiences: ["api://AzureADTokenExchange"] }],
    ["an expression", { subject: null, claimsMatchingExpression: { value: "x", languageVersion: 1 } }],
  ])("applies the package on Azure: %s", async (_name, changes) => {
    const files = { "identity-file": [fileOf([azureCredential(changes)])] };
    expect((await verify(azureToken, { package: azure, ...files })).cures).toEqual(apply(azure));
  });

  it("does not apply a package on Azure that has another client ID", async () => {
    const shown = {
      id: azureIdentityId,
      clientId: azureIdentityId.replace(/.*/, "77777777-7777-4777-8777-777777777777"),
    };
    const file = fileOf({ ...shown, tenantId: "55555555-6666-7777-8888-999999999999" });
    const { cures } = await verify(azureToken, { package: azure, "identity-file": [file] });
    expect(cures.join("\n")).not.toContain("the package fits the token");
  });

  it("does not apply a package that does not fit the token", async () => {
    const token = tokenOf(signer, claimsOf({ aud: "x" }));
    const provider = fileOf({ Url: host, ClientIDList: ["y"] });
    const { cures } = await verify(token, { package: aws.pkg, identity: roleArn, "provider-file": provider });
    expect(cures).toEqual([expect.stringContaining('request a token for one of the provider\'s audiences: "y"')]);
  });

  it("names the package first if none is given", async () => {
    const files = {
      "provider-file": fileOf({ Url: host, ClientIDList: [] }),
      "identity-file": [fileOf(getRole(trust({})))],
      discovery: document(issuer),
      jwks: fileOf({ keys: [signer.jwk] }),
    };
    expect((await verify(awsToken, files)).cures).toEqual([
      "pass the package as --package, too: if it fits the token, apply it (`ccf apply`); otherwise, add the token's audience to `spec.issuer.audiences`, render, export and apply",
    ]);
  });

  it("names Terraform if that applies the package", async () => {
    const path = copied(aws.pkg, (spec) => {
      spec["applier"] = "Terraform";
    });
    const provider = fileOf({ Url: host, ClientIDList: [] });
    const { cures } = await verify(awsToken, { package: path, identity: roleArn, "provider-file": provider });
    expect(cures).toEqual(["apply the package with Terraform: it fits the token"]);
  });

  it("does not publish with `ccf apply` what is hosted elsewhere", async () => {
    const external = "https://oidc.example.com/demo";
    const path = copied(aws.pkg, (spec) => {
      spec["issuer"].url = external;
      spec["platform"].aws.issuerHosting = { type: "External" };
    });
    const put = `have the administrator of oidc.example.com put \`aws/issuer/openid-configuration\` of \`ccf export\` at ${external}/.well-known/openid-configuration, and \`aws/issuer/keys.json\` at ${external}/keys.json, because \`ccf apply\` does not publish them with the hosting \`External\``;
    const token = tokenOf(signer, claimsOf({ iss: external }));
    const flags = { package: path, identity: roleArn };
    expect((await verify(token, flags)).verdict).toBe("accepted");
    const { cures } = await verify(token, { ...flags, jwks: fileOf({ keys: [] }) });
    expect(cures).toEqual([put]);
    const stranger = await verify(tokenOf(rsaSigner(), claimsOf({ iss: external })), flags);
    expect(stranger.cures).toEqual([expect.stringMatching(/with `ccf add-key`, render, export and apply; have /)]);
  });

  function copied(from: string, change: (spec: Any) => void): string {
    const path = join(temporary(), "package");
    cpSync(from, path, { recursive: true });
    configure(path, change);
    succeed(run(["render", "--allow", "replace-issuer", path]));
    return path;
  }
});

describe("a live document of one of several issuers", () => {
  it("leaves the previous issuer to a live provider of the cluster's own", async () => {
    const provider = fileOf({ Url: host, ClientIDList: ["openshift"] });
    const path = join(temporary(), "package");
    cpSync(aws.pkg, path, { recursive: true });
    configure(path, (spec: Any) => {
      spec["issuer"].previous = ["https://old.example.com"];
    });
    succeed(run(["render", path]));
    const token = tokenOf(signer, claimsOf({ iss: "https://old.example.com" }));
    const flags = { package: path, identity: roleArn, "provider-file": provider, discovery: document(issuer) };
    const { open } = await verify(token, flags);
    expect(open).toEqual(["discovery: unknown", "signature: unknown", "audience: unknown"]);
  });
});
