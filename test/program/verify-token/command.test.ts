import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FindingsError, UsageError } from "../../../src/cli/terminal/errors.ts";
import { answerOf } from "../../../src/cli/verify-token/verify-token.ts";
import { verifyTokenJson, verifyTokenText } from "../../../src/cli/verify-token/verify-token-output.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { expectFits } from "../../helpers/schema.ts";
import { temporary } from "../../helpers/temporary.ts";
import { claimsOf, ecSigner, now, tokenOf } from "../../helpers/token.ts";
import {
  exportedCluster,
  exportedJson,
  fileOf,
  getRole,
  host,
  type Made,
  roleArn,
  roleName,
  subject,
  trust,
} from "./exported.ts";
import "../../helpers/seed.ts";

const signer = ecSigner();
const token = tokenOf(signer);
const signature = token.split(".")[2] ?? "";
const hint = 'Run "ccf verify-token --help".\n';

let made: Made;
beforeAll(() => {
  made = exportedCluster([signer]);
});
afterAll(() => made.remove());

const verify = (args: readonly string[], input: string | Uint8Array = token) =>
  run(["verify-token", ...args], { input });

describe("ccf verify-token", () => {
  it("without --identity checks every role, and names those that would accept the token", () => {
    const { status, stdout, stderr } = verify(["--token", "-", "--package", made.pkg, "--time", String(now)]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const wants = (...names: string[]) => names.map((name) => `"system:serviceaccount:${name}"`).join(" or ");
    const other = (role: string, ...names: string[]) => [
      "",
      `Role arn:aws:iam::123456789012:role/demo-${role}: refused`,
      `  FAILED       trust policy    StringEquals on "${host}:sub" requires ${wants(...names)}, but the token has "${subject}"`,
      "                               AWS: AccessDenied (403): Not authorized to perform sts:AssumeRoleWithWebIdentity",
      "                               Fix: use a token of a service account that the role trusts; or add this service account to the request (`serviceAccountNames`) or to an override, render, export and apply.",
    ];
    const csi = "openshift-cluster-csi-drivers";
    const registry = "openshift-image-registry";
    expect(stdout.split("\n")).toEqual([
      `Token of the issuer "https://${host}" for "${subject}"; audience "openshift".`,
      "At 2033-05-18T03:33:20Z AWS would answer:",
      "",
      "For every role:",
      "  passed       shape           a JSON Web Token, signed with ES256",
      `  passed       provider        the provider "${host}" in the account 123456789012 is for the token's issuer`,
      `  passed       discovery       names the token's issuer and its keys at "https://${host}/keys.json"`,
      `  passed       signature       signed by the key "${signer.kid}" (ES256)`,
      "  passed       time            expires 2033-05-18T04:33:20Z, in 60 minutes",
      '  passed       audience        "openshift" is a client ID of the provider',
      ...other(`${csi}-ebs-cloud-credentials`, `${csi}:block-storage-operator`, `${csi}:block-storage-controller`),
      ...other(
        `${registry}-installer-cloud-credentials`,
        `${registry}:cluster-image-registry-operator`,
        `${registry}:registry`,
      ),
      "",
      `Role ${roleArn}: accepted`,
      `  passed       trust policy    allows "${subject}" of this issuer`,
      '  fits         secret          the Secret "openshift-ingress-operator/cloud-credentials" names the role',
      '  fits         namespace       the Secret "openshift-ingress-operator/cloud-credentials" is in the subject\'s namespace',
      '  fits         token file      web_identity_token_file is "/var/run/secrets/openshift/serviceaccount/token": the pod must mount its token there',
      "  fits         authentication  the Authentication names the token's issuer",
      "",
      `Accepted by 1 of 3 roles: ${roleArn}.`,
      "Ask AWS itself, with the token on standard input again:",
      `  aws sts assume-role-with-web-identity --region us-east-2 --role-arn ${roleArn} --role-session-name ccf-verify-token --web-identity-token file:///dev/stdin`,
      "",
    ]);
  });

  it("says in its last sentence that the package differs from what the cloud accepts", () => {
    const out = temporary();
    cpSync(made.out, out, { recursive: true });
    const [secret, authentication] = [
      "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml",
      "manifests/cluster-authentication-02-config.yaml",
    ].map((path) => join(out, path)) as [string, string];
    writeFileSync(secret, readFileSync(secret, "utf8").replace(roleName, "another-role"));
    const args = ["--token", "-", "--package", out, "--time", String(now)];
    const differs = (what: string) =>
      `; but the package differs (${what}), which AWS does not check: correct what the lines with DIFFERS name.\n`;
    const { status, stdout } = verify(args);
    expect(status).toBe(0);
    expect(stdout).toContain(`\nAccepted by 1 of 3 roles: ${roleArn}${differs("secret")}`);
    expect(stdout.match(/^ {2}DIFFERS .*/gm)).toHaveLength(2);
    writeFileSync(authentication, readFileSync(authentication, "utf8").replace(`https://${host}`, "https://x.example"));
    const one = verify([...args, "--identity", roleArn]);
    expect([one.status, one.stdout]).toEqual([
      0,
      expect.stringContaining(`\nAccepted${differs("secret, authentication")}`),
    ]);
    const json = verify([...args, "-o", "json"]);
    expect(json.status).toBe(0);
    expectFits("verify-token", json.stdout);
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: "accepted", differing: ["secret", "authentication"] });
    const whole = verify(["--token", "-", "--package", made.out, "--time", String(now), "-o", "json"]);
    expect(JSON.parse(whole.stdout).differing).toEqual([]);
  });

  it("prints the command that asks AWS itself about a token in a file, without standard input", () => {
    const path = fileOf(token);
    const { stdout } = verify(["--token", path, "--package", made.pkg, "--time", String(now)], "");
    const [ask, command] = stdout.split("\n").slice(-3);
    expect(ask).toBe("Ask AWS itself:");
    expect(command).toMatch(new RegExp(`^  aws sts assume-role-with-web-identity .* file://${path}$`));
  });

  it("reports only once what fails for every role, and prints the command", () => {
    const text = tokenOf(signer, claimsOf({ aud: "x" }));
    const { status, stdout } = verify(["--token", "-", "--package", made.out, "--time", String(now)], text);
    expect(status).toBe(2);
    expect(stdout.match(/AWS: /g)).toHaveLength(1);
    expect(stdout).toContain("AWS: InvalidIdentityToken (400): Incorrect token audience\n");
    expect(stdout).toContain("\nRefused by all 3 roles.\n");
  });

  it("checks a token at the current time by default", () => {
    const { status, stdout } = verify(["--token", "-", "--package", made.out, "--identity", roleArn, "-o", "json"]);
    const [role] = JSON.parse(stdout).identities;
    const isEarly = Date.now() / 1000 < now - 10;
    expect(status).toBe(2);
    expect(role.errors[0].code).toBe(isEarly ? "InvalidIdentityToken" : "ExpiredTokenException");
  });

  it("explains a live cluster from the output of the issuer and IAM", () => {
    const files = {
      token: fileOf(token),
      discovery: join(made.out, "aws/issuer/openid-configuration"),
      jwks: join(made.out, "aws/issuer/keys.json"),
      "provider-file": fileOf({ Url: host, ClientIDList: ["openshift"], CreateDate: "2026-01-01T00:00:00+00:00" }),
      "identity-file": fileOf(getRole(trust({}))),
    };
    const args = (without: string[]) => [
      ...["--time", String(now), "-o", "json"],
      ...Object.entries(files).flatMap(([flag, path]) => (without.includes(flag) ? [] : [`--${flag}`, path])),
    ];
    const whole = verify(args([]));
    expect(whole.status).toBe(0);
    expect(JSON.parse(whole.stdout).identities[0]).toMatchObject({ id: roleArn, verdict: "accepted", beside: [] });
    expect(whole.stdout).not.toContain("--region");
    for (const [without, check, cure] of [
      ["provider-file", "provider", "--provider-file"],
      ["discovery", "discovery", "--discovery"],
      ["jwks", "signature", "--jwks"],
    ] as const) {
      const { status, stdout } = verify(args([without]));
      expect(status).toBe(1);
      const found = JSON.parse(stdout).identities[0].checks.find((check: Any) => check.status === "unknown");
      expect([found.name, found.cure]).toEqual([check, expect.stringContaining(cure)]);
    }
    const two = verify([...args([]), "--identity-file", fileOf(getRole(trust({ Effect: "Deny" }), `${roleArn}-2`))]);
    expect(JSON.parse(two.stdout)).toMatchObject({ verdict: "accepted", accepting: [roleArn] });
  });

  it("reports what is known about a token from a previous issuer", () => {
    const cluster = exportedJson(made.out, "aws/cluster.json");
    const old = "arn:aws:iam::123456789012:oidc-provider/old.example.com";
    const copy = temporary();
    for (const path of [
      "SHA256SUMS",
      "aws/cluster.json",
      `aws/roles/x/create-role.json`,
      "aws/roles/x/trust-policy.json",
    ]) {
      mkdirSync(join(copy, path, ".."), { recursive: true });
      const text = path.includes("roles/x")
        ? exportedJson(made.out, path.replace("/x/", "/openshift-ingress-operator-cloud-credentials/"))
        : {};
      writeFileSync(
        join(copy, path),
        JSON.stringify(
          path.endsWith("cluster.json") ? { ...cluster, previousIssuers: [{ identityProviderARN: old }] } : text,
        ),
      );
    }
    const moving = tokenOf(signer, claimsOf({ iss: "https://old.example.com" }));
    const { status, stdout } = verify(["--token", "-", "--package", copy, "--time", String(now), "-o", "json"], moving);
    expect(status).toBe(2);
    expect(JSON.parse(stdout).identities[0].checks.map((check: Any) => `${check.name}: ${check.status}`)).toEqual([
      "shape: passed",
      "provider: passed",
      "discovery: unknown",
      "signature: unknown",
      "time: passed",
      "audience: unknown",
      "trust policy: failed",
    ]);
  });
});

