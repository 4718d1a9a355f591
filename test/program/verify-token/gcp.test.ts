import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { succeed } from "../../helpers/cluster-package.ts";
import {
  accountPolicy,
  describedProvider,
  gcpClaims,
  gcpIdentity,
  gcpIssuer,
  gcpPool,
  gcpProvider,
  gcpRequest,
  gcpSubject,
  principalOf,
} from "../../helpers/gcp-exchange.ts";
import { expectFits } from "../../helpers/schema.ts";
import { keptTemporary } from "../../helpers/temporary.ts";
import { ecSigner, now, tokenOf } from "../../helpers/token.ts";
import { fileOf, getRole, trust } from "./exported.ts";

const [signer, p384] = [ecSigner(), ecSigner("P-384")];
const token = tokenOf(signer, gcpClaims());
const one = "demo-ns-one-w5gapgq@my-project.iam.gserviceaccount.com";
const hint = (command: string) => `Run "ccf ${command} --help".\n`;

const { directory, remove } = keptTemporary();
const [pkg, out, published] = ["package", "out", "published"].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];
beforeAll(() => {
  makePackage(pkg, {}, [gcpRequest(), gcpRequest("two")]);
  succeed(run(["export", pkg, "--output-dir", out]));
  makePackage(published, { keyStorage: "Bucket" }, [gcpRequest()]);
});
afterAll(() => remove());

function makePackage(path: string, gcp: Any, requests: readonly Any[]): void {
  mkdirSync(path);
  writeFileSync(join(path, "cluster-identity.yaml"), dump(gcpIdentity([signer], gcp)));
  writeFileSync(join(path, "requests.yaml"), requests.map((request) => dump(request)).join("---\n"));
  succeed(run(["render", path]));
}

const verify = (args: readonly string[], input: string = token) =>
  run(["verify-token", "--token", "-", "--time", String(now), ...args], { input });

/** What `verify-token -o json` prints about the one identity. */
function identityIn(stdout: string): Any {
  expectFits("verify-token", stdout);
  const { identities } = JSON.parse(stdout);
  expect(identities).toHaveLength(1);
  return identities[0];
}

