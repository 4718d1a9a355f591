import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join, posix } from "node:path";
import { type Finding, type FindingCode, finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { isPrivateKey, maxLookahead } from "./private-key-bytes.ts";
import { stageDirectory } from "./stage.ts";

/** A larger file is no private key: one of 16384 bits has about 13 KB. */
const largestKey = 64 * 1024;

/** What {@link privateKeyFiles} found. */
export interface KeySearch {
  /** Files that are private keys; paths relative to the package, with slashes. */
  readonly keys: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

interface Found {
  readonly keys: string[];
  readonly unread: string[];
}

/**
 * The files of a package that are private keys themselves, whatever their names are, and whether or not .krmignore names
 * them. `.git` and packages inside of the package are not looked at, and symbolic links are not followed.
 */
export function privateKeyFiles(directory: string): KeySearch {
  const found: Found = { keys: [], unread: [] };
  search(directory, "", found);
  const findings = [
    ...found.keys.map((path) => about(path, "error", "private-key-file", keyMessage)),
    ...found.unread.map((path) => about(path, "warning", "file-unchecked", unreadMessage)),
  ];
  return { keys: new Set(found.keys), findings };
}

const keyMessage =
  "is a private key, and a private key must never be in a package. Move the file out, treat the key as compromised if others could read the package, and create a new one; only the public key is needed.";

const unreadMessage =
  "cannot be read, so it is unknown whether it is a private key; move it out of the package, or make it readable.";

function about(path: string, severity: "error" | "warning", code: FindingCode, message: string): Finding {
  return { ...finding(severity, code, `${quote(path)} ${message}`), file: { path, index: 0 } };
}

function search(directory: string, below: string, found: Found): void {
  for (const entry of entriesOf(join(directory, below))) {
    const path = posix.join(below, entry.name);
    if (entry.isDirectory()) {
      if (!isPassedOver(directory, path, entry.name)) search(directory, path, found);
    } else if (entry.isFile()) {
      const answer = isKeyFile(join(directory, path));
      if (answer === undefined) found.unread.push(path);
      else if (answer) found.keys.push(path);
    }
  }
}

// A directory that cannot be listed is said by the reader of the package.
function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isPassedOver(directory: string, path: string, name: string): boolean {
  return (
    name === ".git" ||
    path === stageDirectory("render") ||
    lstatSync(join(directory, path, "Kptfile"), { throwIfNoEntry: false }) !== undefined
  );
}

// Undefined where it cannot be read. Nothing waits for a file that was exchanged for a pipe meanwhile.
function isKeyFile(path: string): boolean | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    if (size > largestKey) return false;
    const start = Buffer.alloc(Math.min(size, maxLookahead));
    const length = readSync(file, start, 0, start.length, 0);
    return isPrivateKey(start.subarray(0, length), size);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
