import { join } from "node:path";
import { type Finding, finding } from "../../core/finding.ts";
import { readJson } from "../../core/json.ts";
import { isMap, textAt, type Value, valueAt } from "../../core/resource.ts";
import { decodeUtf8, holdsPrivateKey, quote } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import {
  describeProblem,
  documents,
  eachPair,
  elements,
  isMapping,
  isProblem,
  isSequence,
  type Source,
  scalarText,
} from "../../yaml/source.ts";
import { entriesIn } from "../files/directory.ts";
import { inputProblem, readInputFile } from "../files/input-file.ts";
import { statOf } from "../files/paths.ts";
import { readBytes, readStandardInput } from "../files/read-bytes.ts";

/** What ccoctl left in its output directory (cloud-credential-operator, pkg/cmd/provisioning). */
export interface CcoctlDirectory {
  /** The manifests: the Secrets and the Authentication. */
  readonly items: readonly Item[];
  /** The path of the public key of the service account signer; undefined if it is not there. */
  readonly publicKeyFile: string | undefined;
  /** The key set, if it is there. */
  readonly jwks: Value | undefined;
  /** The issuer in the discovery document, if it is there. */
  readonly issuerUrl: string | undefined;
  /** Warnings about private keys, which are not read. */
  readonly findings: readonly Finding[];
}

const flag = "--from-ccoctl";

/**
 * Reads the output directory of ccoctl, without anything that is private.
 * @throws FindingsError `input-file-invalid` if one of its files is not what ccoctl writes.
 */
export function readCcoctlDirectory(directory: string): CcoctlDirectory {
  if (statOf(directory)?.isDirectory() !== true) throw inputProblem(flag, directory, "is not a directory");
  const findings: Finding[] = [];
  const items: Item[] = [];
  for (const name of filesIn(directory, "manifests").filter((file) => /\.ya?ml$/.test(file))) {
    const path = join(directory, "manifests", name);
    const text = readRegular(path);
    if (holdsPrivateKey(text)) findings.push(privateKey(path));
    else items.push(...objectsIn(flag, path, text));
  }
  const top = filesIn(directory, ".");
  const keys = ["", "tls"].flatMap((below) =>
    filesIn(directory, below)
      .filter((name) => isPrivate.test(name))
      .map((name) => join(directory, below, name)),
  );
  findings.push(...keys.map(privateKey));
  // With --dry-run, ccoctl numbers the documents: "04-keys.json".
  const document = (name: RegExp) =>
    top.filter((file) => name.test(file)).map((file) => documentAt(join(directory, file)))[0];
  const discovery = document(/^(?:\d+-)?openid-configuration$/);
  return {
    items,
    publicKeyFile: top.includes(publicKeyName) ? regular(join(directory, publicKeyName)) : undefined,
    jwks: document(/^(?:\d+-)?keys\.json$/),
    issuerUrl: discovery === undefined ? undefined : textAt(discovery, ["issuer"]) || undefined,
    findings,
  };
}

const publicKeyName = "serviceaccount-signer.public";

// "serviceaccount-signer.private", and "tls/bound-service-account-signing-key.key" for the installer.
const isPrivate = /\.(?:private|key)$/;

function filesIn(directory: string, below: string): string[] {
  const path = join(directory, below);
  if (statOf(path)?.isDirectory() !== true) return [];
  // A link or a pipe with the name of a file must not be missing silently.
  const entries = entriesIn(path).filter((entry) => !entry.isDirectory());
  return entries.map(({ name }) => name);
}

// Opening a pipe would wait for its writer.
function regular(path: string): string {
  if (statOf(path)?.isFile() === true) return path;
  throw inputProblem(flag, path, "is not a regular file; replace it with the file itself, or remove it");
}

function readRegular(path: string): string {
  return readInputFile(flag, regular(path));
}

function documentAt(path: string): Value {
  const read = readJson(readRegular(path));
  if ("problem" in read) throw inputProblem(flag, path, read.problem);
  return read.value;
}

function privateKey(path: string): Finding {
  const message = `${quote(path)} is a private key. It was not read. Never add it to Git.`;
  return finding("warning", "import-private-key", message);
}

/**
 * The objects of a file named on the command line: documents, lists of objects, or both, in YAML or JSON.
 *
 * @param path of a file of at most 48 MiB, or `-` for standard input.
 * @throws FindingsError `input-file-invalid`
 */
export function readObjects(flag: string, path: string): Item[] {
  const text = decodeUtf8(path === "-" ? readStandardInput() : bytesOf(flag, path));
  if (text === undefined) throw inputProblem(flag, path, "is not UTF-8");
  return objectsIn(flag, path, text);
}

/** The same for a text that was read from a file. */
function objectsIn(flag: string, path: string, text: string): Item[] {
  const source = parseDocuments(text);
  const [problem] = isProblem(source) ? [source] : source.unread.values();
  if (problem !== undefined) throw inputProblem(flag, path, `is not YAML: ${describeProblem(problem)}`);
  const nodes = documents(source as Source).flatMap((node) => objectNodes(source as Source, node));
  return nodes.map((node, index) => readItem(source as Source, node, { path, index }));
}

function bytesOf(flag: string, path: string): Uint8Array {
  const found = statOf(path);
  if (found === undefined) throw inputProblem(flag, path, "does not exist");
  if (found.isDirectory()) throw inputProblem(flag, path, "is a directory");
  try {
    return readBytes(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw inputProblem(flag, path, "cannot be read");
  }
}

// A list can be in a list: "oc get" prints one for each kind, and a user may put several together.
function objectNodes(source: Source, node: number): number[] {
  if (!isMapping(source, node)) return [];
  let items: number | undefined;
  let isList = false;
  eachPair(source, node, (key, value) => {
    const name = scalarText(source, key);
    if (name === "items" && isSequence(source, value)) items = value;
    if (name === "kind") isList = scalarText(source, value)?.endsWith("List") === true;
  });
  if (!isList || items === undefined) return [node];
  return elements(source, items).flatMap((one) => objectNodes(source, one));
}

/** The texts of a mapping at a path, by key. */
export function textsAt(value: Value, path: readonly string[]): ReadonlyMap<string, string> {
  const map = valueAt(value, path);
  const entries = Object.entries(isMap(map) ? map : {});
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
