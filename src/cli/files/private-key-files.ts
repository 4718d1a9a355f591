import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join, posix } from "node:path";
import { type Finding, type FindingCode, finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { isPrivateKey, maxKeyBytes, maxLookahead } from "./private-key-bytes.ts";
import { stageDirectory } from "./stage.ts";

/** The result of {@link privateKeyFiles}. */
export interface KeySearch {
  /** The paths of private key files, relative to the package, with slashes. */
  readonly keys: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

interface Found {
  readonly keys: string[];
  readonly unread: string[];
}

/**
 * Finds the files of a package that are private keys, whatever their names, including files that .krmignore excludes.
 * `.git` and packages inside the package are not searched, and symbolic links are not followed.
 *
 * @param apart other packages inside it, relative to it, with slashes
 */
export function privateKeyFiles(directory: string, apart: readonly string[] = []): KeySearch {
  const found: Found = { keys: [], unread: [] };
  search(directory, "", new Set(apart), found);
  const findings = [
    ...found.keys.map((path) => about(path, "error", "private-key-file", keyMessage)),
    ...found.unread.map((path) => about(path, "warning", "file-unchecked", unreadMessage)),
  ];
  return { keys: new Set(found.keys), findings };
}

const keyMessage =
  "is a private key. Only the public key belongs in a package. Move the file out of the package. If others could read it, treat the key as compromised and create a new key pair.";

const unreadMessage =
  "cannot be read, so it is unknown whether it is a private key; move it out of the package, or make it readable.";

function about(path: string, severity: "error" | "warning", code: FindingCode, message: string): Finding {
  return { ...finding(severity, code, `${quote(path)} ${message}`), file: { path, index: 0 } };
}

function search(directory: string, below: string, apart: ReadonlySet<string>, found: Found): void {
  for (const entry of entriesOf(join(directory, below))) {
    const path = posix.join(below, entry.name);
    if (entry.isDirectory()) {
      if (!apart.has(path) && !isSkipped(directory, path, entry.name)) search(directory, path, apart, found);
    } else if (entry.isFile()) {
      const answer = isKeyFile(join(directory, path));
      if (answer === undefined) found.unread.push(path);
      else if (answer) found.keys.push(path);
    }
  }
}

// readPackage reports a directory that cannot be listed.
function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isSkipped(directory: string, path: string, name: string): boolean {
  return (
    name === ".git" ||
    path === stageDirectory("render") ||
    lstatSync(join(directory, path, "Kptfile"), { throwIfNoEntry: false }) !== undefined
  );
}

// Undefined if the file cannot be read. O_NONBLOCK prevents a wait if the file was replaced by a pipe.
function isKeyFile(path: string): boolean | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    if (size > maxKeyBytes) return false;
    const start = Buffer.alloc(Math.min(size, maxLookahead));
    const length = readSync(file, start, 0, start.length, 0);
    return isPrivateKey(start.subarray(0, length), size);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
