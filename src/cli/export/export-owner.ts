import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { readJson } from "../../core/read-json.ts";
import { textAt } from "../../core/resource.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { fileFinding } from "../files/package-files.ts";
import { readBytes, readText } from "../files/read-bytes.ts";
import { shellWord } from "../terminal/shell-word.ts";
import type { ExportedFile } from "./export-files.ts";
import { digestOf, type ExportList, listPath } from "./export-list.ts";

/** What the scripts of an export go by: whose account they act in, and on whose resources. */
export const ownerPath = "aws/cluster.json";

/** What `--replace` takes where it cannot be told whose export it is. */
const unknown = "unknown";

/**
 * Whose cloud resources the scripts act on, as `<account>/<prefix>/<region>`. The issuer is no part of it: a cluster may
 * move to another one, and never to another region.
 */
function ownerIn(text: string): string {
  const reading = readJson(text);
  if (!("value" in reading)) return unknown;
  const parts = ["accountID", "resourcePrefix", "region"].map((field) => textAt(reading.value, [field]));
  return parts.includes("") ? unknown : parts.join("/");
}

/**
 * Why an export may not take the place of what an earlier one wrote: that was another cluster's, or it cannot be told.
 *
 * @param replace what may be overwritten on purpose, as the message names it.
 */
export function otherOwner(
  directory: string,
  files: readonly ExportedFile[],
  list: ExportList,
  replace: string | undefined,
): Finding | undefined {
  if (![...list.keys()].some((path) => isThere(directory, path))) return undefined;
  const own = files.find(({ path }) => path === ownerPath)?.text;
  const there = earlierOwner(directory, list, own);
  if (there === (own === undefined ? undefined : ownerIn(own))) return undefined;
  const name = there ?? unknown;
  if (name === replace) return unfinished(directory, name);
  const cure = `name another directory, or give --replace ${shellWord(name)} to overwrite it.`;
  if (name === unknown)
    return refused(`${whyUnknown(directory, list)}, so it is unknown whose export this is; ${cure}`);
  const ours = own === undefined ? "has no such file" : `is ${quoteWhole(ownerIn(own))}`;
  return refused(
    `says that this is the export of ${quoteWhole(name)} (account, resource prefix and region), and the package ${ours}; ${cure}`,
  );
}

function whyUnknown(directory: string, list: ExportList): string {
  const stat = lstatSync(join(directory, ownerPath), { throwIfNoEntry: false });
  if (stat === undefined) return "is missing";
  if (!stat.isFile()) return "is not a regular file";
  const listed = list.get(ownerPath);
  if (listed === undefined) return `is not in ${listPath}`;
  const wasEdited = !listed.has(digestOf(readBytes(join(directory, ownerPath))));
  return wasEdited ? "was changed since it was exported" : "does not name account, resource prefix and region";
}

function refused(message: string): Finding {
  return fileFinding("error", "export-of-another-cluster", ownerPath, message);
}

function isThere(directory: string, path: string): boolean {
  return lstatSync(join(directory, path), { throwIfNoEntry: false }) !== undefined;
}

/** The owner of what is there; undefined where nothing in the list says what the scripts go by. */
function earlierOwner(directory: string, list: ExportList, own: string | undefined): string | undefined {
  const listed = list.get(ownerPath);
  if (listed === undefined) return undefined;
  const stat = lstatSync(join(directory, ownerPath), { throwIfNoEntry: false });
  // Gone, or no longer what was exported: by its digest it can still be seen to be this package's.
  const found = stat?.isFile() === true ? readText(join(directory, ownerPath)) : undefined;
  if (found !== undefined && listed.has(digestOf(found))) return ownerIn(found);
  return own !== undefined && listed.has(digestOf(own)) ? ownerIn(own) : unknown;
}

// What a script keeps while it runs says what it has made in the cloud and not yet marked as its own.
function unfinished(directory: string, name: string): Finding | undefined {
  const aws = join(directory, "aws");
  if (lstatSync(aws, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const [kept] = readdirSync(aws)
    .filter((entry) => entry.startsWith("."))
    .sort(compareText);
  if (kept === undefined) return undefined;
  const message = `is what a script of ${quoteWhole(name)} keeps while it runs; run aws/apply.sh of that export to its end, or remove the file, first.`;
  return fileFinding("error", "export-of-another-cluster", `aws/${kept}`, message);
}
