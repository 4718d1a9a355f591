import { ruleCode } from "../../core/finding.ts";
import { notRequested, subjectOf } from "../not-requested.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("rendered-not-removed"),
  severity: "warning",
  reads: "package",
  summary: "A rendered Secret or role still exists, although the ClusterIdentity or the release removes it.",
  why: "An override with `skip: true`, or a request that the release deletes, ends the need for credentials. Until the package is rendered, the Secret is still applied to the cluster and the role stays.",
  cure: "Render the package.",
  check: (facts) =>
    notRequested(facts)
      .filter(({ isMeant }) => isMeant)
      .map((one) => {
        const { resource, secrets, roles, reason } = one;
        const [verb, object] = secrets + roles > 1 ? ["are", "them"] : ["is", "it"];
        const message = `${subjectOf(one, facts.cloud)} ${verb} still in the package, although ${reason}; render to remove ${object}.`;
        return { message, resource };
      }),
};
