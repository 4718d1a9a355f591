import { spawnSync } from "node:child_process";
import { generateKeyPairSync, type KeyExportOptions } from "node:crypto";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPrivateKey, maxLookahead } from "../../../src/cli/files/private-keys.ts";
import { readPackage } from "../../../src/cli/package/package-files.ts";
import { copyProgram, run } from "../../helpers/ccf.ts";
import { newPackage, renderedPackage } from "../../helpers/cluster-package.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");
const encrypted = { cipher: "aes-256-cbc", passphrase: "x" };

const exported = (key: typeof rsa.privateKey, options: KeyExportOptions<"pem" | "der">): Buffer =>
  Buffer.from(key.export(options as KeyExportOptions<"pem">));
const pem = exported(rsa.privateKey, { type: "pkcs8", format: "pem" });
const openssh = `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n`;
const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";

const isKey = (bytes: Buffer | string): boolean => {
  const all = Buffer.from(bytes);
  return isPrivateKey(all.subarray(0, maxLookahead), all.length);
};

describe("a private key", () => {
  it.each<[string, Buffer | string]>([
    ["PKCS #8, PEM", pem],
    ["PKCS #8, DER", exported(rsa.privateKey, { type: "pkcs8", format: "der" })],
    ["PKCS #8 of an elliptic curve, DER", exported(ec.privateKey, { type: "pkcs8", format: "der" })],
    ["PKCS #8 of Ed25519, DER", exported(ed.privateKey, { type: "pkcs8", format: "der" })],
    ["PKCS #1, PEM", exported(rsa.privateKey, { type: "pkcs1", format: "pem" })],
    ["PKCS #1, DER", exported(rsa.privateKey, { type: "pkcs1", format: "der" })],
    ["SEC 1, PEM", exported(ec.privateKey, { type: "sec1", format: "pem" })],
    ["SEC 1, DER", exported(ec.privateKey, { type: "sec1", format: "der" })],
    [
      "SEC 1 after its parameters, as openssl writes it",
      parameters + exported(ec.privateKey, { type: "sec1", format: "pem" }),
    ],
    ["encrypted, PEM", exported(rsa.privateKey, { type: "pkcs8", format: "pem", ...encrypted })],
    ["encrypted, DER", exported(rsa.privateKey, { type: "pkcs8", format: "der", ...encrypted })],
    ["encrypted in the older form", exported(rsa.privateKey, { type: "pkcs1", format: "pem", ...encrypted })],
    ["of OpenSSH", openssh],
    ["after a byte order mark", `\ufeff${pem}`],
    ["after blank lines", `\n \t\r\n${pem}`],
    ["in UTF-16, as PowerShell writes it", Buffer.from(`\ufeff${pem}`, "utf16le")],
    ["with other line ends", pem.toString().replaceAll("\n", "\r\n")],
    ["before bytes that are not text", Buffer.concat([pem, Buffer.from([0xff, 0xfe, 0x00])])],
    ["PEM in base64, as a Secret has it", `${pem.toString("base64")}\n`],
    ["DER in base64", exported(rsa.privateKey, { type: "pkcs8", format: "der" }).toString("base64")],
    [
      "DER and a line end",
      Buffer.concat([exported(ec.privateKey, { type: "sec1", format: "der" }), Buffer.from("\n")]),
    ],
  ])("is seen: %s", (_name, bytes) => {
    expect(isKey(bytes)).toBe(true);
  });

  it.each<[string, Buffer | string]>([
    ["a public key, PEM", exported(rsa.publicKey, { type: "spki", format: "pem" })],
    ["a public key, DER", exported(rsa.publicKey, { type: "spki", format: "der" })],
    ["a public key, PKCS #1", exported(rsa.publicKey, { type: "pkcs1", format: "der" })],
    ["a public key in base64", exported(rsa.publicKey, { type: "spki", format: "der" }).toString("base64")],
    ["a Kubernetes object that holds one", `apiVersion: v1\nkind: Secret\nstringData:\n  key: |\n    ${pem}`],
    ["a page about private keys", `How to:\n${pem}`],
    ["nothing", ""],
    ["one byte", "0"],
    ["a sequence of nothing", Buffer.from([0x30, 0x00])],
    ["the beginning of a DER key", exported(rsa.privateKey, { type: "pkcs8", format: "der" }).subarray(0, 40)],
    ["a long text", "word ".repeat(maxLookahead)],
    ["a long line of base64", "QUJD".repeat(40)],
  ])("is not: %s", (_name, bytes) => {
    expect(isKey(bytes)).toBe(false);
  });
});

