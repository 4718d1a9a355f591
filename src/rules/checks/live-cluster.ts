import { ruleCode } from "../../core/finding.ts";
import { asText } from "../../core/json.ts";
import { firstByKey, groupOf, isMap, listAt, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { settingName } from "../../core/secret-texts.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { isConfigObject, issuerOf } from "../../openshift/config-objects.ts";
import { secretDifferences } from "../cloud.ts";
import {
  capabilityDifferences,
  featureGateDifferences,
  featureSetDifference,
  type KnownGates,
} from "../release-differences.ts";
import type { Facts, Rule } from "../rule.ts";

export const liveCapabilities: Rule = {
  code: ruleCode("live-capabilities"),
  severity: "warning",
  reads: "live",
  summary: "The enabled capabilities of the cluster differ from `spec.release.capabilities`.",
  why: "Capabilities decide which requests are included. If they are not the cluster's, a component that runs has no role and no Secret, or a role is created for a component that does not exist. If the ClusterIdentity omits them, all capabilities are assumed to be enabled, and the rule looks for those that a request needs.",
  cure: "Set `spec.release.capabilities` to `status.capabilities.enabledCapabilities` of `ClusterVersion/version`.",
  check: (facts) =>
    facts.live.filter(isClusterVersion).flatMap((item) => {
      const found = valueAt(item.value(), ["status", "capabilities", "enabledCapabilities"]);
      if (!Array.isArray(found)) return [];
      const enabled = (found as readonly Value[]).map(asText);
      return capabilityDifferences(
        facts,
        { enabled, mayBeEnabled: (text) => enabled.includes(text) },
        "in the cluster",
      );
    }),
};

function isClusterVersion({ kind, apiVersion }: Resource): boolean {
  return kind === "ClusterVersion" && groupOf(apiVersion) === "config.openshift.io";
}

export const liveCredentialsMode: Rule = {
  code: ruleCode("live-credentials-mode"),
  severity: "error",
  reads: "live",
  summary: "The cluster's cloud-credential-operator is not in manual mode.",
  why: "In any mode except `Manual` the operator creates and rotates credentials itself, and replaces the rendered ones. With an empty mode it chooses.",
  cure: "Set `spec.credentialsMode: Manual` in `CloudCredential/cluster` (operator.openshift.io/v1).",
  check: ({ live }) =>
    live
      .filter((item) => item.kind === "CloudCredential" && groupOf(item.apiVersion) === "operator.openshift.io")
      .flatMap((resource) => {
        const field = "spec.credentialsMode";
        const mode = valueAt(resource.value(), ["spec", "credentialsMode"]);
        if (mode === "Manual") return [];
        return [
          { message: `"${field}" is ${quote(mode ?? "")} in the cluster, but must be "Manual".`, resource, field },
        ];
      }),
};

export const liveFeatureGates: Rule = {
  code: ruleCode("live-feature-gates"),
  severity: "warning",
  reads: "live",
  summary: "The feature set or the feature gates of the cluster differ from `spec.release`.",
  why: "The feature set and the feature gates decide which requests are included. If they are not the cluster's, a component that runs has no role and no Secret, or a disabled component has a Secret for a namespace that does not exist. The rule compares the gates that the ClusterIdentity or a request names.",
  cure: "Set `spec.release.featureSet` and `spec.release.featureGates` to what `FeatureGate/cluster` says.",
  check: (facts) => {
    const gates = facts.live.filter((item) => isConfigObject(item, "FeatureGate"));
    return gates.flatMap((item) => [
      ...featureSetDifference(facts, valueAt(item.value(), ["spec", "featureSet"]) ?? "", "the cluster's feature set"),
      ...featureGateDifferences(facts, readGates(item), "in the cluster"),
    ]);
  },
};

// During an upgrade the status lists the gates of both versions: a gate that is off in one of them counts as off.
function readGates(live: Resource): KnownGates {
  const versions = listAt(live.value(), ["status", "featureGates"]);
  const names = (list: string) =>
    versions.flatMap((version) =>
      listAt(version, [list]).flatMap((gate) => (isMap(gate) ? [String(gate["name"])] : [])),
    );
  const off = new Set(names("disabled"));
  const on = new Set(names("enabled").filter((name) => !off.has(name)));
  return { on, known: new Set([...on, ...off]) };
}

export const liveIssuer: Rule = {
  code: ruleCode("live-issuer"),
  severity: "error",
  reads: "live",
  summary: "The issuer of the cluster's Authentication differs from the package's.",
  why: "The cluster signs its tokens as the issuer that its own Authentication names, and the rendered roles trust the package's issuer. If the two differ, no component has access.",
  cure: "Apply the package's Authentication. To move a running cluster to another issuer, see docs/guides/migration.md.",
  check: ({ live, authentications, documentIssuer }) => {
    const [own] = authentications;
    const expected = documentIssuer ?? (own === undefined ? undefined : issuerOf(own));
    if (typeof expected !== "string" || expected === "") return [];
    return live
      .filter((item) => isConfigObject(item, "Authentication") && issuerOf(item) !== expected)
      .map((item) => {
        const field = "spec.serviceAccountIssuer";
        const issuer = issuerOf(item) ?? "";
        const is = typeof issuer === "string" ? quoteWhole(issuer) : quote(issuer);
        const message = `"${field}" is ${is} in the cluster, but ${quoteWhole(expected)} in the package; apply the package's Authentication.`;
        return { message, resource: own ?? item, field };
      });
  },
};

export const liveSecretDiffers: Rule = {
  code: ruleCode("live-secret-differs"),
  severity: "error",
  reads: "live",
  summary: "The credentials of a Secret in the cluster differ from the rendered ones.",
  why: "The component uses what is in the cluster. If that is not what was reviewed, a user changed it there, the last render was not applied, or the Secret still contains an access key of the cloud-credential-operator. The rule compares settings and ignores white space. It never shows their values.",
  cure: "Apply the rendered Secret, or find out what writes the Secret in the cluster. If the Secret in the cluster has keys that the rendered one does not have, such as a long-lived access key, replace it (`oc replace`), because `oc apply` does not remove them. Then delete the access key in the cloud.",
  check: ({ secrets, liveSecrets, cloud }) => {
    const liveByKey = firstByKey(liveSecrets, ({ key }) => key);
    return secrets.flatMap((secret) => {
      const live = liveByKey.get(secret.key);
      if (live === undefined || secret.settings.size === 0) return [];
      const names = secretDifferences(secret.texts, live.texts, cloud);
      if (names.length === 0) return [];
      const left = [...live.texts.keys()].filter((key) => !secret.texts.has(key)).sort(compareText);
      const kept = left.map(settingName).map(quote).join(", ");
      const cure =
        left.length === 0
          ? "apply the rendered Secret"
          : `\`oc apply\` of the rendered Secret does not remove ${kept}, so use \`oc replace\``;
      const message = `differs from the one in the cluster in ${names.map(settingName).map(quote).join(", ")}; ${cure}.`;
      return [{ message, resource: secret.resource }];
    });
  },
};

export const liveSecretMissing: Rule = {
  code: ruleCode("live-secret-missing"),
  severity: "error",
  reads: "live",
  summary: "A rendered Secret is not in the cluster, although its namespace is.",
  why: "The component has no credentials until its Secret exists. The rule reports only namespaces whose Secrets are evidently in the dump: it contains another Secret of the namespace, or the Namespace itself along with Secrets of other namespaces.",
  cure: "Apply the rendered Secret.",
  check: (facts) => {
    const { secrets, liveSecrets } = facts;
    const seen = namespacesIn(facts);
    const there = new Set(liveSecrets.map(({ key }) => key));
    return secrets
      .filter(({ key, resource, settings }) => settings.size > 0 && !there.has(key) && seen.has(resource.namespace))
      .map(({ resource }) => {
        const message = `is not in the cluster, although its namespace ${quote(resource.namespace)} is; apply the rendered Secret.`;
        return { message, resource };
      });
  },
};

function namespacesIn({ live, liveSecrets }: Facts): Set<string> {
  const namespaces = liveSecrets.length === 0 ? [] : live.filter(({ kind }) => kind === "Namespace");
  return new Set([...liveSecrets.map(({ resource }) => resource.namespace), ...namespaces.map(({ name }) => name)]);
}
