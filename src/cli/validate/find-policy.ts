import { lstatSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { inspectors, rulesFor } from "../../clouds/inspectors.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { groupOf, localConfig } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { lineOf } from "../../krm/line.ts";
import { type Policy, policyKind, readPolicy } from "../../rules/policy.ts";
import { documents } from "../../yaml/source.ts";
import { realPathOf } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import { bytesOf, sourceOf } from "../files/read-objects.ts";
import { FindingsError } from "../terminal/errors.ts";

/** The policy that a run uses. */
export interface UsedPolicy extends Policy {
  /** Relative to the current directory, with slashes. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

const names = ["review-policy.yaml", "review-policy.yml"];

/**
 * The file with the policy for a package: in its directory, or in the nearest parent directory that has one, up to the root of the
 * repository. It is the only file outside a package that decides about the package.
 *
 * @returns its real path.
 * @throws FindingsError if a directory has two.
 */
export function findPolicy(directory: string): string | undefined {
  for (let at = realPathOf(directory); ; at = dirname(at)) {
    const found = names.map((name) => join(at, name)).filter(exists);
    if (found.length > 1) {
      const message = `${quoteWhole(shown(at))} contains two policies, ${names.map(quote).join(" and ")}; remove one.`;
      throw new FindingsError([finding("error", "policy-invalid", message)]);
    }
    if (found[0] !== undefined) return found[0];
    if (exists(join(at, ".git")) || dirname(at) === at) return undefined;
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

// Packages of a fleet usually have the same policy.
const read = new Map<string, UsedPolicy>();

/**
 * Reads a policy that was found.
 * @param path as {@link findPolicy} returns it.
 */
export function policyAt(path: string): UsedPolicy {
  const policy = read.get(path) ?? policyIn(shown(path), readBytes(path));
  read.set(path, policy);
  return policy;
}

/** Reads the policy that the command line names. @throws UsageError or FindingsError if there is none, or it is not valid. */
export function policyNamed(path: string): UsedPolicy {
  return policyIn(shown(path), bytesOf(`--policy ${quote(path)}`, path));
}

function policyIn(file: string, bytes: Uint8Array): UsedPolicy {
  const source = sourceOf(quoteWhole(file), bytes);
  const [item, ...more] = documents(source).map((node, index) => readItem(source, node, { path: file, index }));
  if (item === undefined || more.length > 0 || !isPolicy(item)) {
    const message = `must contain one object of the kind ${policyKind}, and nothing else.`;
    throw new FindingsError([{ ...finding("error", "policy-invalid", message), file: { path: file, index: 0 } }]);
  }
  const codes = rulesFor(...inspectors).map(({ code }) => code);
  const policy = readPolicy(item, codes, (field) => `${file}:${lineOf(item, field)}`);
  if (Array.isArray(policy)) throw new FindingsError(policy);
  return { ...(policy as Policy), file, bytes };
}

function isPolicy({ kind, apiVersion }: Item): boolean {
  return kind === policyKind && groupOf(apiVersion) === "fn.cloudcredential.dev";
}

function shown(path: string): string {
  return relative(realPathOf("."), realPathOf(path)).split(sep).join("/") || ".";
}

/** The findings about policies among the objects of a package: one that is not read, or that a tool may send to a cluster. */
export function misplacedPolicies(items: readonly Item[]): Finding[] {
  return items.filter(isPolicy).flatMap((item) => {
    if (!names.includes(item.path ?? "")) {
      const message = `is not read. Move it to ${quote(names[0])} in the directory of the package or above.`;
      return [finding("warning", "policy-misplaced", message, { resource: item })];
    }
    if (item.annotations.get(localConfig) === "true") return [];
    const message = `is in a package without the annotation "${localConfig}". Set it to "true", or move the file above the package: otherwise kpt would send the policy to the cluster.`;
    return [finding("warning", "policy-misplaced", message, { resource: item })];
  });
}
