import { lstatSync } from "node:fs";
import { join, posix } from "node:path";
import { generators } from "../../../functions/generators.ts";
import type { Finding } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import { compareText, decodeUtf8, quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { isList, isOurs, listItems } from "../../krm/ambiguous-item.ts";
import { namesWhatIsRead } from "../../krm/resource-list.ts";
import { listDirectory } from "../files/directory.ts";
import { appliedDirectory, fileFinding, isApplied } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import { holdsItem } from "../files/read-objects.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { KrmIgnore } from "./krmignore.ts";

/*
 * What .krmignore hides although a tool applies it, or a command should have compared it. No function would replace or remove these
 * objects, and no check would see them.
 */

/** Whether a file may contain Kubernetes objects: the readers of directories choose files by name. */
export function isResourceFile(name: string): boolean {
  return name === "Kptfile" || /\.(?:ya?ml|json)$/.test(name);
}

/** Why tools do not apply the objects in a directory, but what a file in it makes of them; undefined for most files. */
export function otherMeaning(path: string): string | undefined {
  if (!isApplied(path)) return undefined;
  const name = posix.basename(path);
  if (/^(?:kustomization\.ya?ml|Kustomization)$/.test(name))
    return "is a kustomization, so Argo CD and Flux apply what it makes of the directory, which no command reads.";
  if (name === "Chart.yaml")
    return "is the file of a Helm chart, so Argo CD applies what Helm makes of the directory, which no command reads.";
  return /\.jsonnet$/.test(name) ? "is Jsonnet, which Argo CD evaluates and no command reads." : undefined;
}

const generatedForms = generators.flatMap(({ emits }) => emits);

/** The directories of a package that contain generated files. */
export const generatedTops: ReadonlySet<string> = new Set(
  generatedForms.flatMap(({ path }) => /^\^([a-z]+)(?=\\?\/)/.exec(path.source)?.[1] ?? []),
);

/** Whether a function may write a file of this path, relative to the package. */
export function isGeneratedPath(path: string): boolean {
  return generatedForms.some((form) => form.path.test(path));
}

/** A longer list of names would not help the user. */
const maxNamed = 3;

/**
 * Errors about what .krmignore hides.
 *
 * @param ignored directories and files that it excludes
 * @param apart packages inside the package that are processed by themselves
 */
export function hiddenObjects(
  directory: string,
  rules: KrmIgnore,
  ignored: readonly string[],
  apart: readonly string[],
): Finding[] {
  const findings: Finding[] = [];
  // One finding for each directory that is excluded, or in which files are.
  const byDirectory = new Map<string, string[]>();
  for (const path of [...ignored].sort(compareText)) {
    if (path === "Kptfile") {
      const message = "is excluded by .krmignore, so its functions would not run; remove it from .krmignore.";
      findings.push(fileFinding("error", "generated-hidden", path, message));
      continue;
    }
    const files = filesBelow(directory, path, new Set(apart));
    const generated = files.filter((file) => isGeneratedPath(file) && holdsGenerated(join(directory, file)));
    const at = generated.includes(path) ? posix.dirname(path) : path;
    byDirectory.set(at, [...(byDirectory.get(at) ?? []), ...generated]);
    if (generated.length === 0) findings.push(...otherHidden(directory, rules, files));
  }
  for (const paths of byDirectory.values()) {
    const [first, ...others] = paths.sort(compareText);
    if (first === undefined) continue;
    const message =
      others.length === 0
        ? "contains a generated object, but .krmignore excludes it, so it is not compared with what it is generated from; remove it from .krmignore, or delete the file."
        : `and ${others.length} more ${others.length === 1 ? "file" : "files"} (${listed(others.map(quote), maxNamed)}) contain generated objects, but .krmignore excludes them, so they are not compared with what they are generated from; remove them from .krmignore, or delete the files.`;
    findings.push(fileFinding("error", "generated-hidden", first, message));
  }
  return findings;
}

function otherHidden(directory: string, rules: KrmIgnore, files: readonly string[]): Finding[] {
  const hidden = files.flatMap((path) => {
    const why = isApplied(path) ? appliedWhole : ownKindIn(join(directory, path));
    return why === undefined ? [] : [{ path, why }];
  });
  const [first, ...others] = hidden;
  if (first === undefined) return [];
  const also =
    others.length === 0
      ? ""
      : ` The same is true for ${listed(
          others.map(({ path }) => quote(path)),
          maxNamed,
        )}.`;
  const message = `${first.why}, but .krmignore excludes it (${rules.lineFor(first.path)}), so no command reads it. Remove the line from .krmignore, or move the file out of the package.${also}`;
  return [fileFinding("error", "object-hidden", first.path, message)];
}

const appliedWhole = `is in ${quote(appliedDirectory)}, which tools apply whole`;

function filesBelow(directory: string, path: string, apart: ReadonlySet<string>): string[] {
  if (apart.has(path) || posix.basename(path) === ".git") return [];
  const found = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (found?.isDirectory() !== true)
    return found !== undefined && (isResourceFile(posix.basename(path)) || otherMeaning(path) !== undefined)
      ? [path]
      : [];
  // Another package has its own .krmignore.
  if (lstatSync(join(directory, path, "Kptfile"), { throwIfNoEntry: false }) !== undefined) return [];
  const { entries, unnamed } = listDirectory(join(directory, path));
  const isRead = generatedTops.has(path.split("/")[0] ?? "");
  if (isRead && unnamed.length > 0) throw new FindingsError(unnamed.map(({ name }) => notUtf8(posix.join(path, name))));
  return entries.flatMap((entry) => filesBelow(directory, posix.join(path, entry.name), apart));
}

/** The finding about an entry of a directory that no path can name. */
export function notUtf8(path: string): Finding {
  const message = "has a name that is not UTF-8, so it cannot be read; rename it.";
  return fileFinding("error", "name-not-utf8", path, message);
}

// What cannot be read may be such an object.
function holdsGenerated(path: string): boolean {
  if (lstatSync(path).isFile() !== true) return true;
  const text = decodeUtf8(readBytes(path));
  if (text === undefined) return true;
  if (!namesWhatIsRead(text)) return false;
  return holdsItem(text, ({ annotations }) => annotations.has(generatedBy));
}

/** Files that are larger than any object that the API server accepts are not files of ours. */
const maxBytes = 4 * 1024 * 1024;

// A directory that is excluded may contain anything, such as the templates of a chart, which are not YAML.
function ownKindIn(path: string): string | undefined {
  const found = lstatSync(path);
  if (!found.isFile() || found.size > maxBytes) return undefined;
  const text = decodeUtf8(readBytes(path));
  if (text === undefined) return undefined;
  let own: string | undefined;
  holdsItem(text, (item) => {
    own ??= (isList(item) ? listItems(item) : [item]).find(isOurs)?.kind;
    return false;
  });
  return own === undefined ? undefined : `contains an object of the kind ${quote(own)}`;
}
