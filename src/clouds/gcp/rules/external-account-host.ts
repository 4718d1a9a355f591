import { ruleCode } from "../../../core/finding.ts";
import type { Facts } from "../../../rules/facts.ts";
import type { Rule } from "../../../rules/rule.ts";
import { type CredentialsSecret, fieldOfText } from "../../../rules/secret.ts";
import { defaultUniverse } from "../cluster/cluster.ts";
import { gcpIdentity } from "../cluster/platform.ts";
import { secretFile, setting } from "../rendered/credentials-file.ts";

export const rule: Rule = {
  code: ruleCode("external-account-host"),
  severity: "error",
  reads: "package",
  summary: "A Secret's credential configuration sends tokens to a host outside the cluster's universe of Google Cloud.",
  why: "A library sends the component's token to `token_url`, and the result to `service_account_impersonation_url`. It does not check these URLs. A server at another host gets the token and can use it at Google until it expires. The hosts are `sts.<universe domain>` and `iamcredentials.<universe domain>`, also with more labels or words, as for a region or a private endpoint (`sts.us-east1.rep.googleapis.com`, `sts-lab.p.googleapis.com`). The universe domain is `spec.platform.gcp.universeDomain`; without a ClusterIdentity, the one in the file.",
  cure: "Find out who edited the Secret, and render again.",
  check: (facts) =>
    facts.filedSecrets.flatMap((secret) => {
      if (!isExternal(secret)) return [];
      const universe = universeOf(facts, secret);
      const wrong = (["tokenUrl", "impersonation"] as const).find((name) => {
        const url = secret.settings.get(setting[name]);
        return url !== undefined && !isOf(url, services[name], universe);
      });
      if (wrong === undefined) return [];
      const field = fieldOfText(secret, secretFile.key);
      const message = `"${setting[wrong]}" is not a URL of "https://${services[wrong]}.${universe}"; the server there gets the component's tokens. Find out who edited the Secret, and render again.`;
      return [{ message, resource: secret.resource, field }];
    }),
};

/** The services of the two URLs (Google Cloud API reference, "Security Token Service", "Service Account Credentials"). */
const services = { tokenUrl: "sts", impersonation: "iamcredentials" } as const;

function isExternal({ settings, credentials }: CredentialsSecret): boolean {
  return settings.get(setting.type) === "external_account" && !secretFile.form.isCopied(credentials);
}

function universeOf({ identity }: Facts, { settings }: CredentialsSecret): string {
  if (identity !== undefined) return gcpIdentity(identity).gcp.universeDomain ?? defaultUniverse;
  return settings.get(setting.universe) ?? defaultUniverse;
}

// As the URL is written: a parser would accept user names, ports, and other spellings of a host.
function isOf(url: string, service: string, universe: string): boolean {
  const host = /^https:\/\/([a-z0-9.-]+)\//.exec(url)?.[1] ?? "";
  const [first = ""] = host.split(".");
  return host.endsWith(`.${universe}`) && first.split("-").includes(service);
}