describe("a package without roles", () => {
  it("has no role that a token could be for", () => {
    const directory = temporary();
    mkdirSync(join(directory, "aws"));
    writeFileSync(join(directory, "SHA256SUMS"), "");
    writeFileSync(join(directory, "aws/cluster.json"), JSON.stringify(exportedJson(made.out, "aws/cluster.json")));
    expect(verify(["--token", "-", "--package", directory])).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: the package has no roles; until its issuer is known, no role can trust it. [usage]\n${hint}`,
    });
  });
});

describe("a token on the command line", () => {
  it.each<[string, string[]]>([
    ["in the place of its file", ["--token", token, "--package", "x"]],
    ["behind an equals sign", [`--token=${token}`, "--package", "x"]],
    ["without a flag", [token]],
    ["in parts", ["--token", "x", signature]],
    // One of 64 signatures begins with a hyphen.
    ["in parts, with a signature that looks like an option", ["--token", "x", `-${signature}`]],
    ["in parts, with a signature that looks like an option in the place of the file", ["--token", `-${signature}`]],
    ["without a signature", ["--token", token.slice(0, token.lastIndexOf(".") + 1), "--package", "x"]],
    ["as a role", ["--token", "-", "--package", made?.out ?? "testdata", "--identity", token]],
    ["as a package", ["--token", "-", "--package", token]],
    ["as a time", ["--token", "-", "--package", "x", "--time", token]],
    ["as another file", ["--token", "-", "--package", "testdata", "--identity-file", token]],
    ["as a command", [token]],
  ])("%s is refused and not repeated", (name, args) => {
    const { status, stdout, stderr } = name === "as a command" ? run(args) : verify(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: /);
    for (const part of token.split(".")) expect(stderr).not.toContain(part.slice(0, 20));
  });

  it("is reported as visible to others", () => {
    expect(verify(["--token", token]).stderr).toBe(
      `error: never pass a token as an argument, because other processes and the shell history can see it; write the token to a file, or pass "-" and pipe it in. [usage]\n${hint}`,
    );
  });
});

describe("errors on the command line", () => {
  it.each<[string, () => string[], string]>([
    [
      "no token",
      () => ["--package", made.out],
      `error: --token FILE is required; use "-" for standard input. [usage]\n${hint}`,
    ],
    [
      "no package",
      () => ["--token", "-"],
      `error: --package DIR or --identity-file FILE is required; FILE contains the output of \`aws iam get-role\`, \`az identity federated-credential list\` or \`gcloud iam service-accounts get-iam-policy\`. [usage]\n${hint}`,
    ],
    [
      "another output",
      () => ["--token", "-", "--package", made.out, "-o", "yaml"],
      `error: --output must be "text" or "json", not "yaml". [usage]\n${hint}`,
    ],
    [
      "a package that is none",
      () => ["--token", "-", "--package", "testdata/sample-cluster"],
      `error: "testdata/sample-cluster" contains neither a package rendered for AWS, Azure or GCP nor an export. [usage]\n${hint}`,
    ],
    [
      "no directory",
      () => ["--token", "-", "--package", "nowhere"],
      `error: "nowhere" is not a directory: it does not exist. [usage]\n${hint}`,
    ],
    ...["/dev/null", "package.json", "package.json/", "package.json/x"].map(
      (path): [string, () => string[], string] => [
        `no directory, but ${path}`,
        () => ["--token", "-", "--package", path],
        `error: "${path}" is not a directory: ${path.endsWith("/x") || path.endsWith("/") ? "it does not exist" : "it is a file; name the directory that contains it"}. [usage]\n${hint}`,
      ],
    ),
    [
      "a time that is none",
      () => ["--token", "-", "--package", made.out, "--time", "tomorrow"],
      `error: --time must be a time such as "2026-01-31T12:00:00Z" or seconds since the epoch, not "tomorrow". [usage]\n${hint}`,
    ],
    [
      "a day that is none",
      () => ["--token", "-", "--package", made.out, "--time", "2026-02-31T25:00:00Z"],
      `error: --time must be a time such as "2026-01-31T12:00:00Z" or seconds since the epoch, not "2026-02-31T25:00:00Z". [usage]\n${hint}`,
    ],
    [
      "another role",
      () => ["--token", "-", "--package", made.out, "--identity", roleName.replace("ingress", "ingres")],
      `error: Unknown role "${roleName.replace("ingress", "ingres")}" (did you mean "${roleName}"?). [identity-not-found]\n`,
    ],
    [
      "a role's ARN in another account",
      () => ["--token", "-", "--package", made.out, "--identity", "arn:aws:iam::1:role/x"],
      'error: Unknown role "arn:aws:iam::1:role/x". [identity-not-found]\n',
    ],
    [
      "a token that is not there",
      () => ["--token", "nowhere", "--package", made.out],
      'error: The file "nowhere" of --token does not exist. [input-file-invalid]\n',
    ],
    [
      "a token in a path through a file",
      () => ["--token", "package.json/token", "--package", made.out],
      'error: The file "package.json/token" of --token does not exist. [input-file-invalid]\n',
    ],
    [
      "a token that is a directory",
      () => ["--token", "testdata", "--package", made.out],
      'error: The file "testdata" of --token is a directory. [input-file-invalid]\n',
    ],
    [
      "an empty token file",
      () => ["--token", "/dev/null", "--package", made.out],
      'error: The file "/dev/null" of --token contains no token; check the command that should have written it. [input-file-invalid]\n',
    ],
    [
      "a token without end",
      () => ["--token", "/dev/zero", "--package", made.out],
      'error: The file "/dev/zero" of --token has more than 1048576 bytes. [input-file-invalid]\n',
    ],
    [
      "a role that is not JSON",
      () => ["--token", "-", "--identity-file", "package.json", "--provider-file", "README.md"],
      'error: The file "package.json" of --identity-file is not the output of `aws iam get-role`, which contains "Role" with "Arn" and "AssumeRolePolicyDocument", or of `az identity federated-credential list`, which contains a list of objects with "id", "issuer", "subject" and "audiences", or of `gcloud iam service-accounts get-iam-policy`, which contains "etag" and "bindings". [input-file-invalid]\n',
    ],
    [
      "a provider that is not JSON",
      () => ["--token", "-", "--package", made.out, "--provider-file", "README.md"],
      'error: The file "README.md" of --provider-file is not JSON. [input-file-invalid]\n',
    ],
    [
      "a provider of something else",
      () => ["--token", "-", "--package", made.out, "--provider-file", "package.json"],
      'error: The file "package.json" of --provider-file is not the output of `aws iam get-open-id-connect-provider`: it must contain "Url" and "ClientIDList". [input-file-invalid]\n',
    ],
  ])("%s: exit 1 and a message", (_name, args, expected) => {
    expect(verify(args())).toEqual({ status: 1, stdout: "", stderr: expected });
  });
});

