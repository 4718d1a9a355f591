import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Finding, finding } from "../../core/finding.ts";
import { shellWord } from "../../core/shell.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { newRsaBits } from "../../oidc/limits.ts";
import { isKeyProblem, readPublicKey } from "../../oidc/public-key.ts";
import { namesIn } from "../files/directory.ts";
import { blockedParent, fileFinding } from "../files/paths.ts";
import { maxKeyBytes } from "../files/private-keys.ts";
import {
  clearStage,
  makeStage,
  stageDirectory,
  syncDirectory,
  type WriteTarget,
  writeAtomically,
} from "../files/stage.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/**
 * The program that reads a private key. The OpenShift installer reads the first PEM block as an RSA key in PKCS#1,
 * whatever its label (openshift/installer/pkg/asset/tls: PemToPrivateKey). kube-apiserver accepts RSA and ECDSA keys in
 * PKCS#1, SEC1 and PKCS#8 (client-go/util/keyutil: ParsePrivateKeyPEM).
 */
export type KeyReader = "installer" | "kube-apiserver";

/** A private key, with the facts that may be printed. */
export interface PrivateKey {
  /** The private key in the format that its reader requires. Never use it in messages. */
  readonly pem: string;
  /** Its public half, `PUBLIC KEY` in PEM form. */
  readonly publicPem: string;
  /** The key ID that the Kubernetes API server puts into tokens. */
  readonly kid: string;
  /** For example `RSA, 4096 bits`. */
  readonly description: string;
}

/** Generates a key: RSA for the installer, like ccoctl; otherwise ECDSA P-256, which is fast. */
export function makePrivateKey(reader: KeyReader): PrivateKey {
  const { privateKey } =
    reader === "installer"
      ? generateKeyPairSync("rsa", { modulusLength: newRsaBits })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = describe(privateKey);
  if (typeof key === "string") throw new Error(`a new key ${key}`);
  return key;
}

/** Reads a private key in PEM form, or returns the problem as text that reveals nothing of the key. */
function readPrivateKey(pem: string, reader: KeyReader): PrivateKey | string {
  const [, label = "", body = ""] = block.exec(pem.replace(parameters, "").trim()) ?? [];
  if (label === "ENCRYPTED PRIVATE KEY" || body.startsWith("Proc-Type:")) {
    return "is encrypted, but the program that reads it has no passphrase; decrypt it";
  }
  if (!labels.includes(label) || !base64.test(body)) {
    return "must contain exactly one private key in PEM form and nothing else";
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
    if (!isSound(key)) return unreadable;
  } catch {
    return unreadable;
  }
  if (reader === "installer" && key.asymmetricKeyType !== "rsa") {
    return "is not an RSA key, but the OpenShift installer reads only RSA keys; set another --output-dir, or use --no-installer if no installer will read the key";
  }
  if (reader === "installer" && label !== "RSA PRIVATE KEY") {
    return "is in PKCS#8 format, but the OpenShift installer reads only PKCS#1; convert it with: openssl rsa -traditional";
  }
  return describe(key);
}

const block = /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----$/;
const base64 = /^[A-Za-z0-9+/=\s]+$/;
const labels = ["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY"];
// "openssl ecparam -genkey" writes this block before a key; the API server skips it.
const parameters = /^\s*-----BEGIN EC PARAMETERS-----[A-Za-z0-9+/=\s]+-----END EC PARAMETERS-----/;
const unreadable = "is in PEM form but cannot be read as a private key; it may be truncated or edited";

function describe(key: KeyObject): PrivateKey | string {
  const publicPem = createPublicKey(key).export({ format: "pem", type: "spki" }).toString();
  const known = readPublicKey(publicPem);
  if (isKeyProblem(known)) return known.problem;
  const type = key.asymmetricKeyType === "rsa" ? "pkcs1" : "sec1";
  const pem = key.export({ format: "pem", type }).toString();
  return { pem, publicPem, kid: known.jwk.kid, description: known.description };
}

// OpenSSL accepts keys with inconsistent numbers, in which the public half does not match the private half. Go refuses
// them, and so do the installer and the API server.
function isSound(key: KeyObject): boolean {
  if (key.asymmetricKeyType === "rsa") return isSoundRsa(key);
  if (key.asymmetricKeyType !== "ec") return true;
  const data = Buffer.from("test");
  return verify("sha256", data, createPublicKey(key), sign("sha256", data, key));
}

// RFC 8017, section 3.2.
function isSoundRsa(key: KeyObject): boolean {
  const jwk = key.export({ format: "jwk" }) as Record<string, string>;
  const [n, e, d, p, q, dp, dq, qi] = ["n", "e", "d", "p", "q", "dp", "dq", "qi"].map((name) =>
    BigInt(`0x0${Buffer.from(jwk[name] ?? "", "base64url").toString("hex")}`),
  ) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
  const inverts = (exponent: bigint, prime: bigint) => (e * exponent) % (prime - 1n) === 1n;
  return p * q === n && inverts(d, p) && inverts(d, q) && inverts(dp, p) && inverts(dq, q) && (qi * q) % p === 1n;
}

/** The file names that ccoctl uses for a key pair, which the OpenShift documentation also uses. */
export const privateFile = "serviceaccount-signer.private";
export const publicFile = "serviceaccount-signer.public";
/** The path where the installer looks for the private key (openshift/installer/pkg/asset/tls/boundsasigningkey.go). */
export const installerFile = "tls/bound-service-account-signing-key.key";

