import { ruleCode } from "../../core/finding.ts";
import { textAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("install-config-name"),
  severity: "warning",
  reads: "install-config",
  summary: "The install-config names a different cluster than the ClusterIdentity.",
  why: "With many clusters it is easy to pick the wrong install-config. The other cluster is then installed with the roles and the issuer of this one. This is only a warning, because the cluster's name can differ from the resource prefix.",
  cure: "Use the install-config of this cluster. If the names differ on purpose, accept the finding in `spec.accept` of the ClusterIdentity, for the object `InstallConfig/<name>`.",
  check: ({ installConfig, identity }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const name = textAt(installConfig.value(), ["metadata", "name"]);
    const { name: own, prefix } = identity;
    if (name === "" || name === own || name === prefix) return [];
    const prefixed = prefix === own ? "" : ` with the resource prefix ${quote(prefix)}`;
    const field = "metadata.name";
    const message = `"${field}" is ${quote(name)}, but the package is for the ClusterIdentity ${quote(own)}${prefixed}; use the install-config of this cluster.`;
    return [{ message, resource: installConfig, field }];
  },
};
