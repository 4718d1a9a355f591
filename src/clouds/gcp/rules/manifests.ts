import { ruleCode } from "../../../core/finding.ts";
import { textAt } from "../../../core/resource.ts";
import { quoteSetting } from "../../../core/secret-texts.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import { type CredentialsSecret, fieldOfText } from "../../../rules/cloud.ts";
import type { Facts, Rule } from "../../../rules/rule.ts";
import { defaultUniverse, type GcpCluster, gcpIdentity } from "../cluster/cluster.ts";
import { exchangeAudience } from "../cluster/resource-names.ts";
import { secretFile, setting, settingForms } from "../rendered/secret.ts";

export const serviceAccountKey: Rule = {
  code: ruleCode("service-account-key"),
  severity: "error",
  reads: "package",
  summary:
    "A Secret contains a long-lived credential of Google Cloud: a service account key, or a user's refresh token.",
  why: "Anyone who has read a service account key can use it, from any machine, until it is deleted. The same is true for a user's refresh token. A key in a package is in Git and stays in the Git history. Short-term credentials replace it, so there is no key to leak.",
  cure: "Treat the key as compromised: delete it in Google Cloud, not only in Git. Let `generate-cloud-credentials` generate the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets.flatMap((secret) => {
      const { resource, texts } = secret;
      const key = credentialIn(texts);
      if (key === undefined) return [];
      const field = fieldOfText(secret, key);
      const message = `${quote(field)} contains a service account key or a refresh token. Treat it as compromised: delete it in Google Cloud, and use short-term credentials.`;
      return [{ message, resource, field }];
    }),
};

/** The first key of a Secret whose text is a service account key, or a user's refresh token. */
export function credentialIn(texts: ReadonlyMap<string, string>): string | undefined {
  return [...texts.keys()].sort().find((name) => isCredential(texts.get(name) ?? ""));
}

