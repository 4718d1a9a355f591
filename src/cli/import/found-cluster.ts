import { type Finding, finding } from "../../core/finding.ts";
import { canonicalJson } from "../../core/json.ts";
import { describe, groupOf, type Resource, refOf, textAt, type Value, valueAt } from "../../core/resource.ts";
import { secretTexts } from "../../core/secret-texts.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { isConfigObject } from "../../openshift/config-objects.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { isFeatureGate, isReleaseFeatureGate } from "../../requests/feature-gates.ts";
import { FindingsError } from "../terminal/errors.ts";
import { dumpCommand } from "./definition.ts";

/** The objects of one cluster, each at most once. */
export interface FoundCluster {
  readonly issuerUrl: string;
  /** The configuration objects (config.openshift.io). */
  readonly config: readonly Resource[];
  /** Documents that are not Kubernetes objects. */
  readonly listings: readonly Resource[];
  readonly infrastructure: Resource | undefined;
  readonly clusterVersion: Resource | undefined;
  readonly featureGate: Resource | undefined;
  /** The requests of all clouds, sorted by name. */
  readonly requests: readonly Resource[];
  /** By `<namespace>/<name>`. Their values are not built before they are known to belong to a request. */
  readonly secrets: ReadonlyMap<string, Resource>;
  /** The public keys with which the API server checks tokens. */
  readonly signingKeys: Resource | undefined;
}

/** What may be missing, because something else tells it. */
export interface FoundElsewhere {
  /** The issuer that ccoctl published. */
  readonly issuerUrl: string | undefined;
  /** What ccoctl wrote describes the cluster, so its configuration objects may be missing. */
  readonly byCcoctl: boolean;
  /** The requests are in a directory. */
  readonly requests: boolean;
}

/**
 * Finds the objects of a cluster among those that were read.
 * @throws FindingsError if objects are missing, are of two clusters, or are of a cluster with long-lived credentials.
 */
export function findCluster(items: readonly Resource[], elsewhere: FoundElsewhere): FoundCluster {
  const findings: Finding[] = [];
  const one = (kind: string, found: readonly Resource[], identify: (value: Value) => unknown) =>
    onlyOne(kind, found, identify, findings);
  const named = (kind: string) => items.filter((item) => isConfigObject(item, kind));
  const authentication = one("Authentication", named("Authentication"), issuerOf);
  const infrastructure = one("Infrastructure", named("Infrastructure"), (value) =>
    textAt(value, ["status", "infrastructureName"]),
  );
  const clusterVersion = one("ClusterVersion", items.filter(isClusterVersion), (value) =>
    textAt(value, ["spec", "clusterID"]),
  );
  const gates = items.filter((item) => isFeatureGate(item) && !isReleaseFeatureGate(item));
  const featureGate = one("FeatureGate", gates, (value) => valueAt(value, ["spec"]) ?? null);
  const requests = [...distinct(items.filter(isCredentialsRequest), contentOfRequest, findings).values()];
  const secrets = distinct(items.filter(isSecret), contentOfSecret, findings);
  const keys = items.filter(isSigningKeys);
  const signingKeys = one("ConfigMap", keys, (value) => valueAt(value, ["data"]) ?? null);
  const issuerUrl =
    (authentication === undefined ? undefined : issuerOf(authentication.value())) ?? elsewhere.issuerUrl;
  findings.push(
    ...missing(
      { Authentication: authentication ?? issuerUrl, Infrastructure: infrastructure, FeatureGate: featureGate },
      {
        ClusterVersion: clusterVersion,
        CredentialsRequest: requests[0],
      },
      elsewhere,
    ),
  );
  if (authentication !== undefined && (issuerUrl ?? "") === "") findings.push(notShortTerm(authentication));
  if (elsewhere.issuerUrl !== undefined && elsewhere.issuerUrl !== issuerUrl) {
    const message = `ccoctl published the issuer ${quoteWhole(elsewhere.issuerUrl)}, but the cluster has ${quoteWhole(issuerUrl ?? "")}. Pass the directory that ccoctl wrote for this cluster.`;
    findings.push(finding("error", "import-contradiction", message));
  }
  if (findings.length > 0) throw new FindingsError(findings);
  const byName = (a: Resource, b: Resource) => compareText(a.name, b.name) || compareText(a.namespace, b.namespace);
  return {
    issuerUrl: issuerUrl ?? "",
    config: items.filter(({ apiVersion }) => groupOf(apiVersion) === "config.openshift.io"),
    listings: items.filter(({ apiVersion, kind }) => apiVersion === "" && kind === ""),
    infrastructure,
    clusterVersion,
    featureGate,
    requests: requests.sort(byName),
    secrets,
    signingKeys,
  };
}

