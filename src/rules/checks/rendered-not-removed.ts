import { ruleCode } from "../../core/finding.ts";
import { notRequested } from "../not-requested.ts";
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
      .map(({ resource, secrets, roles, reason }) => {
        const what = secrets > 0 && roles > 0 ? "and its role are" : "is";
        const subject = secrets > 0 && roles > 0 ? "it " : "";
        const message = `${subject}${what} still in the package, although ${reason}; render to remove ${secrets + roles > 1 ? "them" : "it"}.`;
        return { message, resource };
      }),
};
