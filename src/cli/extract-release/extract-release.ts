import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { platformQuestions } from "../../clouds/platform-questions.ts";
import { type Finding, FindingError, finding } from "../../core/finding.ts";
import { digestOf } from "../../core/hash.ts";
import { canonicalJson, jsonOrNull } from "../../core/json.ts";
import { isMap, textAt, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { decodeUtf8, printable, quote, quoteWhole } from "../../core/text.ts";
import { toResult } from "../../krm/results.ts";
import { isBefore, minorOf } from "../../requests/release-filter.ts";
import type { FlagsOf } from "../definition.ts";
import { namesIn } from "../files/directory.ts";
import { refuseControlCharacters, statOf } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import type { WriteTarget } from "../files/stage.ts";
import { afterInterruption, type FileChange, writeFiles, writeProblems } from "../files/write-files.ts";
import type { ReadRelease } from "../release/read-image.ts";
import { indexFile, sourceFile } from "../release/release-directory.ts";
import type { Extract } from "../release/release-payload.ts";
import { throwErrors, UsageError } from "../terminal/errors.ts";
import { writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import type { extractReleaseCommand as definition } from "./definition.ts";

type Values = FlagsOf<typeof definition>;

/** `ccf extract-release RELEASE`: exit code 0 if the directory contains the release, 1 if nothing was written. */
export async function extractRelease(values: Values, release: string | undefined): Promise<number> {
  const directory = values["output-dir"];
  const file = values["from-file"];
  if (directory === undefined) throw new UsageError("--output-dir is required; it names the directory of the release");
  if ((release === undefined) === (file === undefined))
    throw new UsageError("name either a version or an image, or a file with --from-file");
  refuseControlCharacters([directory]);
  if (statOf(directory) !== undefined && !statOf(directory)?.isDirectory())
    throw new UsageError(`--output-dir ${quote(directory)} is not a directory`);
  const from = release === undefined ? { file: file ?? "" } : { release };
  const providerKind = platformQuestions.find(({ name }) => name === values.cloud)?.providerKind;
  const { readExtract, verifiedLine } = await import("../release/read-image.ts");
  const read = await readExtract({ from, arch: values.arch, providerKind }, values);
  const { changes, findings } = writeRelease(directory, filesOf(read, values.cloud));
  writeFindings(findings);
  if (values.output === "json") writeJson(releaseJson(read, values, changes, findings));
  else writeNotes(1, [...linesOf(read, directory, changes), verifiedLine(read.image), nextLine(directory)]);
  return 0;
}

/** What says which image a directory is from, and how it was verified. */
function sourceOf({ image, extract }: ReadRelease, cloud: string | undefined): ValueMap {
  const { name, tag, digest, index, architecture, from, signature } = image;
  return {
    version: extract.version,
    image: name,
    ...(tag === undefined ? {} : { tag }),
    digest,
    ...(index === undefined ? {} : { index }),
    architecture,
    ...(from === name ? {} : { from }),
    signature: { ...signature },
    cloud: cloud ?? "all",
  };
}

function filesOf(read: ReadRelease, cloud: string | undefined): ReadonlyMap<string, string> {
  const { files } = read.extract;
  const digests = Object.fromEntries([...files].map(([path, text]) => [path, digestOf(text)]));
  const source = { ...sourceOf(read, cloud), files: digests };
  return new Map([...files, [sourceFile, `${JSON.stringify(source, undefined, 2)}\n`]]);
}

/**
 * Writes a release into a directory. Never changes a file, so that a directory has one release, whatever happened before.
 *
 * @throws FindingError "release-directory-taken"
 */
function writeRelease(directory: string, files: ReadonlyMap<string, string>) {
  const isNew = statOf(directory) === undefined;
  const target: WriteTarget = { directory, command: "extract-release" };
  if (!isNew) refuseOther(directory, files);
  const changes = [...files].flatMap(([path, after]): FileChange[] =>
    isNew || !isPresent(directory, path, after) ? [{ path, before: undefined, after }] : [],
  );
  const findings = isNew ? [] : afterInterruption("release-extract-interrupted", target, true, "");
  if (changes.length === 0) return { changes, findings };
  mkdirSync(directory, { recursive: true });
  try {
    throwErrors(writeProblems(target, changes));
    // The index comes first, so that a directory with a part of a release is known as such, and the list of files last.
    const rankOf = ({ path }: FileChange) => (path === indexFile ? 0 : path === sourceFile ? 2 : 1);
    writeFiles(
      target,
      [0, 1, 2].map((rank) => ({ changes: changes.filter((change) => rankOf(change) === rank) })),
    );
  } finally {
    if (isNew) removeIfEmpty(directory);
  }
  return { changes, findings };
}

function isPresent(directory: string, path: string, text: string): boolean {
  const file = join(directory, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (stat.isFile() && isSame(path, decodeUtf8(readBytes(file)) ?? "", text)) return true;
  throw taken(`${quoteWhole(path)} in ${quoteWhole(directory)} has other content than in this release`);
}

// The same image can be read from another place.
function isSame(path: string, before: string, after: string): boolean {
  if (before === after || path !== sourceFile) return before === after;
  const [old, now] = [before, after].map((text) => withoutPlace(jsonOrNull(text)));
  return old === now;
}

function withoutPlace(source: Value): string {
  if (!isMap(source)) return "";
  const { from: _, ...rest } = source;
  return canonicalJson(rest);
}

// A directory of another release is named as such, not by its first file that differs.
function refuseOther(directory: string, files: ReadonlyMap<string, string>): void {
  const path = join(directory, sourceFile);
  if (statOf(path)?.isFile() !== true) return;
  const [before, now] = [jsonOrNull(decodeUtf8(readBytes(path)) ?? ""), jsonOrNull(files.get(sourceFile) ?? "")];
  const of = (field: string) => [textAt(before, [field]), textAt(now, [field])] as const;
  const [oldVersion, version] = of("version");
  if (oldVersion !== version)
    throw taken(`${quoteWhole(directory)} contains the release ${quote(oldVersion)}, not ${quote(version)}`);
  const [oldDigest, digest] = of("digest");
  const [oldTag, tag] = of("tag");
  const [oldName, name] = of("image");
  if (oldDigest !== digest && oldTag === tag && tag !== "" && oldName === name)
    throw taken(
      `the tag ${quote(tag)} of ${quoteWhole(name)} moved: ${quoteWhole(directory)} contains its image ${quoteWhole(oldDigest)}, and now it is ${quoteWhole(digest)}`,
    );
  if (oldDigest !== digest)
    throw taken(
      `${quoteWhole(directory)} contains the release from the image ${quoteWhole(oldDigest)}, not ${quoteWhole(digest)}`,
    );
  const verified = (source: Value) => canonicalJson(valueAt(source, ["signature"]) ?? null);
  if (verified(before) !== verified(now))
    throw taken(`${quoteWhole(directory)} contains the same image, but it was verified in another way`);
  const [oldCloud, cloud] = of("cloud");
  if (oldCloud !== cloud)
    throw taken(
      `${quoteWhole(directory)} contains the requests for ${oldCloud === "all" ? "all clouds" : quote(oldCloud)}`,
    );
}

function taken(problem: string): FindingError {
  return new FindingError(finding("error", "release-directory-taken", `${problem}. Name a new or empty directory.`));
}

function removeIfEmpty(directory: string): void {
  if (namesIn(directory).length === 0) rmdirSync(directory);
}

function linesOf({ image, extract }: ReadRelease, directory: string, changes: readonly FileChange[]): string[] {
  const name = printable(image.name === "" ? image.from : `${image.name}@${image.digest}`);
  const what = `${printable(directory)} contains the release ${extract.version}: ${counted(extract)}.`;
  return [
    `${extract.version}: ${name}${image.from === image.name || image.name === "" ? "" : `, read from ${printable(image.from)}`}`,
    changes.length === 0 ? `Up to date: ${what}` : what,
  ];
}

function counted({ version, requests, featureGates }: Extract): string {
  const files = requests === 1 ? "1 file with CredentialsRequests" : `${requests} files with CredentialsRequests`;
  if (featureGates === 0)
    return `${files}, and no FeatureGate manifest${isBefore(minorOf(version), 4, 15) ? ", as in all releases before 4.15" : ", so its feature gates are unknown"}`;
  return `${files} and ${featureGates === 1 ? "1 FeatureGate manifest" : `${featureGates} FeatureGate manifests`}`;
}

function nextLine(directory: string): string {
  const word = shellWord(directory);
  return `Next: ccf init DIR --credentials-requests ${word}, or ccf update-requests --from ${word} DIR`;
}

function releaseJson(
  read: ReadRelease,
  { cloud, "output-dir": directory = "" }: Values,
  changes: readonly FileChange[],
  findings: readonly Finding[],
): ValueMap {
  return {
    directory,
    ...sourceOf(read, cloud),
    files: read.extract.requests,
    featureGates: read.extract.featureGates,
    added: changes.map(({ path }) => path),
    findings: findings.map(toResult),
  };
}
