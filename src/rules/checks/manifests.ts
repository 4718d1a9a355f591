import { ruleCode } from "../../core/finding.ts";
import { asText } from "../../core/json.ts";
import { generatedBy, isMap, listAt, type Resource, textAt, type Value, valueAt } from "../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { authenticationPath, issuerOf } from "../../openshift/config-objects.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { exclusionOf } from "../../requests/release-filter.ts";
import { releaseNames } from "../../requests/release-object.ts";
import { quotedList } from "../granted.ts";
import { meets, type Operator } from "../operator.ts";
import {
  capabilitiesOfRequests,
  capabilityDifferences,
  type EnabledCapabilities,
  featureGateDifferences,
  featureSetDifference,
  type KnownGates,
} from "../release-differences.ts";
import type { Facts, Rule, Violation } from "../rule.ts";
import { isOfWorkload } from "./not-requested.ts";

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

export const issuerDiffers: Rule = {
  code: ruleCode("issuer-differs"),
  severity: "error",
  reads: "package",
  summary:
    "The issuer of the Authentication differs from the discovery document in the package, or from what a render writes.",
  why: "The cluster signs its tokens as the issuer that the Authentication names. The cloud fetches the keys of the issuer that the token names, and compares that issuer with the document. If the two differ by one character, such as a trailing slash, the cloud refuses every token and every component loses access.",
  cure: "Render again. The issuer comes from the ClusterIdentity.",
  check: ({ authentications, documentIssuer, rendering }) => {
    const made = rendering.find(({ object }) => object.kind === "Authentication")?.object;
    return authentications.flatMap((resource) => {
      const isOurs = resource.annotations.has(generatedBy) && made !== undefined;
      const expected = documentIssuer ?? (isOurs ? textAt(made, ["spec", "serviceAccountIssuer"]) : undefined);
      const issuer = issuerOf(resource) ?? "";
      if (expected === undefined || issuer === expected) return [];
      const field = "spec.serviceAccountIssuer";
      const meant = documentIssuer === undefined ? "a render writes" : "the discovery document in the package is for";
      const message = `"${field}" is ${typeof issuer === "string" ? quoteWhole(issuer) : quote(issuer)}, but ${meant} ${quoteWhole(expected)}; render again.`;
      return [{ message, resource, field }];
    });
  },
};

export const namespaceMissing: Rule = {
  code: ruleCode("namespace-missing"),
  severity: "warning",
  reads: "package",
  summary: "A Secret is for a namespace that nothing creates.",
  why: "A Secret cannot be created before its namespace. The platform creates its own namespaces, but not those of disabled components. If a request is excluded by a feature set, a gate or a capability, the namespace of its component is never created, and an installation with a manifest for it waits until it fails. Other namespaces must be in the package or be created before it is applied. A package with the directory of `ccf extract-release` knows the namespaces of its release; without it, the rule takes every `openshift-*` for one.",
  cure: "Add the Namespace object to the package, or remove the Secret of a disabled component. If something else creates the namespace first, accept the finding and name the creator in the reason.",
  check: (facts) => {
    const there = new Set(
      [...facts.items, ...facts.live].filter(({ kind }) => kind === "Namespace").map(({ name }) => name),
    );
    const off = namespacesThatAreOff(facts);
    const known = releaseNames(facts.items)?.namespaces;
    return wanted(facts).flatMap(([namespace, resource]): Violation[] => {
      if (namespace === "" || there.has(namespace)) return [];
      if (off.has(namespace)) {
        const message = `is for the namespace ${quote(namespace)} of a component that is disabled in this cluster, so nothing creates the namespace; remove the Secret, or add the Namespace.`;
        return [{ message, resource }];
      }
      if (known === undefined || isBuiltIn(namespace) ? isPlatforms(namespace) : known.includes(namespace)) return [];
      const message = `is for the namespace ${quote(namespace)}, which the platform does not create and for which the package has no Namespace object; add one.`;
      return [{ message, resource }];
    });
  },
};

