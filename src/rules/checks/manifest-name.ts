import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { authenticationPath } from "../../openshift/config-objects.ts";
import type { Rule } from "../rule.ts";

export const manifestName: Rule = {
  code: ruleCode("manifest-name"),
  severity: "warning",
  reads: "package",
  summary: "The Authentication is in a file that the installer does not read.",
  why: "The installer's bootstrap reads the cluster's issuer from `manifests/cluster-authentication-02-config.yaml` and from no other file. From another file, the issuer arrives too late: the cluster signs its first tokens as the default issuer, and the cloud refuses them.",
  cure: "Move the object to that file. If the cluster already runs, accept the finding with that reason.",
  check: ({ filedAuthentications }) =>
    filedAuthentications
      .filter(({ path }) => path !== undefined && path !== authenticationPath)
      .map((resource) => {
        const message = `is in ${quote(resource.path)}, but the installer reads only "${authenticationPath}"; move it there.`;
        return { message, resource };
      }),
};
