import { type Finding, finding } from "../../core/finding.ts";
import { printable } from "../../core/text.ts";
import type { CloudIdentity } from "../../permissions/identity.ts";
import type { Side } from "./comparison-side.ts";

/** What of one side can be compared with the other, and what is to be said of the rest. */
export interface Comparable {
  readonly identities: readonly CloudIdentity[];
  readonly findings: readonly Finding[];
}

type Identities = Pick<Comparable, "identities">;

/** Leaves out of each side what the other one cannot have, and refuses a side of which nothing is left. */
export function comparable(
  [before, after]: readonly [Identities, Identities],
  old: Side,
  now: Side,
): readonly [Comparable, Comparable] {
  const [left, right] = [oneSide(before, old, after, now), oneSide(after, now, before, old)];
  return [
    { ...left, findings: [...left.findings, ...empty(left, "OLD")] },
    { ...right, findings: [...right.findings, ...empty(right, "NEW")] },
  ];
}

function oneSide(own: Identities, side: Side, other: Identities, otherSide: Side): Comparable {
  // A release has no requests of operators, and a request without a cluster does not say where a token is.
  const isBesideRequests = side.isRendered && !otherSide.isRendered;
  const named = new Set(other.identities.map(({ key }) => key));
  const left = isBesideRequests ? own.identities.filter(({ key }) => side.operators.has(key) && !named.has(key)) : [];
  const isOpen = otherSide.isRendered && !side.isRendered;
  const identities = own.identities
    .filter((identity) => !left.includes(identity))
    .map((identity) => (isOpen && identity.tokenPath === "" ? { ...identity, tokenPath: undefined } : identity));
  if (left.length === 0) return { identities, findings: [] };
  const names = left.map(({ key }) => printable(key)).join(", ");
  const message = `Roles of operators are not compared with requests that are none of theirs: ${names}.`;
  return { identities, findings: [finding("info", "operators-not-compared", message)] };
}

function empty({ identities }: Comparable, name: string): Finding[] {
  if (identities.length > 0) return [];
  const message = `${name} has no identity that counts, so that nothing can be compared; is it for the same cloud, and do its requests count for this cluster?`;
  return [finding("error", "nothing-to-compare", message)];
}
