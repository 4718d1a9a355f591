import { type Finding, type FindingCode, finding, type Location } from "./finding.ts";
import { generatedBy, type Resource, type ResourceRef } from "./resource.ts";
import { compareText, quote } from "./text.ts";
import { didYouMean } from "./words.ts";

/**
 * Changes that remove something a running cluster depends on. Each is an error until it is allowed by its name:
 * `removal` removes anything that was rendered, `replace-issuer` leaves no role that trusts the rendered issuer, and
 * `replace-key` keeps none of the published keys. {@link removalOf} allows a single removal.
 */
export const allowances = ["removal", "replace-issuer", "replace-key"] as const;

export type Allowance = (typeof allowances)[number];

/** The form of the allowance of a single removal, for command lines: see {@link removalOf}. */
export const singleRemoval = {
  shown: "removal:<namespace>/<secret>",
  pattern: /^removal:[A-Za-z0-9.-]+\/[A-Za-z0-9.-]+$/,
} as const;

/**
 * The allowance of a single removal.
 *
 * @param name `<namespace>/<name>` of a Secret, `<kind>/<name>` of another object, or `ServiceAccount/<namespace>.<name>`.
 */
export function removalOf(name: string): string {
  const word = `removal:${name}`;
  // Only a name that Kubernetes does not allow has another form. It must not reach a command line.
  return singleRemoval.pattern.test(word) ? word : "removal";
}

/** The name with which the removal of an object is allowed: see {@link removalOf}. */
export function removableName({ kind, namespace = "", name }: ResourceRef): string {
  if (kind === "Secret") return `${namespace}/${name}`;
  return kind === "ServiceAccount" ? `${kind}/${namespace}.${name}` : `${kind}/${name}`;
}

/** The names of the single removals among allowances. */
export function namedRemovals(allowed: ReadonlySet<string>): string[] {
  return [...allowed].flatMap((word) => (singleRemoval.pattern.test(word) ? [word.slice("removal:".length)] : []));
}

/** Lists allowances, separated by commas, for functions and plugins, which have no command line. */
const allowAnnotation = "fn.cloudcredential.dev/allow";

const field = `metadata.annotations.${allowAnnotation}`;

function isAllowance(word: string): boolean {
  return (allowances as readonly string[]).includes(word) || singleRemoval.pattern.test(word);
}

/** What a ClusterIdentity's annotation allows. An unknown name in the annotation is an error. */
export function annotatedAllowances(resource: Resource): {
  readonly allowed: ReadonlySet<string>;
  readonly findings: readonly Finding[];
} {
  const text = resource.annotations.get(allowAnnotation);
  const words = (text ?? "").split(",").map((word) => word.trim());
  const findings = text === undefined ? [] : words.filter((word) => !isAllowance(word)).map(unknown(resource));
  return { allowed: new Set(words.filter(isAllowance)), findings };
}

function unknown(resource: Resource) {
  return (word: string): Finding => {
    const message = `"${field}" contains the unknown name ${quote(word)}${didYouMean(word, allowances)}. Use ${["removal", singleRemoval.shown, ...allowances.slice(1)].map(quote).join(", ")}, separated by commas, or remove the annotation.`;
    return finding("error", "allow-unknown", message, { resource, field });
  };
}

/**
 * A warning that a ClusterIdentity allows a kind of change, so that the annotation does not stay there forgotten. The
 * allowance of a single removal may stay.
 */
export function allowanceNote(resource: Resource): Finding[] {
  const { allowed } = annotatedAllowances(resource);
  const kinds = allowances.filter((one) => allowed.has(one));
  if (kinds.length === 0) return [];
  const names = kinds.map(quote).join(", ");
  const message = `its annotation "${allowAnnotation}" allows ${names} in every run. Remove the annotation once the change is rendered.`;
  return [finding("warning", "allow-annotation", message, { resource, field })];
}

/** The ClusterIdentity of a run, and what the run allows. */
export interface Guard {
  readonly resource: Resource;
  readonly allowed: ReadonlySet<string>;
}

/** Tells whether a run allows a removal: of everything, or by its name. */
export function allowsRemoval({ allowed }: Pick<Guard, "allowed">, name: string): boolean {
  return allowed.has("removal") || allowed.has(removalOf(name));
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
  return finding("error", code, `${message} ${allowanceCure([allowance])}`, location);
}

