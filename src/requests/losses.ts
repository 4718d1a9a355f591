import { allowsRemoval, type Guard, guardedRemoval } from "../core/allowances.ts";
import type { Finding } from "../core/finding.ts";
import { allByKey, entryOf } from "../core/resource.ts";
import { compareText, printable } from "../core/text.ts";
import { secretKeyOf } from "./credentials-request.ts";
import { exclusionFields } from "./release-filter.ts";
import type { SkippedRequest } from "./select.ts";

/** The rendered identity of one request that a function would now remove. */
export interface Loss {
  /** The key of its Secret, with which its removal is allowed. */
  readonly key: string;
  /** The Secret, the identity and its component, ready for a message. */
  readonly text: string;
}

/** The context of a run that would remove rendered identities. */
export interface LossContext extends Guard {
  /** How many rendered identities of the function the package contains. */
  readonly rendered: number;
  /** The kind of the objects that ask for them. */
  readonly kind: "CredentialsRequest" | "WorkloadIdentity";
  readonly skipped: readonly SkippedRequest[];
  /** Keys that the configuration itself excludes by name: `overrides.<key>.skip`. */
  readonly asked: ReadonlySet<string>;
  /** Files that the caller found but did not read, ready for a message. */
  readonly notRead: readonly string[];
  /** Files and directories that .krmignore excludes, ready for a message. */
  readonly ignored: readonly string[];
}

/**
 * The findings about rendered identities that would be removed: an error for each reason, which names them, or a warning for
 * those that the run allows. Identities that the configuration skips by name, or that the release deletes, are not losses.
 */
export function lossFindings(losses: readonly Loss[], context: LossContext): Finding[] {
  const reasons = reasonsByKey(context.skipped);
  const isAsked = ({ key }: Loss) => context.asked.has(key) || reasons.get(key)?.reason.code === "skipped-deletion";
  const byReason = allByKey(losses, (loss) => {
    const reason = reasons.get(loss.key)?.reason;
    return isAsked(loss) ? undefined : (releaseField(reason) ?? otherReason(reason, context));
  });
  return [...byReason].flatMap(([why, all]) =>
    byAllowance(all, context, (some) => {
      const isOther = why === goneFrom(context) || why === ofAnotherCloud || why === ownIdentity;
      return isOther ? goneFinding(why, some, context) : excluded(why, some, reasons, context);
    }),
  );
}

const ofAnotherCloud = "only requests for another cloud name their Secrets";
const ownIdentity =
  "their requests name other identities, with which the cloud-credential-operator creates the Secrets";

function goneFrom({ kind }: LossContext): string {
  return `the package contains no ${kind} for them`;
}

function otherReason(reason: Finding | undefined, context: LossContext): string {
  if (reason === undefined) return goneFrom(context);
  return reason.code === "request-own-identity" ? ownIdentity : ofAnotherCloud;
}

/** Reports those losses apart that a run allows. */
export function byAllowance(
  losses: readonly Loss[],
  guard: Guard,
  report: (some: readonly Loss[]) => Finding,
): Finding[] {
  const isAllowed = ({ key }: Loss) => allowsRemoval(guard, key);
  const parts = [losses.filter((loss) => !isAllowed(loss)), losses.filter(isAllowed)];
  return parts.filter((part) => part.length > 0).map(report);
}

/** The field of the ClusterIdentity by which the release excludes a request; undefined if another rule excludes it. */
export function releaseField(reason: Finding | undefined): string | undefined {
  return reason === undefined ? undefined : entryOf<string>(exclusionFields, reason.code);
}

type Reasons = ReadonlyMap<string, SkippedRequest>;

// Requests for different clouds may have the same Secret. The one that the release excludes explains more.
function reasonsByKey(skipped: readonly SkippedRequest[]): Reasons {
  const found = new Map<string, SkippedRequest>();
  for (const skippedRequest of skipped) {
    const key = secretKeyOf(skippedRequest.resource.value()) ?? "";
    const known = found.get(key);
    if (known === undefined || weight(skippedRequest.reason) > weight(known.reason)) found.set(key, skippedRequest);
  }
  return found;
}

function weight(reason: Finding): number {
  if (releaseField(reason) !== undefined) return 2;
  return reason.code === "skipped-deletion" ? 1 : 0;
}

function excluded(field: string, losses: readonly Loss[], reasons: Reasons, context: LossContext): Finding {
  const names = losses.map(({ key, text }) => `${text}, because ${printable(reasons.get(key)?.why ?? "")}`);
  const message = `"${field}" excludes requests that have rendered identities and Secrets, which would be removed: ${listedLosses(names, "; ")}. Correct the field. If a component should lose its credentials, set "spec.overrides.<namespace>/<name>.skip" to true.`;
  const location = { resource: context.resource, field };
  return guardedRemoval(context, keysOf(losses), "identities-lost", message, location);
}

function goneFinding(why: string, losses: readonly Loss[], context: LossContext): Finding {
  const notRead =
    context.notRead.length === 0
      ? ""
      : ` The ${context.kind === "WorkloadIdentity" ? "WorkloadIdentities" : "requests"} may be in files that were not read: ${listedLosses(context.notRead)}.`;
  const ignored = context.ignored.length === 0 ? "" : ` Excluded by .krmignore: ${listedLosses(context.ignored)}.`;
  const names = listedLosses(
    losses.map(({ text }) => text),
    "; ",
  );
  const cure =
    why === ownIdentity
      ? "If a component uses the rendered identity, remove the other identity from its request, or name it in an override as the finding about the request says."
      : `${notRead}${ignored} ${context.kind === "WorkloadIdentity" ? "If its pods still run, put the WorkloadIdentity back into the package." : "If a component still runs, put its request for this cluster back into the package."}`.trim();
  const message = `${losses.length} of ${context.rendered} rendered identities would be removed, because ${why}: ${names}. ${cure}`;
  return guardedRemoval(context, keysOf(losses), "identities-lost", message);
}

function keysOf(losses: readonly Loss[]): string[] {
  return losses.map(({ key }) => key);
}

const maxNamed = 8;

/** The texts of losses in a message. A command that allows them names all of them. */
export function listedLosses(texts: readonly string[], separator = ", "): string {
  const more = texts.length > maxNamed ? `${separator}and ${texts.length - maxNamed} more` : "";
  return `${[...texts].sort(compareText).slice(0, maxNamed).join(separator)}${more}`;
}