describe("any content of a file", () => {
  const flags = ["token", "discovery", "jwks", "identity-file", "provider-file"] as const;
  const shapes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
    fc.constantFrom(
      ...[
        "",
        "null",
        "[]",
        '{"keys":[null]}',
        '{"keys":[{"kty":"oct","k":"AA"}]}',
        `${"[".repeat(5000)}`,
        `${"[".repeat(500)}${"]".repeat(500)}`,
      ].map((text) => Buffer.from(text)),
      ...[
        { Role: { Arn: roleArn, AssumeRolePolicyDocument: "%" } },
        { Url: 1 },
        { keys: [{ kid: signer.kid, kty: "EC", crv: "P-256", x: "AA", y: "!" }] },
      ].map((value) => Buffer.from(JSON.stringify(value))),
    ),
  );

  it.each(flags)("of --%s results in an answer, not a stack trace", async (flag) => {
    const others = (path: string) => (flag === "token" ? {} : { [flag]: flag === "identity-file" ? [path] : path });
    await fc.assert(
      fc.asyncProperty(shapes, async (bytes) => {
        const path = fileOf(bytes);
        try {
          const text = flag === "token" ? Buffer.from(bytes).toString("latin1") : token;
          const answer = await answerOf({ package: made.out, ...others(path) }, "token", text, now);
          // AWS accepts a document with only the required fields, and none of the others.
          expect(answer.verdict).not.toBe("accepted");
          for (const output of [verifyTokenText(answer, now).join("\n"), verifyTokenJson(answer, now)])
            expect(output).not.toContain(signature.slice(0, 20));
        } catch (error) {
          if (!(error instanceof UsageError || error instanceof FindingsError)) throw error;
        }
        rmSync(path);
      }),
    );
  });

  it.each(flags)("of --%s is handled by a process too", (flag) => {
    const others = flag === "token" ? [] : ["--token", "-"];
    for (const bytes of ["\u0000\u001b[31m", '{"keys":[{"kid":1}],"Role":{"Arn":"x"}}', Buffer.from([0xff, 0xfe])]) {
      const args = [...others, `--${flag}`, fileOf(bytes), "--package", made.out, "--time", String(now)];
      const { status, stdout, stderr } = verify(args);
      expect([1, 2]).toContain(status);
      expect(stdout + stderr).toMatch(/^(?:error: |Token of |At )/);
      expect(stdout + stderr).not.toMatch(/^\s+at .*:\d+|node:internal/m);
      expect(stdout + stderr).not.toContain("\u001b");
    }
  });

  it("of a package too", () => {
    for (const text of ["{", "a: b: c", readFileSync("package.json", "utf8"), "\u0000", "kind: ConfigMap"]) {
      const directory = temporary();
      writeFileSync(join(directory, "x.yaml"), text);
      const { status, stdout, stderr } = verify(["--token", "-", "--package", directory]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(/^error: |^warning: /);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });
});
