import { type Guard, guarded } from "../core/allowances.ts";
import { type Finding, finding } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { compareText, printable, quoteWhole } from "../core/text.ts";
import { baseNameOf } from "./base-name.ts";
import { secretKeyOf } from "./credentials-request.ts";
import type { SkippedRequest } from "./select.ts";

/** What a function rendered before for one request, and would take away now. */
export interface Loss {
  /** What names the identity's files: `<secret namespace>-<secret name>`. */
  readonly baseName: string;
  /** One of the objects that would go: its Secret, where there is one. */
  readonly resource: Resource;
}

/** What is known of a run in which rendered identities would go. */
export interface LossContext extends Guard {
  /** How many identities the function had rendered. */
  readonly rendered: number;
  readonly skipped: readonly SkippedRequest[];
  /** Stems that the configuration itself leaves out by name: `overrides.<key>.skip`. */
  readonly asked: ReadonlySet<string>;
  /** Files that the caller found and did not read, ready for a message. */
  readonly notRead: readonly string[];
  /** Files and directories that are left out on purpose, ready for a message. */
  readonly ignored: readonly string[];
}

/**
 * The findings about rendered identities that would go: an error that names the rule of the release by which a request that
 * is still there does not count; an error where all would go, or more than half, for want of requests, or where something
 * was not read that may ask for them; else a warning for each whose request is gone. What the configuration or the release takes out by name, a skip or a deletion, is no loss.
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

/** The fields of the configuration by which a request that is there does not count. */
const releaseFields: Readonly<Record<string, string>> = {
  "skipped-feature-set": "spec.release.featureSet",
  "skipped-feature-gate": "spec.release.featureGates",
  "feature-gate-unknown": "spec.release.featureGates",
  "skipped-major-version": "spec.release.version",
  "skipped-capability": "spec.release.capabilities",
  "skipped-profile": "spec.release.profile",
  "skipped-excluded": "spec.release.excludeIdentifier",
};

/** Says whether a request does not count by a rule of the release alone. */
export function isExcludedByRelease(reason: Finding): boolean {
  return releaseField(reason) !== undefined;
}

function releaseField(reason: Finding | undefined): string | undefined {
  return reason === undefined ? undefined : releaseFields[reason.code];
}

type Reasons = ReadonlyMap<string, SkippedRequest>;

// A request that the release leaves out says more than one for another cloud, whose Secret may have the same name.
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
    const message = `"${field}" leaves out requests whose roles and Secrets are rendered, and would be removed: ${listed(names)}. Correct the field; where a component is to lose its credentials, set "spec.overrides.<namespace>/<name>.skip" to true.`;
    return guarded(context, "removal", "identities-lost", message, { resource: context.resource, field });
  });
}

function manyGone(gone: readonly Loss[], reasons: Reasons, context: LossContext): Finding {
  const otherCloud = gone.filter(({ baseName }) => reasons.has(baseName)).length;
  const causes = [
    ...(otherCloud < gone.length ? [`${gone.length - otherCloud} without a CredentialsRequest`] : []),
    ...(otherCloud > 0 ? [`${otherCloud} with a request for another cloud alone`] : []),
  ].join(", ");
  const notRead = context.notRead.length === 0 ? "" : ` Not read: ${listed(context.notRead)}.`;
  const ignored = context.ignored.length === 0 ? "" : ` Left out by .krmignore: ${listed(context.ignored)}.`;
  const message = `${gone.length} of ${context.rendered} rendered identities would be removed, with their roles and Secrets: ${listed(gone.map(nameOf))} (${causes}).${notRead}${ignored} Put the release's requests for this cluster back into the package.`;
  return guarded(context, "removal", "identities-lost", message);
}

function oneGone(resource: Resource, isOtherClouds: boolean): Finding {
  const why = isOtherClouds ? "its request is for another cloud" : "no CredentialsRequest asks for it";
  const message = `is to be removed, with everything rendered for its component: ${why}. If the component still runs, put the request back.`;
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
