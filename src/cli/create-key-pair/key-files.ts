import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Finding, finding } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { isKeyProblem, readPublicKey } from "../../oidc/public-key.ts";
import { fileFinding } from "../files/package-files.ts";
import { blockedParent } from "../files/paths.ts";
import { maxKeyBytes } from "../files/private-keys.ts";
import {
  clearStage,
  makeStage,
  stageDirectory,
  syncDirectory,
  type WriteTarget,
  writeAtomically,
} from "../files/stage.ts";
import { shellWord } from "../terminal/arguments.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { type KeyReader, type PrivateKey, readPrivateKey } from "./private-key.ts";

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

/** A file to create. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * The stage of new keys. After an interruption, the next run derives missing files, or creates a key if there is none.
 */
export function keyTarget(directory: string): WriteTarget {
  return { directory, command: "create-key-pair" };
}

const ignoreFile = ".gitignore";

/**
 * Creates files in order, each atomically and without replacing an existing file: a link fails if the name exists, but
 * a rename would replace the file. Each name is flushed to disk before the next file is created.
 */
export function writeKeys(directory: string, files: readonly NewFile[]): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const stage = makeStage(keyTarget(directory));
  try {
    expectPermissions(directory, stage);
    // A killed run leaves a key in the stage, and Git must ignore it.
    writeAtomically(join(stage, ignoreFile), "*\n", 0o644);
    for (const [index, { text, mode }] of files.entries()) writeAtomically(join(stage, String(index)), text, mode);
    for (const [index, { path }] of files.entries()) {
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
  for (const name of readdirSync(stage)) {
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
