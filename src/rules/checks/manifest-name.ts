import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { authenticationPath } from "../../openshift/authentication.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("manifest-name"),
  severity: "warning",
  reads: "package",
  summary: "The Authentication stands in a file that the installer does not read.",
  why: "The installer's bootstrap reads the cluster's issuer from `manifests/cluster-authentication-02-config.yaml` and from no other file. From another one it comes too late: the first tokens are signed in the name of the default issuer, and the cloud refuses them.",
  cure: "Move the object to that file. For a cluster that runs already nothing is needed: accept it with that as reason.",
  check: ({ filedAuthentications }) =>
    filedAuthentications
      .filter(({ path }) => path !== undefined && path !== authenticationPath)
      .map((resource) => {
        const message = `stands in ${quote(resource.path)}, and the installer reads "${authenticationPath}" alone; move it there.`;
        return { message, resource };
      }),
};
