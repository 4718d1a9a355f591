import { type Finding, finding } from "../../core/finding.ts";
import { printable } from "../../core/text.ts";
import type { CloudIdentity } from "../../permissions/identity.ts";
import type { Side } from "./comparison-side.ts";

/** The identities of one side that can be compared with the other, and findings about the rest. */
export interface Comparable {
  readonly identities: readonly CloudIdentity[];
  readonly findings: readonly Finding[];
}

type Identities = Pick<Comparable, "identities">;

/** Drops from each side what the other side cannot contain, and reports a side of which nothing remains. */
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
  // A release has no requests of OLM operators, and a request without its cluster does not determine the token path.
  const isBesideRequests = side.isRendered && !otherSide.isRendered;
  const named = new Set(other.identities.map(({ key }) => key));
  const left = isBesideRequests ? own.identities.filter(({ key }) => side.operators.has(key) && !named.has(key)) : [];
  const isOpen = otherSide.isRendered && !side.isRendered;
  const identities = own.identities
    .filter((identity) => !left.includes(identity))
    .map((identity) => (isOpen && identity.tokenPath === "" ? { ...identity, tokenPath: undefined } : identity));
  if (left.length === 0) return { identities, findings: [] };
  const names = left.map(({ key }) => printable(key)).join(", ");
  const message = `Roles of OLM operators are not compared, because the other side has no requests for them: ${names}.`;
  return { identities, findings: [finding("info", "operators-not-compared", message)] };
}

function empty({ identities }: Comparable, name: string): Finding[] {
  if (identities.length > 0) return [];
  const message = `${name} has no identity to compare. Check that it is for the same cloud, and that its requests are included in this cluster.`;
  return [finding("error", "nothing-to-compare", message)];
}
