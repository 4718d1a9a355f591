import { type Finding, finding } from "../core/finding.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Resource } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { isCredentialsRequest } from "./credentials-request.ts";
import { capabilitiesOf, gatesOf, profilesOf, type ReleaseRules } from "./gates.ts";
import { knownCapabilities, knownFeatureGates, knownProfiles } from "./known-names.ts";

/**
 * Warns of names in `spec.release` that no request has and OpenShift is not known to have: most often they are misspelt, and
 * the requests that are meant do not count.
 *
 * @param config the ClusterIdentity, for findings.
 */
export function unknownReleaseNames(rules: ReleaseRules, items: readonly Resource[], config: Resource): Finding[] {
  const { capabilities = [], featureGates, profile } = rules;
  const requests = items.filter(isCredentialsRequest).map(({ annotations }) => annotations);
  const warn = (
    field: string,
    what: string,
    names: readonly string[],
    known: readonly string[],
    asked: (annotations: ReadonlyMap<string, string>) => string[],
  ) => {
    const doubtful = names.filter((name) => !known.includes(name));
    const all = doubtful.length === 0 ? new Set<string>() : new Set([...requests.flatMap(asked), ...known]);
    return doubtful
      .filter((name) => !all.has(name))
      .map((name) => {
        const message = `"${field}" names the ${what} ${quote(name)}, which no request has and OpenShift is not known to have${didYouMean(name, all)}; correct the name, or remove it.`;
        return finding("warning", "release-name-unknown", message, { resource: config, field });
      });
  };
  const base = "spec.release";
  return [
    ...warn(`${base}.capabilities`, "capability", capabilities, knownCapabilities, capabilitiesOf),
    ...warn(`${base}.featureGates`, "feature gate", featureGates, knownFeatureGates, gatesOf),
    ...warn(`${base}.profile`, "cluster profile", [profile], knownProfiles, profilesOf),
  ];
}