/**
 * The finding about removals of something that was rendered, as {@link guarded}. Each can be allowed by its name.
 *
 * @param names of everything that the message is about: see {@link removalOf}.
 * @param location of the finding; if the guard knows the ClusterIdentity, that is the default.
 */
export function guardedRemoval(
  { resource, allowed }: Partial<Guard>,
  names: readonly string[],
  code: FindingCode,
  message: string,
  location: Location = resource === undefined ? {} : { resource },
): Finding {
  const words = [...new Set(names.map(removalOf))].sort(compareText);
  if (allowed?.has("removal")) return finding("warning", code, `${message} This run allows it ("removal").`, location);
  if (words.every((word) => allowed?.has(word)))
    return finding("warning", code, `${message} This run allows it by name.`, location);
  return finding("error", code, `${message} ${allowanceCure(words)}`, location);
}

/** The last sentence of a finding that can be allowed, for {@link withAllowCommand}: how to allow it. */
export function allowanceCure(words: readonly string[]): string {
  const [word = ""] = words;
  const annotate =
    words.length > 1
      ? `put the same list into the annotation "${allowAnnotation}" of the ClusterIdentity`
      : `set the annotation "${allowAnnotation}: ${word}" on the ClusterIdentity`;
  const isKind = words.some((word) => !singleRemoval.pattern.test(word));
  return `If this is intended, add "--allow ${words.join(",")}" to "ccf render", or ${annotate}${isKind ? " for one run" : ""}.`;
}

const cureForm = /add "--allow (\S+)" to "ccf render"/;

/**
 * Replaces the cure of {@link guarded} in findings with the command that renders a known package. The command allows
 * everything that these findings are about, because one run must allow it together.
 *
 * @param command returns the command line for allowances, as one word of a shell.
 */
export function withAllowCommand(
  findings: readonly Finding[],
  command: (allowed: readonly string[]) => string,
): readonly Finding[] {
  const words = findings.flatMap(({ message }) => cureForm.exec(message)?.[1]?.split(",") ?? []);
  if (words.length === 0) return findings;
  const said = `run "${command([...new Set(words)].sort(compareText))}"`;
  return findings.map((one) => ({ ...one, message: one.message.replace(cureForm, () => said) }));
}

/**
 * The finding that a package was rendered while its ClusterIdentity had another name: it was renamed, or the package is a
 * copy. The functions know neither the location of the package nor its other functions, so the suggested command is one that works
 * in the package's directory.
 *
 * @param config the ClusterIdentity with its present name, if known
 */
export function identityRenamed(before: string, name: string, config: Resource | undefined): Finding {
  const command = `"ccf render --only-ours --rename-from ${safeWord(before)}" in the package's directory`;
  const message = `the package contains objects that were generated for the ClusterIdentity ${quote(before)}, not ${quote(name)}. If it was renamed, run ${command}. If the package is a copy for another cluster, set a new "metadata.name", "spec.resourcePrefix" and "spec.issuer.signingKeys" in its ClusterIdentity, and delete its files with the annotation "${generatedBy}" and, if there is one, the file that "ccf set-identities" wrote.`;
  return finding("error", "identity-renamed", message, config === undefined ? {} : { resource: config });
}

/**
 * The finding that a package contains an object of another cluster, for which a rename is not the cure: it is in a directory
 * below whose own Kptfile and ClusterIdentity are gone, or it was left behind.
 *
 * @param item the object.
 */
export function identityMisplaced(before: string, name: string, item: Resource): Finding {
  const message = `was generated for the ClusterIdentity ${quote(before)}, but is in the package of ${quote(name)}. If its directory is the package of another cluster, restore the Kptfile and the ClusterIdentity of that package. Otherwise, delete the files that have the annotation "${generatedBy}" with the name ${quote(before)}.`;
  return finding("error", "identity-misplaced", message, { resource: item });
}

/**
 * Replaces the suggested command of a rename finding with one for a known package. Other findings are returned
 * unchanged.
 *
 * @param command returns the command line for a previous name
 */
export function withRenameCommand(finding: Finding, command: (before: string) => string): Finding {
  if (finding.code !== "identity-renamed") return finding;
  const said = /"ccf render --only-ours --rename-from (\S+)" in the package's directory/;
  return { ...finding, message: finding.message.replace(said, (_said, before: string) => `"${command(before)}"`) };
}

// Users copy command lines from messages into a shell.
function safeWord(text: string): string {
  return /^[a-z0-9.-]+$/.test(text) ? text : "OLD";
}
