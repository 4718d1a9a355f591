import { quote, quoteWhole } from "../../core/text.ts";
import { UsageError } from "../terminal/errors.ts";

/** Parts of a ClusterIdentity that are not its settings, such as its name. */
const settable = 'a field below "spec", an annotation "metadata.annotations.KEY" or a label "metadata.labels.KEY"';

/**
 * The keys of a field on the command line, such as `spec.platform.aws.tags."a.b"`. A key with a dot, a space or an equals
 * sign is in single or double quotes.
 *
 * @throws UsageError
 */
export function fieldKeys(field: string): readonly string[] {
  const keys: string[] = [];
  const step = /(?:"([^"]*)"|'([^']*)'|([^."'=[\]\s]+))(\.|$)/y;
  for (let at = 0; at < field.length; at = step.lastIndex) {
    step.lastIndex = at;
    const [, double, single, plain, dot] = step.exec(field) ?? [];
    const key = double ?? single ?? plain;
    if (key === undefined) throw new UsageError(`${quote(field)} is not a field${hintFor(field)}`);
    keys.push(key);
    if (dot === ".") continue;
    return settableKeys(keys);
  }
  throw new UsageError(`${quote(field)} is not a field${hintFor(field)}`);
}

function hintFor(field: string): string {
  if (field.includes("[")) return "; set a list as a whole, for example spec.issuer.audiences='[\"openshift\"]'";
  return '; separate its keys with ".", and quote a key that contains a dot, for example spec.platform.aws.tags."a.b"';
}

/**
 * Requires that a field is a setting of the cluster.
 * @throws UsageError
 */
export function settableKeys(keys: readonly string[]): readonly string[] {
  const [top, second] = keys;
  const isField = top === "spec" && keys.length > 1;
  const isMetadata = top === "metadata" && (second === "annotations" || second === "labels") && keys.length === 3;
  if (!isField && !isMetadata) throw new UsageError(`${quoteWhole(fieldText(keys))} cannot be set; name ${settable}`);
  return keys;
}

/** Keys as a field on the command line: the inverse of {@link fieldKeys}. */
export function fieldText(keys: readonly string[]): string {
  return keys.map((key) => (/^[^."'=[\]\s]+$/.test(key) ? key : key.includes('"') ? `'${key}'` : `"${key}"`)).join(".");
}