function put(directory: string, path: string, bytes: Buffer | string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), bytes);
}

/** The codes of the findings about the files of a package. */
const codesIn = (directory: string) => readPackage(directory).findings.map(({ code, file }) => [code, file?.path]);

describe("a private key in a package", () => {
  it.each(["bound.key", "no-name", ".keys/signer", "requests/key.yaml", "a.json", "sub/dir/key.txt"])(
    "is an error, whatever its name: %s",
    (path) => {
      const directory = temporary();
      put(directory, ".krmignore", "*\n");
      put(directory, path, pem);
      expect(codesIn(directory)).toEqual([["private-key-file", path]]);
      put(directory, path, exported(rsa.privateKey, { type: "pkcs1", format: "der" }));
      expect(codesIn(directory)).toEqual([["private-key-file", path]]);
    },
  );

  it("is not searched for in .git, in nested packages, behind symbolic links and in large files", () => {
    const directory = temporary();
    put(directory, ".git/key", pem);
    put(directory, "inside/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: inside}\n");
    put(directory, "inside/key", pem);
    put(directory, "large", Buffer.concat([pem, Buffer.alloc(64 * 1024)]));
    symlinkSync(join(directory, ".git/key"), join(directory, "link"));
    expect(codesIn(directory)).toEqual([]);
  });

  it("may be in a file that cannot be read, which causes a warning", () => {
    const directory = newPackage();
    put(directory, "closed", pem);
    const isRoot = process.getuid?.() === 0;
    chmodSync(join(directory, "closed"), isRoot ? 0o600 : 0);
    for (const path of [dirname(directory), directory]) chmodSync(path, 0o755);
    const program = copyProgram(dirname(directory));
    const { stderr } = spawnSync(process.execPath, [program, "render", "--check", directory], {
      ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^warning: .*"closed" cannot be read, so it is unknown .* \[file-unchecked\]$/m);
  });

  const commands: readonly [string, number, (directory: string) => readonly string[]][] = [
    ["render", 1, (directory) => ["render", directory]],
    ["render --check", 1, (directory) => ["render", "--check", directory]],
    ["render --stdout", 1, (directory) => ["render", "--stdout", directory]],
    ["export", 1, (directory) => ["export", directory, "--output-dir", join(temporary(), "out")]],
    ["validate", 2, (directory) => ["validate", directory]],
  ];

  it.each(commands)("stops %s, and no part of it is printed", (_name, status, args) => {
    const directory = renderedPackage();
    put(directory, ".keys/bound-service-account-signing-key.key", pem);
    const before = readTree(directory);
    const done = run(args(directory));
    expect(done.status).toBe(status);
    expect(done.stderr).toMatch(
      /^error: .*"\.keys\/bound-service-account-signing-key\.key" is a private key\. .* \[private-key-file\]$/m,
    );
    expect(done.stdout + done.stderr).not.toMatch(/BEGIN|PRIVATE KEY/);
    for (const line of pem
      .toString()
      .split("\n")
      .filter((text) => text.length > 8))
      expect(done.stdout + done.stderr).not.toContain(line);
    expect(readTree(directory)).toEqual(before);
  });

  it("stops Argo CD's command", () => {
    const directory = newPackage();
    put(directory, "key.pem", pem);
    const done = run(["argo-cd-generate"], { cwd: directory });
    expect({ status: done.status, stdout: done.stdout }).toEqual({ status: 1, stdout: "" });
    expect(done.stderr).toContain("[private-key-file]");
  });
});
