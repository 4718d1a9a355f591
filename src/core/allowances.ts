import { type Finding, type FindingCode, finding, type Location } from "./finding.ts";
import { didYouMean } from "./nearest.ts";
import type { Resource } from "./resource.ts";
import { quote } from "./text.ts";

/**
 * What takes away something that a running cluster lives on, and so is an error until it is allowed by its name:
 * `removal` of rendered identities, `replace-issuer` where no role would trust the rendered issuer, `replace-key` where no
 * published key stays.
 */
export const allowances = ["removal", "replace-issuer", "replace-key"] as const;

export type Allowance = (typeof allowances)[number];

/** Allows them, as a comma list, to functions and plugins, which have no command line. */
export const allowAnnotation = "fn.cloudcredential.dev/allow";

const field = `metadata.annotations.${allowAnnotation}`;

export function isAllowance(word: string): word is Allowance {
  return (allowances as readonly string[]).includes(word);
}

/** What a ClusterIdentity's annotation allows; a word in it that names no allowance is an error. */
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
    const message = `"${field}" holds ${quote(word)}${didYouMean(word, allowances)}; it must be a comma list of ${allowances.map(quote).join(", ")}, or be removed.`;
    return finding("error", "allow-unknown", message, { resource, field });
  };
}

/** Says that a ClusterIdentity allows something, so that nobody forgets the annotation there. */
export function allowanceNote(resource: Resource): Finding[] {
  const { allowed } = annotatedAllowances(resource);
  if (allowed.size === 0) return [];
  const names = [...allowed].sort().map(quote).join(", ");
  const message = `its annotation "${allowAnnotation}" allows ${names} in every run; remove the annotation when that is done.`;
  return [finding("warning", "allow-annotation", message, { resource, field })];
}

/** What a guard knows of a run. */
export interface Guard {
  readonly resource: Resource;
  readonly allowed: ReadonlySet<string>;
}

/**
 * The finding about something that takes away what a cluster lives on: an error that says how to allow it or, where it is
 * allowed, a warning.
 *
 * @param message what would be lost and the cure, as whole sentences.
 */
export function guarded(
  { resource, allowed }: Guard,
  allowance: Allowance,
  code: FindingCode,
  message: string,
  location: Location = { resource },
): Finding {
  if (allowed.has(allowance))
    return finding("warning", code, `${message} It is allowed here ("${allowance}").`, location);
  const cure = `If it is meant, add "--allow ${allowance}" to "ccf render", or set the annotation "${allowAnnotation}: ${allowance}" on the ClusterIdentity for one run.`;
  return finding("error", code, `${message} ${cure}`, location);
}
