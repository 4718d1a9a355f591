import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Finding, finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { isKeyProblem, readPublicKey } from "../../oidc/public-key.ts";
import { fileFinding } from "../files/package-files.ts";
import { blockedParent } from "../files/paths.ts";
import { maxKeyBytes } from "../files/private-keys.ts";
import { shellWord } from "../terminal/arguments.ts";
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
