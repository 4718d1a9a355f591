import { type Finding, type FindingCode, finding, type Location } from "./finding.ts";
import { didYouMean } from "./nearest.ts";
import type { Resource } from "./resource.ts";
import { quote } from "./text.ts";

/**
 * Changes that remove something a running cluster depends on. Each is an error until it is allowed by its name:
 * `removal` removes rendered identities, `replace-issuer` leaves no role that trusts the rendered issuer, and
 * `replace-key` keeps none of the published keys.
 */
export const allowances = ["removal", "replace-issuer", "replace-key"] as const;

export type Allowance = (typeof allowances)[number];

/** Lists allowances, separated by commas, for functions and plugins, which have no command line. */
export const allowAnnotation = "fn.cloudcredential.dev/allow";

const field = `metadata.annotations.${allowAnnotation}`;

export function isAllowance(word: string): word is Allowance {
  return (allowances as readonly string[]).includes(word);
}

/** What a ClusterIdentity's annotation allows. An unknown name in the annotation is an error. */
export function annotatedAllowances(resource: Resource): {
  readonly allowed: ReadonlySet<Allowance>;
  readonly findings: readonly Finding[];
} {
  const text = resource.annotations.get(allowAnnotation);
  const words = (text ?? "").split(",").map((word) => word.trim());
  const findings = text === undefined ? [] : words.filter((word) => !isAllowance(word)).map(unknown(resource));
  return { allowed: new Set(words.filter(isAllowance)), findings };
}

function unknown(resource: Resource) {
  return (word: string): Finding => {
    const message = `"${field}" contains the unknown name ${quote(word)}${didYouMean(word, allowances)}. Use ${allowances.map(quote).join(", ")}, separated by commas, or remove the annotation.`;
    return finding("error", "allow-unknown", message, { resource, field });
  };
}

/** A warning that a ClusterIdentity allows something, so that the annotation does not stay there forgotten. */
export function allowanceNote(resource: Resource): Finding[] {
  const { allowed } = annotatedAllowances(resource);
  if (allowed.size === 0) return [];
  const names = [...allowed].sort().map(quote).join(", ");
  const message = `its annotation "${allowAnnotation}" allows ${names} in every run. Remove the annotation once the change is rendered.`;
  return [finding("warning", "allow-annotation", message, { resource, field })];
}

/** The ClusterIdentity of a run, and what the run allows. */
export interface Guard {
  readonly resource: Resource;
  readonly allowed: ReadonlySet<string>;
}

/**
 * The finding about a change that removes something a running cluster depends on: a warning if the change is allowed,
 * otherwise an error that says how to allow it.
 *
 * @param message what would be lost, and the cure, in whole sentences.
 */
export function guarded(
  { resource, allowed }: Guard,
  allowance: Allowance,
  code: FindingCode,
  message: string,
  location: Location = { resource },
): Finding {
  if (allowed.has(allowance))
    return finding("warning", code, `${message} This run allows it ("${allowance}").`, location);
  const cure = `If this is intended, add "--allow ${allowance}" to "ccf render", or set the annotation "${allowAnnotation}: ${allowance}" on the ClusterIdentity for one run.`;
  return finding("error", code, `${message} ${cure}`, location);
}