// Those that no manifest of a release creates.
function isBuiltIn(namespace: string): boolean {
  return !namespace.startsWith("openshift-");
}

function isPlatforms(namespace: string): boolean {
  return /^(?:openshift|kube|default)$|^(?:openshift|kube)-/.test(namespace);
}

// The namespaces of Secrets that exist or will be rendered; a request counts for its Secret. Text that cannot name a namespace
// is refused in a request anyway. The administrator who installs an operator creates its namespace, not the operator's author.
function wanted(facts: Facts): [string, Resource][] {
  const { requests, secrets } = facts;
  const keys = new Set(requests.map(({ secretKey }) => secretKey));
  const asked = requests.map(({ resource, secretKey = "" }): [string, Resource] => [namespaceOf(secretKey), resource]);
  const operators = new Set(facts.operators.flatMap(namespacesOf));
  // The owner of the cluster names the namespaces of workloads in the guard rails, and an installation gets no Secret of theirs.
  const others = secrets.filter(({ key, resource }) => !keys.has(key) && !isOfWorkload(resource));
  return [
    ...asked.filter(([namespace]) => /^[a-z0-9-]+$/.test(namespace) && !operators.has(namespace)),
    ...others.map(({ resource }): [string, Resource] => [resource.namespace, resource]),
  ].sort((a, b) => compareText(a[0], b[0]));
}

function namespacesOf({ namespaces, requests }: Operator): string[] {
  return requests.map(({ secretNamespace }) => secretNamespace).filter((text) => meets(namespaces, text));
}

function namespaceOf(secretKey: string): string {
  return secretKey.split("/")[0] ?? "";
}

function namespacesThatAreOff({ items, release, requests }: Facts): Set<string> {
  const off = new Set<string>();
  for (const item of items) {
    const exclusion = isCredentialsRequest(item) ? exclusionOf(item.annotations, release) : undefined;
    if (exclusion === undefined || exclusion.code === "feature-gate-unknown") continue;
    off.add(String(valueAt(item.value(), ["spec", "secretRef", "namespace"]) ?? ""));
  }
  for (const { secretKey = "" } of requests) off.delete(namespaceOf(secretKey));
  return off;
}

export const installConfigCapabilities: Rule = {
  code: ruleCode("install-config-capabilities"),
  severity: "warning",
  reads: "install-config",
  summary: "The capabilities that the install-config enables differ from `spec.release.capabilities`.",
  why: "Capabilities decide which requests are included. If the installer enables other capabilities, a component of the cluster has no role and no Secret, or a role is created for a component that does not exist. This rule knows the baseline sets None and v4.11 to v4.18; vCurrent, the default, enables all capabilities of its release. For a newer set it compares only `additionalEnabledCapabilities`. Within a baseline it compares only what a request of the package needs, because an older release does not have all capabilities of a set.",
  cure: "Set `spec.release.capabilities` to what the install-config enables. Omit it for all capabilities.",
  check: (facts) => {
    const value = facts.installConfig?.value();
    return value === undefined ? [] : capabilityDifferences(facts, enabledBy(value, facts), "by the install-config");
  },
};

function enabledBy(value: Value, facts: Facts): EnabledCapabilities {
  const baseline = baselineCapabilities(textAt(value, ["capabilities", "baselineCapabilitySet"]));
  const additional = listAt(value, ["capabilities", "additionalEnabledCapabilities"]).map(asText);
  const isInBaseline = (text: string) => baseline === "all" || baseline?.includes(text) === true;
  return {
    enabled: [...new Set([...additional, ...capabilitiesOfRequests(facts).filter(isInBaseline)])],
    mayBeEnabled: (text) => additional.includes(text) || baseline === undefined || isInBaseline(text),
  };
}

