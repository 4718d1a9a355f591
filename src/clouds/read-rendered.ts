import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import { type JsonReading, readJson } from "../core/read-json.ts";
import type { Value } from "../core/resource.ts";
import { quoteWhole } from "../core/text.ts";
import type { RenderedIdentity } from "../permissions/identity.ts";
import type { RenderedBundle } from "./rendered.ts";

type Files = Pick<RenderedBundle, "files">;

/** Reads a JSON file of a bundle; undefined if the bundle or the file does not exist. */
export function jsonIn(bundle: Files | undefined, name: string): JsonReading | undefined {
  const text = bundle?.files.get(name);
  return text === undefined ? undefined : readJson(text);
}

/** The value of a JSON file of a bundle; null if the file does not exist or cannot be read. */
export function valueIn(bundle: Files | undefined, name: string): Value {
  const reading = jsonIn(bundle, name);
  return reading !== undefined && "value" in reading ? reading.value : null;
}

/** The value of a JSON file of the first bundle that contains it; null as for one bundle. */
export function valueAmong(bundles: readonly Files[], name: string): Value {
  return valueIn(
    bundles.find(({ files }) => files.has(name)),
    name,
  );
}

/** An error for each identity whose files cannot be read. */
export function unreadableFindings(
  identities: readonly (RenderedIdentity & { readonly directory: string })[],
  code: FindingCode,
  noun: string,
): Finding[] {
  return identities
    .filter(({ compared }) => compared === undefined)
    .map(({ resource, directory }) =>
      resource === undefined
        ? finding(
            "error",
            code,
            `${quoteWhole(directory)} does not contain a rendered ${noun}; render the package again and export it.`,
          )
        : finding("error", code, `is not a rendered ${noun}; render the package again.`, { resource }),
    );
}
