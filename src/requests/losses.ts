import { type Guard, guarded } from "../core/allowances.ts";
import { type Finding, finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { compareText, printable, quoteWhole } from "../core/text.ts";
import { baseNameOf } from "./base-name.ts";
import { secretKeyOf } from "./credentials-request.ts";
import type { SkippedRequest } from "./select.ts";

/** The rendered identity of one request that a function would now remove. */
export interface Loss {
  /** The base name of the identity's files: `<secret namespace>-<secret name>`. */
  readonly baseName: string;
  /** One of the objects that would be removed: the Secret, if there is one. */
  readonly resource: Resource;
}

/** The context of a run that would remove rendered identities. */
export interface LossContext extends Guard {
  /** How many rendered identities of the function the package contains. */
  readonly rendered: number;
  readonly skipped: readonly SkippedRequest[];
  /** Base names that the configuration itself excludes by name: `overrides.<key>.skip`. */
  readonly asked: ReadonlySet<string>;
  /** Files that the caller found but did not read, ready for a message. */
  readonly notRead: readonly string[];
  /** Files and directories that .krmignore excludes, ready for a message. */
  readonly ignored: readonly string[];
}

/**
 * The findings about rendered identities that would be removed. If a field of `spec.release` excludes requests that are
 * still in the package, an error names the field. If more than half of the identities have no request, or files were
 * not read that may contain the requests, that is one error too. Otherwise, each identity without a request is a
 * warning. Identities that the configuration skips by name, or that the release deletes, are not losses.
 */
export function lossFindings(losses: readonly Loss[], context: LossContext): Finding[] {
  if (losses.length === 0) return [];
  const reasons = reasonsByBaseName(context.skipped);
  const isAsked = ({ baseName }: Loss) =>
    context.asked.has(baseName) || reasons.get(baseName)?.reason.code === "skipped-deletion";
  const unasked = losses.filter((loss) => !isAsked(loss));
  const isExcluded = ({ baseName }: Loss) => releaseField(reasons.get(baseName)?.reason) !== undefined;
  const gone = unasked.filter((loss) => !isExcluded(loss));
  const found = excludedFindings(unasked.filter(isExcluded), reasons, context);
  if (gone.length * 2 > context.rendered || (gone.length > 0 && context.notRead.length > 0))
    return [...found, manyGone(gone, reasons, context)];
  return [...found, ...gone.map(({ baseName, resource }) => oneGone(resource, reasons.has(baseName)))];
}

/** The fields of the configuration that exclude a request. */
const releaseFields: Readonly<Record<string, string>> = {
  "skipped-feature-set": "spec.release.featureSet",
  "skipped-feature-gate": "spec.release.featureGates",
  "feature-gate-unknown": "spec.release.featureGates",
  "skipped-major-version": "spec.release.version",
  "skipped-capability": "spec.release.capabilities",
  "skipped-profile": "spec.release.profile",
  "skipped-excluded": "spec.release.excludeIdentifier",
};

/** Whether a request is excluded by a rule of the release. */
export function isExcludedByRelease(reason: Finding): boolean {
  return releaseField(reason) !== undefined;
}

function releaseField(reason: Finding | undefined): string | undefined {
  return reason === undefined ? undefined : releaseFields[reason.code];
}

type Reasons = ReadonlyMap<string, SkippedRequest>;

// Requests for different clouds may have the same Secret. The one that the release excludes explains more.
function reasonsByBaseName(skipped: readonly SkippedRequest[]): Reasons {
  const found = new Map<string, SkippedRequest>();
  for (const skippedRequest of skipped) {
    const baseName = baseNameOf(secretKeyOf(skippedRequest.resource.value()) ?? "");
    const known = found.get(baseName);
    if (known === undefined || weight(skippedRequest.reason) > weight(known.reason))
      found.set(baseName, skippedRequest);
  }
  return found;
}

function weight(reason: Finding): number {
  if (releaseField(reason) !== undefined) return 2;
  return reason.code === "skipped-deletion" ? 1 : 0;
}

function excludedFindings(excluded: readonly Loss[], reasons: Reasons, context: LossContext): Finding[] {
  const byField = new Map<string, string[]>();
  for (const loss of excluded) {
    const { reason, why } = reasons.get(loss.baseName) as SkippedRequest;
    const field = releaseField(reason) as string;
    byField.set(field, [...(byField.get(field) ?? []), `${nameOf(loss)} (${printable(why)})`]);
  }
  return [...byField].map(([field, names]) => {
    const message = `"${field}" excludes requests that have rendered identities and Secrets, which would be removed: ${listed(names)}. Correct the field. If a component should lose its credentials, set "spec.overrides.<namespace>/<name>.skip" to true.`;
    return guarded(context, "removal", "identities-lost", message, { resource: context.resource, field });
  });
}

function manyGone(gone: readonly Loss[], reasons: Reasons, context: LossContext): Finding {
  const otherCloud = gone.filter(({ baseName }) => reasons.has(baseName)).length;
  const causes = [
    ...(otherCloud < gone.length ? [`${gone.length - otherCloud} without a CredentialsRequest`] : []),
    ...(otherCloud > 0 ? [`${otherCloud} only with a request for another cloud`] : []),
  ].join(", ");
  const notRead = context.notRead.length === 0 ? "" : ` Not read: ${listed(context.notRead)}.`;
  const ignored = context.ignored.length === 0 ? "" : ` Excluded by .krmignore: ${listed(context.ignored)}.`;
  const message = `${gone.length} of ${context.rendered} rendered identities would be removed, with their Secrets: ${listed(gone.map(nameOf))} (${causes}).${notRead}${ignored} Put the release's requests for this cluster back into the package.`;
  return guarded(context, "removal", "identities-lost", message);
}

function oneGone(resource: Resource, isOtherClouds: boolean): Finding {
  const why = isOtherClouds ? "its request is for another cloud" : "the package has no CredentialsRequest for it";
  const message = `will be removed, with everything else rendered for its component, because ${why}. If the component still runs, put the request back.`;
  return finding("warning", "identity-removed", message, { resource });
}

function nameOf({ baseName, resource }: Loss): string {
  return quoteWhole(resource.kind === "Secret" ? `${resource.namespace}/${resource.name}` : baseName);
}

const maxNamed = 8;

function listed(names: readonly string[]): string {
  const more = names.length > maxNamed ? `, and ${names.length - maxNamed} more` : "";
  return `${[...names].sort(compareText).slice(0, maxNamed).join(", ")}${more}`;
}
