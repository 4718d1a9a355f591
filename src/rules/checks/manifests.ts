import { ruleCode } from "../../core/finding.ts";
import { generatedBy, type Resource, textAt, valueAt } from "../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { authenticationPath, issuerOf } from "../../openshift/config-objects.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { exclusionOf } from "../../requests/release-filter.ts";
import { meets, type Operator } from "../operator.ts";
import type { Facts, Rule, Violation } from "../rule.ts";

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
  why: "A Secret cannot be created before its namespace. The platform creates its own namespaces (`openshift-*`, `kube-*`), but not those of disabled components. If a request is excluded by a feature set, a gate or a capability, the namespace of its component is never created, and an installation with a manifest for it waits until it fails. Other namespaces must be in the package or be created before it is applied.",
  cure: "Add the Namespace object to the package, or remove the Secret of a disabled component. If something else creates the namespace first, accept the finding and name the creator in the reason.",
  check: (facts) => {
    const there = new Set(
      [...facts.items, ...facts.live].filter(({ kind }) => kind === "Namespace").map(({ name }) => name),
    );
    const off = namespacesThatAreOff(facts);
    return wanted(facts).flatMap(([namespace, resource]): Violation[] => {
      if (namespace === "" || there.has(namespace)) return [];
      if (off.has(namespace)) {
        const message = `is for the namespace ${quote(namespace)} of a component that is disabled in this cluster, so nothing creates the namespace; remove the Secret, or add the Namespace.`;
        return [{ message, resource }];
      }
      if (isPlatforms(namespace)) return [];
      const message = `is for the namespace ${quote(namespace)}, which the platform does not create and for which the package has no Namespace object; add one.`;
      return [{ message, resource }];
    });
  },
};

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
  const others = secrets.filter(({ key }) => !keys.has(key));
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
    if (!isCredentialsRequest(item) || exclusionOf(item.annotations, release) === undefined) continue;
    off.add(String(valueAt(item.value(), ["spec", "secretRef", "namespace"]) ?? ""));
  }
  for (const { secretKey = "" } of requests) off.delete(namespaceOf(secretKey));
  return off;
}
