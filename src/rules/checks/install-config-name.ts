import { ruleCode } from "../../core/finding.ts";
import { textAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("install-config-name"),
  severity: "warning",
  reads: "install-config",
  summary: "The install-config names another cluster than the ClusterIdentity.",
  why: "Whoever has several clusters easily takes the install-config of another one. Then that cluster is installed with the roles and the issuer of this one. The name need not be the resource prefix, so this is only a warning.",
  cure: "Use the install-config of this cluster. If the names are meant to differ, accept it in `spec.accept` of the ClusterIdentity, for the object `InstallConfig/<name>`.",
  check: ({ installConfig, identity }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const name = textAt(installConfig.value(), ["metadata", "name"]);
    const { name: own, prefix } = identity;
    if (name === "" || name === own || name === prefix) return [];
    const prefixed = prefix === own ? "" : ` with the resource prefix ${quote(prefix)}`;
    const field = "metadata.name";
    const message = `"${field}" is ${quote(name)}, and the package is for the ClusterIdentity ${quote(own)}${prefixed}; use the install-config of this cluster.`;
    return [{ message, resource: installConfig, field }];
  },
};