describe("ccf verify-token for GCP", () => {
  it("checks every service account of a package", () => {
    const { status, stdout, stderr } = verify(["--package", pkg]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines.slice(0, 13)).toEqual([
      `Token of the issuer "${gcpIssuer}" for "${gcpSubject}"; audience "openshift".`,
      "At 2033-05-18T03:33:20Z GCP would answer:",
      "",
      "For every service account:",
      `  passed       provider        the provider "${gcpProvider}" exists and is enabled`,
      "  passed       shape           a JSON Web Token, signed with ES256",
      `  passed       issuer          "${gcpIssuer}" is the provider's issuer`,
      "  passed       discovery       the provider holds the keys, so nothing is fetched from the issuer",
      `  passed       signature       signed by the key "${signer.kid}" (ES256)`,
      "  passed       time            expires 2033-05-18T04:33:20Z, in 60 minutes",
      '  passed       audience        "openshift" is an audience of the provider',
      `  passed       subject         google.subject is "${gcpSubject}"`,
      "  passed       condition       the provider has no attribute condition",
    ]);
    expect(lines.slice(13, -2)).toEqual([
      "",
      `Service account ${one}: accepted`,
      `  passed       binding         "${gcpSubject}" of this pool may use "${one}"`,
      '  fits         secret          the Secret "ns-one/credentials" names the provider and the service account',
      '  fits         namespace       the Secret "ns-one/credentials" is in the subject\'s namespace',
      '  fits         token file      "credential_source.file" is "/var/run/secrets/openshift/serviceaccount/token": the pod must mount its token there',
      "  fits         authentication  the Authentication names the token's issuer",
      "",
      expect.stringMatching(/^Service account demo-ns-two-\w{7}@my-project\.iam\.gserviceaccount\.com: refused$/),
      expect.stringMatching(
        /^ {2}FAILED {7}binding {9}"demo-ns-two-.*" may be used by "system:serviceaccount:ns-two:two-operator", but google\.subject is/,
      ),
      "                               GCP: PERMISSION_DENIED (403): Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
      "                               Fix: use a token of a service account that may use it; or add this one to the request (`serviceAccountNames`) or to an override, render, export and apply.",
      "",
      `Accepted by 1 of 2 service accounts: ${one}.`,
      "Ask GCP itself, with the token on standard input again:",
    ]);
    expect(verify(["--package", out]).stdout).toBe(stdout);
  });

  it("shows all errors of which Google names one", () => {
    const wrong = tokenOf(signer, gcpClaims({ aud: "x", exp: now - 99, iat: now - 3000 }));
    const { status, stdout } = verify(["--package", out], wrong);
    expect(status).toBe(2);
    expect(stdout.match(/GCP: .*/g)).toEqual([
      `GCP: invalid_grant (400): ID Token issued at ${now - 3000} is stale to sign-in.`,
      "GCP: invalid_grant (400): The audience in ID Token [x] does not match the expected audience.",
    ]);
    expect(stdout).toContain(
      "\nRefused by all 2 service accounts.\nGCP names one of these errors; the order of its checks is not documented.\nAsk GCP itself",
    );
    const identity = identityIn(
      verify(["--package", out, "--identity", "demo-ns-one-w5gapgq", "-o", "json"], wrong).stdout,
    );
    expect(identity).toMatchObject({ id: one, verdict: "refused" });
    expect(identity.errors.map(({ code, httpStatus }: Any) => [code, httpStatus])).toEqual([
      ["invalid_grant", 400],
      ["invalid_grant", 400],
    ]);
  });

  it("says that the text of an error is not known", () => {
    const unnamed = tokenOf(signer, gcpClaims(), { kid: undefined });
    const { status, stdout } = verify(["--package", out, "--identity", one], unnamed);
    expect(status).toBe(2);
    expect(stdout).toContain("GCP: the text of its error is not documented\n");
    expect(identityIn(verify(["--package", out, "--identity", one, "-o", "json"], unnamed).stdout).errors).toEqual([]);
  });

  it("compares a token with a live provider and policy, with and without a package", () => {
    const files = ["--provider-file", fileOf(describedProvider([signer])), "--identity", one, "-o", "json"];
    const policy = (members: string[]) => ["--identity-file", fileOf(accountPolicy(members))];
    for (const more of [[], ["--package", out]]) {
      const { status, stdout } = verify([...files, ...policy([principalOf()]), ...more]);
      expect(status).toBe(0);
      expect(identityIn(stdout)).toMatchObject({ id: one, verdict: "accepted", errors: [] });
    }
    const edited = verify([...files, ...policy([principalOf(`${gcpSubject}2`)]), "--package", out]);
    expect([edited.status, identityIn(edited.stdout).errors[0].code]).toEqual([2, "PERMISSION_DENIED"]);
    const name = "demo-ns-one-w5gapgq";
    const short = verify([...policy([principalOf()]), "--package", out, "--identity", name, "-o", "json"]);
    expect([short.status, identityIn(short.stdout).id]).toEqual([0, one]);
  });

  it("uses the keys of a live provider, not those of --jwks", () => {
    const args = (keys: Any) => [
      ...["--provider-file", fileOf(describedProvider([signer])), "--jwks", fileOf({ keys })],
      ...["--package", out, "--identity", one, "-o", "json"],
    ];
    expect(verify(args([p384.jwk])).status).toBe(0);
  });

  it("does not use --jwks in place of the keys that the package gives to the provider", () => {
    const args = (keys: Any) => ["--jwks", fileOf({ keys }), "--package", out, "--identity", one];
    for (const keys of [[], [p384.jwk], [signer.jwk, p384.jwk]]) {
      const { status, stdout } = verify(args(keys));
      expect(status).toBe(1);
      expect(stdout).toContain(
        "unknown      signature       the provider of the package holds the keys, so the cloud does not read those of --jwks, which differ\n" +
          "                               Fix: pass the output of `gcloud iam workload-identity-pools providers describe` as --provider-file.",
      );
    }
    expect(verify(args([signer.jwk])).status).toBe(0);
  });

  it("does not know the keys that Google reads if a live provider lost those of the package", () => {
    const lost = fileOf(describedProvider([], { oidc: { jwksJson: undefined } }));
    const { status, stdout } = verify(["--provider-file", lost, "--package", pkg, "--identity", one]);
    expect(status).toBe(1);
    for (const name of ["discovery", "signature"])
      expect(stdout).toContain(
        `unknown      ${name}       the provider holds no keys, although the package gives it some; without them, the cloud reads the documents of the issuer\n` +
          `                               Fix: run \`ccf apply ${pkg}\`: the package fits the token.`,
      );
    const published = ["--discovery", fileOf({ issuer: gcpIssuer, jwks_uri: `${gcpIssuer}/keys.json` })];
    const keys = ["--jwks", fileOf({ keys: [signer.jwk] })];
    const args = ["--provider-file", lost, "--package", pkg, "--identity", one];
    expect(verify([...args, ...published, ...keys]).status).toBe(0);
  });

  it("does not know the answer without a provider", () => {
    const { status, stdout } = verify(["--identity-file", fileOf(accountPolicy([principalOf()])), "--identity", one]);
    expect(status).toBe(1);
    expect(stdout).toContain(
      "Fix: pass the output of `gcloud iam workload-identity-pools providers describe` as --provider-file.",
    );
    expect(stdout).toContain("projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER");
    expect(stdout).toContain("It is unknown whether the service account accepts the token.");
  });

  it.each<[string, () => string[], string]>([
    [
      "a policy without the account's name",
      () => ["--identity-file", fileOf(accountPolicy([]))],
      "the output of `gcloud iam service-accounts get-iam-policy` does not name its service account: use one --identity-file, and --identity with the email of the service account",
    ],
    [
      "two policies",
      () => [
        "--identity-file",
        fileOf(accountPolicy([])),
        "--identity-file",
        fileOf(accountPolicy([])),
        "--identity",
        one,
      ],
      "the output of `gcloud iam service-accounts get-iam-policy` does not name its service account: use one --identity-file, and --identity with the email of the service account",
    ],
  ])("refuses %s", (_, args, message) => {
    expect(verify(args())).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${message}. [usage]\n${hint("verify-token")}`,
    });
  });

  it.each<[string, () => string[], string]>([
    [
      "a role of AWS",
      () => ["--package", out, "--identity-file", fileOf(getRole(trust({})))],
      'is not the output of `gcloud iam service-accounts get-iam-policy`: it must contain "etag" and "bindings". [input-file-invalid]\n',
    ],
    [
      "a policy that is none",
      () => ["--package", out, "--identity", one, "--identity-file", fileOf({ etag: "x", bindings: [{ role: 5 }] })],
      "is not the output of `gcloud iam service-accounts get-iam-policy`",
    ],
    [
      "a pool as a provider",
      () => ["--package", out, "--provider-file", fileOf({ name: gcpPool, state: "ACTIVE" })],
      'is not the output of `gcloud iam workload-identity-pools providers describe`: it must contain "name" and "oidc" with "issuerUri". [input-file-invalid]\n',
    ],
    [
      "an unknown account",
      () => ["--package", out, "--identity", `x${one}`],
      `Unknown service account "x${one}" (did you mean "${one}"?). [identity-not-found]\n`,
    ],
  ])("refuses %s", (_, args, message) => {
    const { status, stdout, stderr } = verify(args());
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("prints a command that contains neither the token nor unquoted words", () => {
    const { command } = identityIn(verify(["--package", out, "--identity", one, "-o", "json"]).stdout);
    expect(command).toBe(
      `(CLOUDSDK_CONFIG=$(mktemp -d) && export CLOUDSDK_CONFIG && trap 'rm -rf "$CLOUDSDK_CONFIG"' EXIT && gcloud iam workload-identity-pools create-cred-config ${gcpProvider} --service-account=${one} --credential-source-file=/dev/stdin --output-file="$CLOUDSDK_CONFIG/credentials.json" < /dev/null && CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE="$CLOUDSDK_CONFIG/credentials.json" gcloud auth print-access-token > /dev/null && echo accepted)`,
    );
  });
});

describe("ccf check-issuer for GCP", () => {
  it("fetches nothing if the provider holds the keys", () => {
    const { status, stdout, stderr } = run(["check-issuer", "--package", pkg]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(
      [
        `Issuer "${gcpIssuer}": Google does not fetch it, because the provider holds its keys`,
        `  passed       url             "${gcpIssuer}" is an https URL`,
        "  passed       discovery       nothing was fetched: Google reads the keys from the provider, so the URL need not exist",
        `  passed       keys            1 of 1 keys can be used: "${signer.kid}"`,
        "",
      ].join("\n"),
    );
    const json = run(["check-issuer", "--package", out, "-o", "json"]);
    expectFits("check-issuer", json.stdout);
    expect(JSON.parse(json.stdout)).toMatchObject({ issuer: gcpIssuer, verdict: "usable" });
  });

  it("refuses a package whose keys the provider cannot hold", () => {
    const bad = join(directory, "bad");
    makePackage(bad, {}, [gcpRequest()]);
    const path = join(bad, "gcp/issuer.yaml");
    const keys = { keys: [signer.jwk, p384.jwk] };
    const bundle = { "keys.json": JSON.stringify(keys), "provider.json": JSON.stringify(describedProvider([])) };
    const annotations = { "fn.cloudcredential.dev/generated-by": "generate-oidc-issuer/demo" };
    writeFileSync(
      path,
      dump({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "gcp-issuer", annotations }, data: bundle }),
    );
    const { status, stdout } = run(["check-issuer", "--package", bad]);
    expect(status).toBe(2);
    expect(stdout).toContain("Google would refuse its tokens");
    expect(stdout).toContain(`the key "${p384.kid}" is on the curve "P-384", but Google accepts only P-256`);
  });

  it("fetches the documents of a bucket, and judges them as Google does", () => {
    const server = ["--connect-to", "127.0.0.1:9"];
    const { status, stdout } = run(["check-issuer", "--package", published, ...server]);
    expect(status).toBe(1);
    expect(stdout).toContain("  unknown      discovery       cannot be fetched: unreachable");
    const url = run(["check-issuer", "https://oidc.example.com:8443/demo", "--platform", "gcp", ...server]);
    expect(url.stdout).toContain("has a port; how Google handles that is not documented");
  });

  it.each([
    [["https://x.example"], '--platform is required with a URL: "aws", "azure" or "gcp"'],
    [["https://x.example", "--platform", "ibm"], '--platform must be "aws", "azure" or "gcp", not "ibm"'],
    [["--package", "x", "--platform", "gcp"], "--platform is only for a URL; a package names its cloud"],
  ])("refuses %j", (args, message) => {
    expect(run(["check-issuer", ...args])).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${message}. [usage]\n${hint("check-issuer")}`,
    });
  });
});