function issuerOf(value: Value): string {
  return textAt(value, ["spec", "serviceAccountIssuer"]);
}

function isClusterVersion({ apiVersion, kind, name }: Resource): boolean {
  return kind === "ClusterVersion" && name === "version" && groupOf(apiVersion) === "config.openshift.io";
}

function isSecret({ apiVersion, kind }: Resource): boolean {
  return kind === "Secret" && apiVersion === "v1";
}

// cluster-kube-apiserver-operator copies it to where the API server reads its public keys.
function isSigningKeys({ apiVersion, kind, name, namespace }: Resource): boolean {
  const isThere = namespace === "openshift-kube-apiserver" || namespace === "openshift-kube-apiserver-operator";
  return kind === "ConfigMap" && apiVersion === "v1" && name === "bound-sa-token-signing-certs" && isThere;
}

function onlyOne(
  kind: string,
  found: readonly Resource[],
  identify: (value: Value) => unknown,
  findings: Finding[],
): Resource | undefined {
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const same = canonicalJson(identify(first.value()) as Value);
  if (others.some((other) => canonicalJson(identify(other.value()) as Value) !== same)) {
    const message = `the input contains the ${kind} ${quoteWhole(first.name)} of two clusters. Pass the objects of one cluster only.`;
    findings.push(finding("error", "import-contradiction", message));
  }
  return first;
}

// An object may be in two files, as long as both say the same.
function distinct(
  found: readonly Resource[],
  contentOf: (resource: Resource) => string,
  findings: Finding[],
): Map<string, Resource> {
  const known = new Map<string, Resource>();
  for (const resource of found) {
    const key = `${resource.namespace}/${resource.name}`;
    const other = known.get(key);
    if (other === undefined) known.set(key, resource);
    else if (contentOf(other) !== contentOf(resource)) {
      const message = `the input contains ${describe(refOf(resource))} twice, with different content. Pass the objects of one cluster only.`;
      findings.push(finding("error", "import-contradiction", message));
    }
  }
  return known;
}

function contentOfRequest(resource: Resource): string {
  return canonicalJson(valueAt(resource.value(), ["spec"]) ?? null);
}

function contentOfSecret(resource: Resource): string {
  const texts = [...secretTexts(resource.value())].sort(([a], [b]) => compareText(a, b));
  return JSON.stringify(texts);
}

type Found = Readonly<Record<string, unknown>>;

function missing(config: Found, more: Found, { byCcoctl, requests }: FoundElsewhere): Finding[] {
  const absent = Object.entries({ ...config, ...more })
    .filter(([, found]) => found === undefined)
    .map(([kind]) => kind)
    .filter((kind) => (kind === "CredentialsRequest" ? !requests : kind === "Authentication" || !byCcoctl));
  if (absent.length === 0) return [];
  const instead =
    absent.includes("CredentialsRequest") && absent.length === 1
      ? ', or "--credentials-requests" with the requests of the release'
      : "";
  const message = `the input contains no ${absent.join(", no ")}. Run this command, and pass its output with "--from"${instead}: ${dumpCommand}`;
  return [finding("error", "import-incomplete", message)];
}

function notShortTerm(resource: Resource): Finding {
  const message =
    'has no "spec.serviceAccountIssuer", so the components of the cluster use long-lived keys. Only a cluster with short-term credentials can be imported.';
  return finding("error", "import-not-short-term", message, { resource });
}
