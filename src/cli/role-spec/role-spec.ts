import { inspectors } from "../../clouds/inspectors.ts";
import { hasError } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { sortFindings } from "../../krm/results.ts";
import { writeContent } from "../../krm/stdio.ts";
import type { FlagsOf } from "../definition.ts";
import { bytesOf, objectsOf } from "../files/one-file.ts";
import { readPackage } from "../files/package-files.ts";
import { statOf } from "../files/stat-of.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings } from "../terminal/output.ts";
import type { roleSpecCommand as definition } from "./definition.ts";

/**
 * `ccf role-spec PATH`: prints the script that creates the roles of an OLM operator, or the text for the operator's
 * description, which includes the script. Exit code 0 for success, 1 for failure.
 */
export function roleSpec(values: FlagsOf<typeof definition>, path: string): number {
  const items = itemsOf(path);
  const clouds = inspectors.filter((inspector) => inspector.specify !== undefined);
  const specified = clouds.flatMap((cloud) => cloud.specify?.(items) ?? []);
  const findings = specified.flatMap((specification) => specification.findings);
  writeFindings(sortFindings(findings));
  if (hasError(findings)) return 1;
  const [found] = specified.filter(({ count }) => count > 0);
  if (found === undefined) {
    const titles = clouds.map(({ title }) => title).join(" or ");
    throw new UsageError(`${quote(path)} contains no CredentialsRequests for ${titles}`);
  }
  const text = values.output === "text" ? found.script() : found.text();
  writeContent(text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}

function itemsOf(path: string): readonly Item[] {
  if (statOf(path)?.isDirectory() === true) return readPackage(path).files.flatMap((file) => file.items);
  return objectsOf(path, bytesOf(quote(path), path), "file").items;
}
