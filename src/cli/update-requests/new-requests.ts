import { finding } from "../../core/finding.ts";
import { isFeatureGate } from "../../requests/feature-gates.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { Release } from "./release.ts";
import { type Counted, countedOf, type Subject } from "./subject.ts";

/**
 * The requests of a release that count for a package. The release's own FeatureGates say what it enables; without them, those
 * of the package do, as in a comparison.
 *
 * @throws FindingsError if there are none.
 */
export function newRequests(subject: Subject, { items, named }: Release): Counted {
  const gates = items.some(isFeatureGate) ? [] : subject.items.filter(isFeatureGate);
  const now = countedOf(subject, [...items, ...gates]);
  if (now.requests.size > 0) return now;
  const { title } = subject.cloud;
  const message = `${named} has no request that counts for this cluster on ${title}, with its feature set, gates, capabilities and profile. The package is unchanged.`;
  throw new FindingsError([
    finding("error", "no-request-for-package", message, { resource: subject.identity.resource }),
  ]);
}
