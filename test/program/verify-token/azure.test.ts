import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  azureClaims,
  azureClient,
  azureCredential,
  azureIdentities,
  azureIdentity,
  azureIdentityId,
  azureIssuer,
  azureRequest,
  azureShown,
  azureSubject,
  azureTenant,
} from "../../helpers/azure-exchange.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { succeed } from "../../helpers/cluster-package.ts";
import { expectFits } from "../../helpers/schema.ts";
import { keptTemporary } from "../../helpers/temporary.ts";
import { now, rsaSigner, tokenOf } from "../../helpers/token.ts";
import { fileOf, getRole, trust } from "./exported.ts";

const signer = rsaSigner();
const token = tokenOf(signer, azureClaims());
const second = "66666666-6666-4666-8666-666666666666";
const idOfTwo = azureIdentityId.replace("ns-one", "ns-two");
const hint = (command: string) => `Run "ccf ${command} --help".\n`;
const login = (file: string) =>
  `(AZURE_CONFIG_DIR=$(mktemp -d) && export AZURE_CONFIG_DIR && trap 'rm -rf "$AZURE_CONFIG_DIR"' EXIT && az login --service-principal -u ${azureClient} -t ${azureTenant} --allow-no-subscriptions --federated-token "$(cat ${file})" --output none && echo accepted)`;
const order = "Microsoft does not document the order of the checks, and may change the codes and the order.";
const processes = "While the command runs, the list of processes shows the token.";

const { directory, remove } = keptTemporary();
const [pkg, out, first] = ["package", "out", "first"].map((name) => join(directory, name)) as [string, string, string];
beforeAll(() => {
  const ids = azureIdentities({ "ns-one_credentials": azureClient, "ns-two_credentials": second });
  makePackage(pkg, [azureRequest(), azureRequest("two"), ids]);
  succeed(run(["export", pkg, "--output-dir", out]));
  makePackage(first, [azureRequest()]);
});
afterAll(() => remove());

