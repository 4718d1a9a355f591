import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join, posix } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { decodeUtf8 } from "../../core/text.ts";
import { entriesIn } from "./directory.ts";
import { fileFinding } from "./paths.ts";
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
    ...found.keys.map((path) => fileFinding("error", "private-key-file", path, keyMessage)),
    ...found.unread.map((path) => fileFinding("warning", "file-unchecked", path, unreadMessage)),
  ];
  return { keys: new Set(found.keys), findings };
}

const keyMessage =
  "is a private key. Only the public key belongs in a package. Move the file out of the package. If others could read it, treat the key as compromised and create a new key pair.";

const unreadMessage =
  "cannot be read, so it is unknown whether it is a private key; move it out of the package, or make it readable.";

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
    return entriesIn(directory);
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

/** The largest file of a key: a 16384-bit RSA key needs 13 KiB. */
export const maxKeyBytes = 64 * 1024;

/** How much of a file is examined: a private key is smaller, or at least begins within it. */
export const maxLookahead = 16 * 1024;

/**
 * Whether a file is a private key, whatever its name: PEM, if the first line that is not blank begins a block (RFC
 * 7468; "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"), DER (PKCS
 * #1, PKCS #8, SEC 1), or either of them in base64.
 *
 * @param start the file's first {@link maxLookahead} bytes.
 * @param size how many bytes the whole file has.
 */
export function isPrivateKey(start: Uint8Array, size: number): boolean {
  return isDerKey(start, size) || isTextOfKey(textOf(start));
}

// If the excerpt ends within a character, or the file is not text, the bytes are read as Latin-1.
function textOf(start: Uint8Array): string {
  const [a, b] = start;
  if (a === 0xff && b === 0xfe) return Buffer.from(start.subarray(2)).toString("utf16le");
  return (
    decodeUtf8(start)?.replace(/^\ufeff/, "") ??
    Buffer.from(start)
      .toString("latin1")
      .replace(/^\u00ef\u00bb\u00bf/, "")
  );
}

function isTextOfKey(text: string): boolean {
  const trimmed = text.trimStart();
  // Other blocks, such as parameters or a certificate, may precede the key.
  if (/^-----BEGIN [^\r\n-]+-----/.test(trimmed))
    return /^[ \t]*-----BEGIN (?:[^\r\n-]+ )?PRIVATE KEY-----/m.test(trimmed);
  if (!/^[A-Za-z0-9+/=\s]{64,}$/.test(trimmed)) return false;
  const decoded = Buffer.from(trimmed.replace(/\s+/g, ""), "base64");
  return (
    isDerKey(decoded, decoded.length) ||
    /^\s*-----BEGIN (?:[^\r\n-]+ )?PRIVATE KEY-----/.test(decoded.toString("latin1"))
  );
}

/** Tags of ASN.1 (ITU-T X.690). */
const tags = { integer: 0x02, octetString: 0x04, object: 0x06, sequence: 0x30 } as const;

interface Element {
  readonly tag: number;
  readonly start: number;
  /** The end of its content, which may be beyond the bytes that were read. */
  readonly stop: number;
}

function isDerKey(bytes: Uint8Array, size: number): boolean {
  const whole = elementAt(bytes, 0);
  // Allow a line ending that an editor added.
  if (whole === undefined || whole.tag !== tags.sequence || size < whole.stop || size > whole.stop + 2) return false;
  const first = elementAt(bytes, whole.start);
  const second = first === undefined ? undefined : elementAt(bytes, first.stop);
  if (first === undefined || second === undefined) return false;
  if (first.tag === tags.sequence) return isEncrypted(bytes, first, second);
  if (first.tag !== tags.integer || first.stop - first.start !== 1) return false;
  const version = bytes[first.start] ?? 0;
  const third = elementAt(bytes, second.stop);
  if (version > 1) return false;
  // PKCS #8: version, algorithm, key. PKCS #1: version, modulus, exponent. SEC 1: version 1, key.
  if (second.tag === tags.sequence) return holdsObject(bytes, second) && third?.tag === tags.octetString;
  if (second.tag === tags.integer) return second.stop - second.start > 31 && third?.tag === tags.integer;
  return second.tag === tags.octetString && version === 1;
}

// PKCS #8, EncryptedPrivateKeyInfo: the algorithm, then the key as an octet string. A public key has a bit string
// there.
function isEncrypted(bytes: Uint8Array, algorithm: Element, key: Element): boolean {
  return holdsObject(bytes, algorithm) && key.tag === tags.octetString;
}

function holdsObject(bytes: Uint8Array, { start }: Element): boolean {
  return elementAt(bytes, start)?.tag === tags.object;
}

// The tag and the length of an element, in the definite form that DER requires.
function elementAt(bytes: Uint8Array, at: number): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  if (first < 0x80) return { tag, start: at + 2, stop: at + 2 + first };
  const digits = first & 0x7f;
  if (digits === 0 || digits > 3) return undefined;
  let length = 0;
  for (let index = 0; index < digits; index++) {
    const digit = bytes[at + 2 + index];
    if (digit === undefined) return undefined;
    length = length * 256 + digit;
  }
  const start = at + 2 + digits;
  return { tag, start, stop: start + length };
}