export const installConfigFeatureGates: Rule = {
  code: ruleCode("install-config-feature-gates"),
  severity: "warning",
  reads: "install-config",
  summary: "The feature set or the feature gates of the install-config differ from `spec.release`.",
  why: "The feature set and the feature gates decide which requests are included. If the installer enables others, a component that runs has no role and no Secret, or a disabled component has a Secret for a namespace that is never created. The rule compares the gates that the install-config lists and that the ClusterIdentity or a request names.",
  cure: "Set `spec.release.featureSet` and `spec.release.featureGates` to what the install-config says.",
  check: (facts) => {
    const value = facts.installConfig?.value();
    if (value === undefined) return [];
    const set = valueAt(value, ["featureSet"]) ?? "";
    return [
      ...featureSetDifference(facts, set, "the install-config's feature set"),
      ...featureGateDifferences(facts, readGates(listAt(value, ["featureGates"])), "in the install-config"),
    ];
  },
};

// The installer reads `<name>=<boolean>`, in the forms that Go's strconv.ParseBool accepts.
function readGates(list: readonly Value[]): KnownGates {
  const pairs = list.flatMap((one): [string, boolean][] => {
    const [, name, value = ""] = /^([^=]+)=(1|t|true|0|f|false)$/i.exec(String(one)) ?? [];
    return name === undefined ? [] : [[name, /^[1t]/i.test(value)]];
  });
  return {
    on: new Set(pairs.filter(([, isOn]) => isOn).map(([name]) => name)),
    known: new Set(pairs.map(([name]) => name)),
  };
}

export const installConfigMode: Rule = {
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

export const installConfigName: Rule = {
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

export const installConfigPlatform: Rule = {
  code: ruleCode("install-config-platform"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config is for a different platform than the ClusterIdentity.",
  why: "The rendered Secrets name identities of one cloud. A cluster on another platform cannot use them, and its components wait for credentials that do not exist.",
  cure: "Use the install-config of this cluster.",
  check: ({ installConfig, identity, cloud }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const platform = valueAt(installConfig.value(), ["platform"]);
    const names = isMap(platform) ? Object.keys(platform).sort() : [];
    if (names.length === 0 || names.includes(cloud.name)) return [];
    const message = `"platform" is ${quotedList(names)}, but the ClusterIdentity is for "${cloud.name}"; use the install-config of this cluster.`;
    return [{ message, resource: installConfig, field: "platform" }];
  },
};

/*
 * Which capabilities a baseline set enables (OpenShift API, config/v1, ClusterVersionCapabilitySets), as of OpenShift
 * 4.18, read in November 2026. A set "will remain the same no matter which version of OpenShift is installed", except
 * for capabilities that were split from the platform later: these were added to older sets too, which had always
 * included them.
 */

const v411 = ["baremetal", "MachineAPI", "marketplace", "openshift-samples"];
const v412 = [...v411, "Console", "CSISnapshot", "Insights", "Storage"];
const v413 = [...v412, "NodeTuning"];
const v414 = [...v413, "Build", "DeploymentConfig", "ImageRegistry"];
const v415 = [...v414, "CloudCredential", "OperatorLifecycleManager"];
const v416 = [...v415, "CloudControllerManager", "Ingress"];
const v418 = [...v416, "OperatorLifecycleManagerV1"];

const baselines: ReadonlyMap<string, readonly string[]> = new Map([
  ["None", []],
  ["v4.11", v411],
  ["v4.12", v412],
  ["v4.13", v413],
  ["v4.14", v414],
  ["v4.15", v415],
  ["v4.16", v416],
  ["v4.17", v416],
  ["v4.18", v418],
]);

/**
 * The capabilities that a baseline set enables: "all" for the current set of a release, and undefined for an unknown
 * set.
 *
 * @param name the value of `baselineCapabilitySet`; "" if the field is omitted, which means "vCurrent".
 */
function baselineCapabilities(name: string): readonly string[] | "all" | undefined {
  return name === "" || name === "vCurrent" ? "all" : baselines.get(name);
}
