import { join, relative, sep } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { compareText } from "../../core/text.ts";
import { fileFinding, isInside, realPathOf, statOf } from "../files/paths.ts";
import { type FoundPackages, findPackages } from "./find-packages.ts";

/*
 * What a search does not read, although it is or may be a package. A check of touched paths and a check of all packages follow
 * the same rules, so that neither passes with a package that the other reports.
 */

type Code = "package-skipped" | "touched-unchecked";

/**
 * The packages below a root that .krmignore hides, as real paths. Those inside another package belong to it.
 *
 * @param root a real path
 * @param packages the real paths of all packages that the search found
 */
export function hiddenPackages(root: string, packages: ReadonlySet<string>): string[] {
  return findPackages(root, false)
    .map((found) => join(root, found))
    .filter((found) => ![...packages].some((one) => isInside(one, found)));
}

/** The finding about a package that .krmignore hides. */
export function hiddenFinding(directory: string, code: Code): Finding {
  return aboutPath("warning", directory, code, "is a package, but .krmignore hides it; remove it from .krmignore.");
}

/**
 * The finding about a symbolic link outside packages that may lead to a package or to a file of one. None if it leads to a
 * directory below the root, which the search reads itself, or to a file that cannot be part of a package.
 */
export function linkFindings(path: string, root: string, code: Code): Finding[] {
  const target = statOf(path);
  const isWithin = target?.isDirectory() === true && isInside(root, realPathOf(path));
  const isFile = target !== undefined && !target.isDirectory();
  if (isWithin || (isFile && !isOurName(path))) return [];
  const message = "is a symbolic link, which is not followed; replace it with the directory or the file itself.";
  return [aboutPath("warning", path, code, message)];
}

/**
 * The findings about everything that a search of all packages skipped.
 *
 * @param found what the search found
 * @param packages the real paths of the packages that it found
 * @param isSelected whether a path relative to the root is in the part of the packages that the command processes
 */
export function skippedFindings(
  root: string,
  { links, isIgnoring }: FoundPackages,
  packages: ReadonlySet<string>,
  isSelected: (path: string) => boolean,
): Finding[] {
  const top = realPathOf(root);
  const hidden = isIgnoring ? hiddenPackages(top, packages) : [];
  return [
    ...hidden.filter((path) => isSelected(slashes(relative(top, path)))).map((path) => hiddenFinding(path, code)),
    ...links.filter(isSelected).flatMap((path) => linkFindings(join(top, path), top, code)),
  ].sort((a, b) => compareText(a.file?.path ?? "", b.file?.path ?? ""));
}

const code = "package-skipped";

/** Whether a file with this name can be a part of a package that matters to a command. */
export function isOurName(path: string): boolean {
  return /(?:^|[/\\])Kptfile$|\.ya?ml$/.test(path);
}

/** A finding about an absolute path, which the message names relative to the current directory. */
export function aboutPath(
  severity: "error" | "warning",
  path: string,
  code: Parameters<typeof fileFinding>[1],
  message: string,
): Finding {
  return fileFinding(severity, code, slashes(relative(realPathOf("."), path)) || ".", message);
}

/** A path with slashes. */
export function slashes(path: string): string {
  return path.split(sep).join("/");
}
