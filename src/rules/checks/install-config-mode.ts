import { ruleCode } from "../../core/finding.ts";
import { valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("install-config-mode"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config does not set `credentialsMode: Manual`.",
  why: "In every other mode the cloud-credential-operator creates its own users and access keys and ignores the rendered roles. It uses the administrator's credentials, which the installer then leaves in the cluster.",
  cure: "Set `credentialsMode: Manual` in install-config.yaml before the installer creates manifests from it.",
  check: ({ installConfig }) => {
    if (installConfig === undefined) return [];
    const mode = valueAt(installConfig.value(), ["credentialsMode"]);
    if (mode === "Manual") return [];
    const is = mode === undefined || mode === null ? "is not set" : `is ${quote(mode)}`;
    return [
      { message: `"credentialsMode" ${is}, but must be "Manual".`, resource: installConfig, field: "credentialsMode" },
    ];
  },
};