// The files of google.aip.dev/auth/4112 (service_account) and 4113 (authorized_user), also inside another text. A private key
// alone, such as that of a certificate, is not a credential of Google Cloud.
function isCredential(text: string): boolean {
  return (
    /["']?private_key(?:_id)?\\?["']?\s*:/.test(text) ||
    /["']?type\\?["']?\s*:\s*\\?["']?(?:service_account|authorized_user)\b/.test(text)
  );
}

export const externalAccountCopied: Rule = {
  code: ruleCode("external-account-copied"),
  severity: "error",
  reads: "package",
  summary: "A Secret's credential configuration was copied and not filled in, or cannot be read.",
  why: "The file `service_account.json` is a JSON object that names the provider, the service account, and the token. Pages and dry runs of other tools show it with placeholders such as `<POPULATE_SERVICE_ACCOUNT_EMAIL>` or `PROJECT_NUMBER`. Libraries cannot exchange a token with such a file, or with one that is not valid JSON, so the component has no credentials.",
  cure: "Let `generate-cloud-credentials` generate the Secret from the component's request, or write whole values.",
  check: ({ filedSecrets }) =>
    filedSecrets
      .filter(({ isCopied }) => isCopied)
      .map((secret) => {
        const field = fieldOfText(secret, secretFile.key);
        const message = `"${field}" is not a usable credential configuration: it contains placeholders, is not JSON, or has a duplicate key. Write the whole values.`;
        return { message, resource: secret.resource, field };
      }),
};

export const externalAccountHost: Rule = {
  code: ruleCode("external-account-host"),
  severity: "error",
  reads: "package",
  summary: "A Secret's credential configuration sends tokens to a host outside the cluster's universe of Google Cloud.",
  why: "A library sends the component's token to `token_url`, and the result to `service_account_impersonation_url`. It does not check these URLs. A server at another host gets the token and can use it at Google until it expires. The hosts are `sts.<universe domain>` and `iamcredentials.<universe domain>`, or names that extend these, such as those for a region or a private endpoint (`sts.us-east1.rep.googleapis.com`, `sts-lab.p.googleapis.com`). The universe domain is `spec.platform.gcp.universeDomain`; without a ClusterIdentity, the one in the file.",
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

function isExternal({ settings, isCopied }: CredentialsSecret): boolean {
  return settings.get(setting.type) === "external_account" && !isCopied;
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

export const externalAccountProvider: Rule = {
  code: ruleCode("external-account-provider"),
  severity: "error",
  reads: "package",
  summary: "A Secret's credential configuration names a different provider from that of the cluster.",
  why: "The `audience` of the file is the full resource name of the provider that judges the component's token. Another provider trusts another issuer and refuses the token, or belongs to another organization, which then learns the token. The name contains the number of the project, not its ID.",
  cure: "Render again. To use another pool or provider, set `spec.platform.gcp.pool` and `spec.platform.gcp.provider`.",
  check: ({ cluster, filedSecrets }) => {
    if (cluster === undefined) return [];
    const audience = exchangeAudience(cluster as GcpCluster);
    return filedSecrets.flatMap((secret) => {
      const { settings, resource } = secret;
      const named = settings.get(setting.audience);
      if (!isExternal(secret) || named === audience) return [];
      const is = named === undefined ? "is missing" : `is ${quoteSetting(settingForms, setting.audience, named)}`;
      const message = `"${setting.audience}" ${is}, but the cluster's provider is ${quoteWhole(audience)}; render again.`;
      return [{ message, resource, field: fieldOfText(secret, secretFile.key) }];
    });
  },
};

export const liveInstallerCredentials: Rule = {
  code: ruleCode("live-installer-credentials"),
  severity: "error",
  reads: "live",
  summary: "The cluster still contains the installer's service account key, `kube-system/gcp-credentials`.",
  why: "The Secret remains from the time when the cloud-credential-operator created credentials itself. In manual mode nothing needs it. Anyone who can read it has the installer's permissions in the project.",
  cure: "When every component uses its own service account, delete the Secret in the cluster and the key in Google Cloud.",
  check: ({ liveSecrets, cloud: { rootSecret } }) =>
    liveSecrets
      .filter(({ key }) => key === rootSecret)
      .map(({ resource }) => {
        const message =
          "is still in the cluster. In manual mode nothing needs the installer's service account key; delete the Secret in the cluster and the key in Google Cloud.";
        return { message, resource };
      }),
};

// The region is not compared: the region in the ClusterIdentity is that of the bucket.
export const installConfigProject: Rule = {
  code: ruleCode("install-config-project"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config is for a different Google Cloud project than the ClusterIdentity.",
  why: "The service accounts and the provider are in the project of the ClusterIdentity, and the service accounts have roles only there. If the installer creates the cluster in another project, its components have no permissions.",
  cure: "Use the install-config of this cluster, or correct `spec.platform.gcp.projectID` and `projectNumber` and render again.",
  check: ({ installConfig, identity }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const project = textAt(installConfig.value(), ["platform", "gcp", "projectID"]);
    const own = gcpIdentity(identity).gcp.projectID;
    if (project === "" || project === own) return [];
    const field = "platform.gcp.projectID";
    const message = `"${field}" is ${quote(project)}, but the project in the package is ${quote(own)}; use the install-config of this cluster, or correct the project in the package.`;
    return [{ message, resource: installConfig, field }];
  },
};

export const installConfigOtherProject: Rule = {
  code: ruleCode("install-config-other-project"),
  severity: "warning",
  reads: "install-config",
  summary:
    "The install-config has the network or the private DNS zone in a project in which the package grants no roles.",
  why: "In a shared VPC, the network belongs to a host project, and the private DNS zone can belong to a third one. The package binds roles only in the project of the ClusterIdentity. Components such as the cloud controller manager and the ingress operator change firewall rules and DNS records, and the machine API uses subnets, so they also need roles in the other project.",
  cure: "In the other project, grant the roles yourself to the service accounts that need them. Then accept the finding with that as the reason.",
  check: ({ installConfig, identity }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const value = installConfig.value();
    const own = gcpIdentity(identity).gcp.projectID;
    return otherProjects.flatMap(({ path, what }) => {
      const project = textAt(value, path);
      if (project === "" || project === own) return [];
      const field = path.join(".");
      const message = `"${field}" is ${quote(project)}: ${what} in another project, but the package grants roles only in ${quote(own)}. Grant the service accounts that need them roles in ${quote(project)}, and accept the finding with that as the reason.`;
      return [{ message, resource: installConfig, field }];
    });
  },
};

/** Where an install-config names another project (installer, pkg/types/gcp/platform.go). */
const otherProjects = [
  { path: ["platform", "gcp", "networkProjectID"], what: "the network is" },
  { path: ["platform", "gcp", "dns", "privateZone", "projectID"], what: "the private DNS zone is" },
] as const;
