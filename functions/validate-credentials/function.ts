import type { Inspector } from "../../src/clouds/inspector.ts";
import { inspectorFor, inspectors, inspectorsAmong, rulesFor } from "../../src/clouds/inspectors.ts";
import { ownCluster } from "../../src/clouds/own-cluster.ts";
import { isIdentity, readIdentity } from "../../src/clouds/read-identity.ts";
import { bundlesAmong } from "../../src/clouds/rendered.ts";
import type { Finding } from "../../src/core/finding.ts";
import { type GeneratedObject, generatedBy, inPackage, type Resource } from "../../src/core/resource.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import type { FunctionInput } from "../../src/krm/function.ts";
import { collisions, lostObjects } from "../../src/krm/reconcile.ts";
import { isCredentialsRequest, providerSpecOf } from "../../src/requests/credentials-request.ts";
import { defaultRelease } from "../../src/requests/release-filter.ts";
import { selectRequests } from "../../src/requests/select.ts";
import { checkRules } from "../../src/rules/check-rules.ts";
import { partition } from "../../src/rules/facts.ts";
import { configureOperators } from "../configure-operators/function.ts";
import { generateCloudCredentials } from "../generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../generate-oidc-issuer/function.ts";

/** What is validated in addition to the items of the list. */
export interface ValidationOptions {
  /** Objects read from a cluster. */
  readonly live?: readonly Resource[];
  /** An install-config, in the form of a resource. */
  readonly installConfig?: Resource;
  /** Today's date in UTC, as "2026-01-31". Without it, acceptances in the ClusterIdentity never expire. */
  readonly today?: string;
}

/**
 * Everything that is wrong with a package: the errors and warnings of the generators, and what the rules find. Without
 * a ClusterIdentity, only the requests are checked, as for a cluster with default settings on each of their clouds.
 */
export function validate(
  { items, functionConfig }: FunctionInput,
  options: ValidationOptions = {},
): readonly Finding[] {
  const identity = readIdentity(items, functionConfig);
  if (isIdentity(identity)) {
    const own = inPackage(items, identity.resource.packagePath);
    return validateFor(inspectorFor(identity), own, identity, options);
  }
  const [cloud, ...others] = inspectorsAmong(items);
  const first = validateFor(cloud, items, undefined, options);
  const said = new Set(first.map(({ code, message }) => `${code} ${message}`));
  const more = others.flatMap((other) => {
    const beside = items.filter((item) => !isCredentialsRequest(item) || isFor(other, item));
    return validateFor(other, beside, undefined, {}).filter(isOfRequest);
  });
  return [
    ...identity.filter(({ code }) => code !== "config-missing"),
    ...first,
    ...more.filter(({ code, message }) => !said.has(`${code} ${message}`) || !code.startsWith("operator-")),
  ];
}

function isOfRequest({ resource }: Finding): boolean {
  return resource?.kind === "CredentialsRequest";
}

function isFor({ providerKind }: Inspector, item: Resource): boolean {
  return providerSpecOf(item.value())?.["kind"] === providerKind;
}

function validateFor(
  cloud: Inspector,
  own: readonly Resource[],
  usable: Identity | undefined,
  options: ValidationOptions,
): readonly Finding[] {
  const release = usable?.release ?? defaultRelease;
  const withoutClusters = withoutLive(own);
  const { requests, findings: selection } = selectRequests(withoutClusters, release, cloud.providerKind, {
    merging: { merge: cloud.merge, tokenPath: usable?.tokenPath },
  });
  const { findings, rendering } =
    usable !== undefined
      ? generated({ items: withoutClusters, functionConfig: usable.resource }, managesIssuer(usable, withoutClusters))
      : {
          findings: [...selection, ...requests.flatMap((request) => cloud.check?.(request) ?? [])],
          rendering: [],
        };
  const cluster = cloud.read?.(bundlesAmong(partition(own).own));
  const { live = [], installConfig, today } = options;
  const checked = { items: own, live, installConfig, identity: usable, release, requests, rendering, today };
  const known = {
    cloud,
    clouds: inspectors,
    rendered: cluster?.identities ?? [],
    own: ownCluster(cluster, own),
    documentIssuer: cluster?.documentIssuer,
  };
  return [
    ...findings.filter(({ severity, code }) => severity !== "info" && !losses.has(code)),
    ...(cluster?.findings ?? []),
    ...checkRules({ ...checked, ...known }, rulesFor(cloud)),
  ];
}

// The rules report each object that a render would remove, with the reason.
const losses: ReadonlySet<string> = new Set(["identities-lost"]);

// A package without signing keys does not manage the issuer, so its issuer is not generated. If it was, the keys are missing.
function managesIssuer({ name, issuer }: Identity, items: readonly Resource[]): boolean {
  const owner = `${generateOidcIssuer.name}/${name}`;
  return issuer.signingKeys.length > 0 || items.some(({ annotations }) => annotations.get(generatedBy) === owner);
}

function generated(input: FunctionInput, hasIssuer: boolean): { findings: Finding[]; rendering: GeneratedObject[] } {
  const generators = [generateCloudCredentials, configureOperators];
  const run = hasIssuer ? [generateOidcIssuer, ...generators] : generators;
  const made = run.map((fn) => ({ fn, output: fn.run(input) }));
  const outputs = made.map(({ output }) => output);
  const lost = made.flatMap(({ fn, output }) => lostObjects(fn, input.items, output));
  const findings = [...outputs.flatMap((output) => output.findings), ...lost];
  // Two requests with the same Secret generate the same files: report only the Secret.
  const isShared = findings.some(({ code }) => code === "secret-shared");
  return {
    findings: [...findings, ...(isShared ? [] : outputs.flatMap(({ objects }) => collisions(objects)))],
    rendering: onceMade(outputs.flatMap(({ objects }) => objects)),
  };
}

// If two objects have the same path, it is undefined which one a render would write: skip both.
function onceMade(objects: readonly GeneratedObject[]): GeneratedObject[] {
  const count = new Map<string, number>();
  for (const { path } of objects) count.set(path, (count.get(path) ?? 0) + 1);
  return objects.filter(({ path }) => count.get(path) === 1);
}

// Objects of a live cluster are not part of what is rendered, with one exception: if the package has no Authentication,
// the one of the cluster can provide the issuer.
function withoutLive(items: readonly Resource[]): readonly Resource[] {
  const { own, live } = partition(items);
  const hasAuthentication = own.some(({ kind }) => kind === "Authentication");
  return [...own, ...live.filter(({ kind }) => kind === "Authentication" && !hasAuthentication)];
}
