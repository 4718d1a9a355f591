import type { Inspector } from "../../clouds/inspector.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import { textAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { didYouMean } from "../../core/words.ts";
import type { Item } from "../../krm/item.ts";
import { sortFindings } from "../../krm/results.ts";
import { writeContent } from "../../krm/stdio.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { defaultRelease } from "../../requests/release-filter.ts";
import { selectRequests } from "../../requests/select.ts";
import type { FlagsOf } from "../definition.ts";
import { statOf } from "../files/paths.ts";
import { bytesOf, objectsOf } from "../files/read-objects.ts";
import { readPackage } from "../package/package-files.ts";
import { throwErrors, UsageError } from "../terminal/errors.ts";
import { writeFindings } from "../terminal/output.ts";
import type { roleSpecCommand as definition } from "./definition.ts";

/**
 * `ccf role-spec PATH`: prints the script that creates the identities of an OLM operator, or the text for the operator's
 * description, which includes the script. Exit code 0 for success, 1 for failure.
 */
export function roleSpec(values: FlagsOf<typeof definition>, path: string): number {
  const wanted = values.platform === undefined ? undefined : named(values.platform);
  const { items, findings: unread } = objectsAt(path);
  const candidates = wanted === undefined ? requestedClouds(items) : [wanted];
  if (candidates.length > 1) {
    const titles = candidates.map(({ title }) => title).join(" and ");
    const choices = candidates.map(({ name }) => `--platform ${name}`).join(" or ");
    throw new UsageError(`${quote(path)} contains CredentialsRequests for ${titles}; add ${choices}`);
  }
  const specification = candidates[0]?.operators.specify(items);
  const said = specification?.findings ?? selectRequests(items, defaultRelease, "").findings;
  const findings = [...unread, ...said];
  writeFindings(sortFindings(findings));
  if (hasError(findings)) return 1;
  if (specification === undefined || specification.count === 0) {
    const titles = (wanted === undefined ? inspectors : [wanted]).map(({ title }) => title).join(" or ");
    throw new UsageError(`${quote(path)} contains no CredentialsRequests for ${titles}`);
  }
  const text = values.output === "text" ? specification.script() : specification.text();
  writeContent(text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}

function named(platform: string): Inspector {
  const found = inspectors.find(({ name }) => name === platform);
  if (found !== undefined) return found;
  const names = inspectors.map(({ name }) => name);
  const choices = names.map((name) => quote(name)).join(" or ");
  throw new UsageError(`--platform must be ${choices}, not ${quote(platform)}${didYouMean(platform, names)}`);
}

function requestedClouds(items: readonly Item[]): readonly Inspector[] {
  const kinds = new Set(
    items.filter(isCredentialsRequest).map((item) => textAt(item.value(), ["spec", "providerSpec", "kind"])),
  );
  return inspectors.filter(({ providerKind }) => kinds.has(providerKind));
}

// What was not read of a directory may be a request: an error, or a warning that the user sees.
function objectsAt(path: string): { readonly items: readonly Item[]; readonly findings: readonly Finding[] } {
  if (statOf(path)?.isDirectory() !== true)
    return { items: objectsOf(path, bytesOf(quote(path), path), "file").items, findings: [] };
  const { files, findings } = readPackage(path);
  throwErrors(findings);
  return { items: files.flatMap((file) => file.items), findings };
}
