import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { localConfig, type Value, type ValueMap } from "../../core/resource.ts";
import { printable, quote } from "../../core/text.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { namesIn } from "../files/directory.ts";
import { nearestDirectory, onlyCaseDiffers, refuseControlCharacters } from "../files/paths.ts";
import { countFiles, isWritable } from "../files/write-files.ts";
import { gatesPath, releasePath } from "../release/release-directory.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { version } from "../terminal/version.ts";

const attributes = ".gitattributes";

/**
 * Refuses a directory where no new package can be created: an existing directory must be empty, except for the files of
 * a new Git repository.
 *
 * @param command the command, for the message.
 * @throws UsageError
 * @throws FindingsError if other commands would refuse its path.
 */
export function refuseTaken(directory: string, command = "init"): void {
  refuseControlCharacters([directory]);
  const { there } = nearestDirectory(resolve(directory));
  if (!isWritable(there)) throw new UsageError(`${quote(there)} is not writable`);
  const present = existsSync(directory) ? namesIn(directory) : [];
  const taken = present.filter((name) => ![".git", ".gitignore", attributes, "README.md"].includes(name));
  if (taken.length > 0) {
    throw new UsageError(
      `${quote(directory)} is not empty (it contains ${quote(taken[0])}); name a new or empty directory, because ${command} overwrites nothing`,
    );
  }
}

/**
 * Writes a new package to a temporary directory next to it, then moves it in one step, or its files if the directory exists.
 * Keeps an existing `.gitattributes`.
 *
 * @throws FindingsError if two paths differ only in upper and lower case.
 */
export function createPackage(directory: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  refuseTaken(directory);
  const findings = onlyCaseDiffers(files.keys());
  if (findings.length > 0) throw new FindingsError(findings);
  const parent = dirname(resolve(directory));
  mkdirSync(parent, { recursive: true });
  const temporary = mkdtempSync(join(parent, `.${basename(resolve(directory))}-`));
  // Others can read it, unlike the temporary directory itself.
  const made = join(temporary, "package");
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(made, path)), { recursive: true });
      writeFileSync(join(made, path), content, { flag: "wx" });
    }
    if (existsSync(directory)) moveFiles(made, directory);
    else renameSync(made, directory);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function moveFiles(from: string, to: string): void {
  const names = namesIn(from).filter((name) => name !== attributes || !existsSync(join(to, name)));
  for (const name of names) renameSync(join(from, name), join(to, name));
}

/**
 * The line that says what a new package contains.
 *
 * @param requestFiles the files with requests, and those about the release, by path.
 */
export function createdLine(
  directory: string,
  requestFiles: ReadonlyMap<string, unknown>,
  count: number,
  cloud: string,
): string {
  const files = [...requestFiles.keys()].filter((path) => path !== gatesPath && path !== releasePath).length;
  if (files === 0)
    return `Created ${printable(directory)}: the configuration (cluster-identity.yaml) and the pipeline (Kptfile) of an issuer on ${cloud}.`;
  const requests = count === 1 ? "1 CredentialsRequest" : `${count} CredentialsRequests`;
  return `Created ${printable(directory)}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and ${countFiles(files)} with ${requests} for ${cloud}.`;
}

/** The line that says how many requests for other clouds were not copied, if there were any. */
export function othersLine(count: number): string[] {
  if (count === 0) return [];
  const requests =
    count === 1 ? "1 CredentialsRequest is for another cloud" : `${count} CredentialsRequests are for other clouds`;
  return [`${requests} and ${count === 1 ? "was" : "were"} not copied.`];
}

/** The registry and path of the images of this project. */
export const defaultImagePrefix = "ghcr.io/cloud-credential-functions";

/** The values in the files of a new package. */
export interface NewPackage {
  readonly name: string;
  /** `spec.platform`. */
  readonly platform: ValueMap;
  /** What its component identities are, in the plural: `roles`. */
  readonly identities: string;
  /** In PEM form, with a newline at the end. */
  readonly publicKeys: readonly string[];
  /** The rest of the `spec`: fields other than `platform` and `issuer.signingKeys`. */
  readonly spec?: ConfigFields;
  /** The registry and path of the images; undefined for functions that run as programs. */
  readonly images: string | undefined;
  /** The names of the functions in the pipeline, in order. */
  readonly functions: readonly string[];
}

/** Fields of the `spec` of a ClusterIdentity, in the order in which they are written. */
interface ConfigFields {
  readonly resourcePrefix?: string;
  readonly release?: ValueMap;
  readonly tokenPath?: string;
  readonly issuer?: ValueMap;
}

/** The files of a new package except its requests, by path. */
export function newPackage(options: NewPackage): Map<string, string> {
  return new Map([
    ["cluster-identity.yaml", clusterIdentity(options)],
    ["Kptfile", kptfile(options)],
    [".krmignore", krmignore],
    [".gitattributes", gitattributes],
  ]);
}

const configPath = "cluster-identity.yaml";

/** The ClusterIdentity of a cluster; without signing keys if the key is not known yet. */
export function clusterIdentity({
  name,
  platform,
  publicKeys = [],
  spec: { issuer = {}, ...spec } = {},
}: Pick<NewPackage, "name" | "platform"> & Partial<NewPackage>): string {
  const signingKeys = publicKeys.length === 0 ? {} : { signingKeys: publicKeys.map((publicKey) => ({ publicKey })) };
  const wholeIssuer = { ...issuer, ...signingKeys };
  return emitYaml({
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name, annotations: { [localConfig]: "true" } },
    spec: {
      ...spec,
      ...(Object.keys(wholeIssuer).length === 0 ? {} : { issuer: wholeIssuer }),
      platform,
    },
  });
}

function kptfile({ name, identities, images, functions }: NewPackage): string {
  const run = (fn: string): Value =>
    images === undefined ? { exec: `ccf ${fn}`, configPath } : { image: `${images}/${fn}:v${version}`, configPath };
  const description = `Secrets, ${identities} and issuer of a cluster with short-term cloud credentials.`;
  return emitYaml({
    apiVersion: "kpt.dev/v1",
    kind: "Kptfile",
    metadata: { name, annotations: { [localConfig]: "true" } },
    info: { description },
    pipeline: { mutators: functions.map(run) },
  });
}

const krmignore = `# Files that are not Kubernetes objects. kpt refuses a package that contains such files.
/install-config.yaml
`;

// Nothing is folded in reviews: every generated file grants something, names an identity, or decides whose tokens are trusted.
const gitattributes = `# Rendered files are compared byte for byte.
*.yaml text eol=lf
*.yml text eol=lf
Kptfile text eol=lf
`;