function makePackage(path: string, objects: readonly Any[]): void {
  mkdirSync(path);
  writeFileSync(join(path, "cluster-identity.yaml"), dump(azureIdentity([signer])));
  writeFileSync(join(path, "objects.yaml"), objects.map((object) => dump(object)).join("---\n"));
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

describe("ccf verify-token for Azure", () => {
  it("checks every managed identity of a package", () => {
    const { status, stdout, stderr } = verify(["--package", pkg]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      `Token of the issuer "${azureIssuer}" for "${azureSubject}"; audience "openshift".`,
      "At 2033-05-18T03:33:20Z Azure would answer:",
      "",
      "For every managed identity:",
      "  passed       shape           a JSON Web Token, signed with RS256",
      `  passed       tenant          the tenant is "${azureTenant}"`,
      `  passed       issuer          a federated credential is for the issuer "${azureIssuer}"`,
      expect.stringMatching(/^ {2}passed {7}audience {8}the federated credential accepts "openshift"$/),
      `  passed       discovery       names the token's issuer and its keys at "${azureIssuer}/openid/v1/jwks"`,
      `  passed       signature       signed by the key "${signer.kid}" (RS256)`,
      "  passed       time            expires 2033-05-18T04:33:20Z, in 60 minutes",
      "",
      `Managed identity ${azureIdentityId}: accepted`,
      `  passed       client ID       the client ID is "${azureClient}"`,
      '  passed       credentials     "demo-ns-one-credentials" has 1 federated credential',
      `  passed       subject         a federated credential is for "${azureSubject}"`,
      '  fits         secret          the Secret "ns-one/credentials" contains the client ID, tenant, subscription and region',
      '  fits         namespace       the Secret "ns-one/credentials" is in the subject\'s namespace',
      '  fits         token file      "azure_federated_token_file" is "/var/run/secrets/openshift/serviceaccount/token": the pod must mount its token there',
      '  fits         webhook         the Secret "openshift-cloud-credential-operator/azure-credentials" contains the tenant',
      "  fits         authentication  the Authentication names the token's issuer",
      "",
      `Managed identity ${idOfTwo}: refused`,
      `  passed       client ID       the client ID is "${second}"`,
      '  passed       credentials     "demo-ns-two-credentials" has 1 federated credential',
      `  FAILED       subject         the token's subject is "${azureSubject}", but the federated credentials are for "system:serviceaccount:ns-two:two-operator"`,
      `                               Azure: AADSTS700213 (401): No matching federated identity record found for presented assertion subject '${azureSubject}'. Please check your federated identity credential Subject, Audience and Issuer against the presented assertion.`,
      "                               Fix: use a token of a service account that has a credential; or add this one to the request (`serviceAccountNames`) or to an override, render and apply (`ccf apply`).",
      "",
      `Accepted by 1 of 2 managed identities: ${azureIdentityId}.`,
      order,
      "A new federated credential may take minutes to work; until then, Microsoft Entra answers AADSTS70021.",
      "A new issuer or key is reported to take up to an hour, because keys are cached; until then, the answer is AADSTS7000272.",
      "If Azure then answers AuthorizationFailed (403), the token is not the cause: the message names the action and the scope that a role must allow.",
      processes,
      "Ask Azure itself, with the token on standard input again:",
      `  ${login("/dev/stdin")}`,
      "",
    ]);
    const exported = verify(["--package", out]);
    expect([exported.status, exported.stdout]).toEqual([0, stdout]);
  });

  it("marks the first failure, and lists all", () => {
    const wrong = tokenOf(signer, azureClaims({ iss: `${azureIssuer}/`, aud: "x", exp: now - 999 }));
    const { status, stdout } = verify(["--package", out, "--identity", azureClient], wrong);
    expect(status).toBe(2);
    expect(stdout.match(/Azure: .*/g)).toEqual([
      `Azure: AADSTS700211 (401): No matching federated identity record found for presented assertion issuer '${azureIssuer}/'. Please check your federated identity credential Subject, Audience and Issuer against the presented assertion.`,
    ]);
    expect(stdout.match(/FAILED +\S+/g)).toEqual(["FAILED       issuer", "FAILED       audience", "FAILED       time"]);
    expect(stdout).toContain("they differ by a trailing slash, which is significant");
    expect(stdout).toContain(
      `\nRefused by the managed identity.\n${order}\nFor documents that it cannot fetch or read, Microsoft Entra answers AADSTS50166, AADSTS501661 or AADSTS90061.\n${processes}\nAsk Azure itself`,
    );
    const { stdout: json } = verify(["--package", out, "--identity", "demo-ns-one-credentials", "-o", "json"], wrong);
    expect(identityIn(json)).toMatchObject({
      id: azureIdentityId,
      verdict: "refused",
      errors: [{ code: "AADSTS700211" }],
    });
    expect(JSON.parse(json).notes[0]).toBe(order);
  });

  it("does not know the answer before Azure has assigned the client ID", () => {
    const { status, stdout } = verify(["--package", first, "--identity", "demo-ns-one-credentials"]);
    expect(status).toBe(1);
    expect(stdout).toContain(
      "  unknown      client ID       the client ID of the managed identity is unknown: Azure assigns it when the package is first applied\n                               Fix: run `ccf apply`, which stores the client ID and renders the package.\n",
    );
    expect(stdout).toContain(
      '  DIFFERS      secret          the Secret "ns-one/credentials" is missing: run `ccf apply`',
    );
    expect(stdout).toContain("az login --service-principal -u CLIENT_ID -t");
    expect(stdout).toContain("It is unknown whether the managed identity accepts the token.");
  });

  it("compares a token with live credentials and a live identity, with and without a package", () => {
    const credentials = ["--identity-file", fileOf([azureCredential()])];
    const shown = ["--identity-file", fileOf(azureShown())];
    const documents = [
      ...[
        "--discovery",
        fileOf({ issuer: azureIssuer, jwks_uri: `${azureIssuer}/keys`, subject_types_supported: ["x"] }),
      ],
      ...["--jwks", fileOf({ keys: [signer.jwk] })],
    ];
    for (const args of [
      [...credentials, "--package", out],
      [...shown, "--package", pkg],
      [...shown, ...credentials, "--package", pkg],
      [...credentials, ...shown, ...documents],
      [...shown, ...credentials, ...documents],
    ]) {
      const { status, stdout } = verify([...args, "-o", "json"]);
      expect(status).toBe(0);
      expect(identityIn(stdout)).toMatchObject({ verdict: "accepted", errors: [] });
    }
    const changed = verify([
      "--identity-file",
      fileOf([azureCredential({ subject: "x" })]),
      "--package",
      out,
      "-o",
      "json",
    ]);
    expect([changed.status, identityIn(changed.stdout).errors[0].code]).toEqual([2, "AADSTS700213"]);
    const again = verify([
      "--identity-file",
      fileOf(azureShown({ clientId: second.replace("66", "77") })),
      "--package",
      pkg,
      "-o",
      "json",
    ]);
    expect([again.status, identityIn(again.stdout).errors[0].code]).toEqual([2, "AADSTS700016"]);
    const without = verify([
      "--identity-file",
      fileOf([]),
      "--identity",
      "demo-ns-one-credentials",
      "--package",
      pkg,
      "-o",
      "json",
    ]);
    expect([without.status, identityIn(without.stdout).errors[0].code]).toEqual([2, "AADSTS70025"]);
  });

  it.each<[string, () => string[], string]>([
    [
      "a list without credentials that names no identity",
      () => ["--identity-file", fileOf([]), "--package", out],
      "the output of `az identity federated-credential list` does not name its managed identity: use one --identity-file, and --identity with the resource ID of the managed identity",
    ],
    [
      "a provider",
      () => ["--provider-file", fileOf({}), "--package", out],
      "--provider-file is for clouds with a provider; each managed identity names the issuers that it trusts: pass the output of `az identity federated-credential list` as --identity-file",
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
      'is not the output of `az identity federated-credential list`: it must contain a list of objects with "id", "issuer", "subject" and "audiences". [input-file-invalid]\n',
    ],
    [
      "credentials of two identities",
      () => [
        "--package",
        out,
        "--identity-file",
        fileOf([azureCredential(), azureCredential({ id: `${idOfTwo}/federatedIdentityCredentials/x` })]),
      ],
      "is not the output of `az identity federated-credential list`",
    ],
    [
      "an unknown identity",
      () => ["--package", out, "--identity", "demo-ns-one-credential"],
      'Unknown managed identity "demo-ns-one-credential" (did you mean "demo-ns-one-credentials"?). [identity-not-found]\n',
    ],
  ])("refuses %s", (_, args, message) => {
    const { status, stdout, stderr } = verify(args());
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("prints no part of the token, and a command that reads the file", () => {
    const file = fileOf("x");
    writeFileSync(file, token);
    const { stdout } = run(["verify-token", "--token", file, "--time", String(now), "--package", out]);
    expect(stdout).toContain(`Ask Azure itself:\n  ${login(file)}\n`);
    for (const part of token.split(".")) expect(stdout).not.toContain(part);
  });
});

describe("the command that asks Microsoft Entra", () => {
  it.each([[0, "accepted\n"] as const, [1, ""] as const])(
    "logs in with settings of its own, and says so if az exits with %i",
    (exit, stdout) => {
      const bin = join(directory, `bin-${exit}`);
      mkdirSync(bin);
      const calls = join(bin, "calls");
      const stub = `#!/bin/sh\nprintf '%s\\n' "$AZURE_CONFIG_DIR" "$@" >"${calls}"\n[ -d "$AZURE_CONFIG_DIR" ] && exit ${exit}\nexit 9\n`;
      writeFileSync(join(bin, "az"), stub, { mode: 0o755 });
      const file = join(bin, "a token");
      writeFileSync(file, token);
      const asked = ["--token", file, "--time", String(now), "--package", out, "--identity", azureClient];
      const { command } = identityIn(run(["verify-token", ...asked, "-o", "json"]).stdout);
      const env = { PATH: `${bin}:${process.env["PATH"]}`, AZURE_CONFIG_DIR: directory };
      const done = spawnSync("sh", ["-c", command], { env, encoding: "utf8" });
      expect({ status: done.status, stdout: done.stdout }).toEqual({ status: exit, stdout });
      const [config = "", ...args] = readFileSync(calls, "utf8").trimEnd().split("\n");
      expect(config).not.toBe(directory);
      expect(existsSync(config)).toBe(false);
      expect(args).toEqual([
        ...["login", "--service-principal", "-u", azureClient, "-t", azureTenant, "--allow-no-subscriptions"],
        ...["--federated-token", token, "--output", "none"],
      ]);
    },
  );
});

describe("ccf check-issuer for Azure", () => {
  const server = ["--connect-to", "127.0.0.1:9"];

  it("fetches the documents of a package", () => {
    for (const path of [pkg, out]) {
      const { status, stdout } = run(["check-issuer", "--package", path, ...server]);
      expect(status).toBe(1);
      expect(stdout).toContain(`  passed       url             "${azureIssuer}" is an https URL\n`);
      expect(stdout).toContain("  unknown      discovery       cannot be fetched: unreachable");
    }
  });

  it("judges a URL as Microsoft Entra does", () => {
    const { stdout } = run(["check-issuer", "https://oidc.example.com:8443/demo", "--platform", "azure", ...server]);
    expect(stdout).toContain("has a port; how Microsoft Entra handles that is not documented");
  });
});