/** The existing files of a key pair. */
export interface KeyFiles {
  /** The private key; undefined if it does not exist or cannot be used. */
  readonly key: PrivateKey | undefined;
  /** The paths of the existing files. */
  readonly there: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** Reads the existing files of a key pair, and checks that they belong to one pair and that the reader accepts them. */
export function readKeyFiles(directory: string, reader: KeyReader): KeyFiles {
  const findings: Finding[] = [];
  const there = new Set<string>();
  const texts = new Map<string, string>();
  for (const path of [privateFile, installerFile, publicFile]) {
    const text = readText(directory, path, there);
    if (typeof text === "string") texts.set(path, text);
    else if (text !== undefined) findings.push(text);
    if (texts.has(path) && path !== publicFile) findings.push(...openToOthers(directory, path));
  }
  const privateKeyIn = (path: string, forReader: KeyReader): PrivateKey | undefined => {
    const text = texts.get(path);
    const key = text === undefined ? undefined : readPrivateKey(text, forReader);
    if (typeof key === "string") findings.push(fileFinding("error", "key-pair-unusable", path, `${key}.`));
    return typeof key === "string" ? undefined : key;
  };
  const key = privateKeyIn(privateFile, reader);
  const others = [
    [installerFile, privateKeyIn(installerFile, "installer")?.kid, "contains a different key than"],
    [publicFile, publicKeyID(texts.get(publicFile), findings), "is not the public half of"],
  ] as const;
  for (const [path, kid, differs] of others) {
    if (!there.has(privateFile) && there.has(path)) {
      const message = `exists without ${quote(privateFile)}; put the private key next to it, or set another --output-dir.`;
      findings.push(fileFinding("error", "key-pair-mismatch", path, message));
    } else if (key !== undefined && kid !== undefined && kid !== key.kid) {
      const message = `${differs} ${quote(privateFile)}; remove the wrong file, or set another --output-dir.`;
      findings.push(fileFinding("error", "key-pair-mismatch", path, message));
    }
  }
  return { key, there, findings };
}

function publicKeyID(text: string | undefined, findings: Finding[]): string | undefined {
  const known = text === undefined ? undefined : readPublicKey(text);
  if (known === undefined || !isKeyProblem(known)) return known?.jwk.kid;
  findings.push(finding("error", known.code, `${quote(publicFile)} ${known.problem}.`));
  return undefined;
}

/** The text of a file, undefined if it does not exist, or a finding if it cannot be read. */
function readText(directory: string, path: string, there: Set<string>): string | Finding | undefined {
  const blocked = blockedParent(directory, path);
  if (blocked !== undefined) {
    const message = `requires the directory "${blocked}", but that is a file or a symbolic link; move it away.`;
    return fileFinding("error", "path-taken", path, message);
  }
  const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  there.add(path);
  if (!stat.isFile()) {
    return fileFinding("error", "path-taken", path, "is a symbolic link or not a regular file; move it away.");
  }
  if (stat.size > maxKeyBytes) return fileFinding("error", "key-pair-unusable", path, "is too large to be a key.");
  try {
    return readFileSync(join(directory, path), "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    return fileFinding("error", "key-pair-unusable", path, `cannot be read (${code}).`);
  }
}

// Windows has no such permissions, and Node reports made-up values there.
function openToOthers(directory: string, path: string): Finding[] {
  const mode = lstatSync(join(directory, path)).mode & 0o777;
  if (process.platform === "win32" || (mode & 0o077) === 0) return [];
  const message = `is accessible to users other than its owner (mode ${mode.toString(8).padStart(4, "0")}); run: chmod 600 ${shellWord(join(directory, path))}`;
  return [fileFinding("warning", "private-key-permissions", path, message)];
}

/**
 * The stage of new keys. After an interruption, the next run derives missing files, or creates a key if there is none.
 */
export function keyTarget(directory: string): WriteTarget {
  return { directory, command: "create-key-pair" };
}

const ignoreFile = ".gitignore";

/**
 * Creates the files of a key in order, each atomically and without replacing an existing file: a link fails if the name
 * exists, but a rename would replace the file. Each name is flushed to disk before the next file is created.
 */
export function writeKeys(directory: string, paths: readonly string[], { pem, publicPem }: PrivateKey): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const stage = makeStage(keyTarget(directory));
  try {
    expectPermissions(directory, stage);
    // A killed run leaves a key in the stage, and Git must ignore it.
    writeAtomically(join(stage, ignoreFile), "*\n", 0o644);
    for (const [index, path] of paths.entries()) {
      const staged = join(stage, String(index));
      if (path === publicFile) writeAtomically(staged, publicPem, 0o644);
      else writeAtomically(staged, pem, 0o600);
    }
    for (const [index, path] of paths.entries()) {
      const target = join(directory, path);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      linkNew(join(stage, String(index)), target, path);
      syncDirectory(dirname(target));
    }
  } finally {
    clearKeyStage(directory);
  }
}

/** Removes the stage: keys first, so that .gitignore exists as long as they do. */
export function clearKeyStage(directory: string): void {
  const stage = join(directory, stageDirectory("create-key-pair"));
  for (const name of namesIn(stage)) {
    if (name !== ignoreFile) rmSync(join(stage, name), { recursive: true, force: true });
  }
  clearStage(keyTarget(directory));
}

// Some file systems ignore the mode and give every user access. Windows uses other mechanisms.
function expectPermissions(directory: string, stage: string): void {
  if (process.platform === "win32" || (lstatSync(stage).mode & 0o077) === 0) return;
  throw new UsageError(
    `the file system of ${quoteWhole(directory)} does not support permissions, so every user could read a private key there; use a directory on another file system`,
  );
}

function linkNew(from: string, to: string, path: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const message = "was created by another program during the run and was not changed; run the command again.";
    throw new FindingsError([fileFinding("error", "file-changed", path, message)]);
  }
}
