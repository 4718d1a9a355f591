import { inspectorFor, inspectors, rulesFor } from "../../src/clouds/inspectors.ts";
import { isIdentity, readIdentity } from "../../src/clouds/read-identity.ts";
import { bundlesAmong } from "../../src/clouds/rendered.ts";
import type { Finding } from "../../src/core/finding.ts";
import { type GeneratedObject, inPackage, type Resource } from "../../src/core/resource.ts";
import type { FunctionInput } from "../../src/krm/function.ts";
import { collisions } from "../../src/krm/reconcile.ts";
import { defaultRelease } from "../../src/requests/release-filter.ts";
import { selectRequests } from "../../src/requests/select.ts";
import { checkRules } from "../../src/rules/check-rules.ts";
import { partition } from "../../src/rules/facts.ts";
import { configureOperators } from "../configure-operators/function.ts";
import { generateCloudCredentials } from "../generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../generate-oidc-issuer/function.ts";

/** What is validated beside the items that a function gets. */
export interface ValidationOptions {
  /** Objects that were taken from a cluster. */
  readonly live?: readonly Resource[];
  /** An install-config, as if it were an object. */
  readonly installConfig?: Resource;
  /** Today in UTC, as "2026-01-31": then acceptances of the ClusterIdentity expire. */
  readonly today?: string;
}

/**
 * Everything that is wrong with a package: what the generators refuse or warn of, and what the rules find. Without a
 * ClusterIdentity the requests are checked for themselves, as for a cluster of the defaults.
 */
export function validate({ items, functionConfig }: FunctionInput, beside: ValidationOptions = {}): readonly Finding[] {
  const identity = readIdentity(items, functionConfig);
  const usable = isIdentity(identity) ? identity : undefined;
  const own = inPackage(items, usable?.resource.packagePath);
  const release = usable?.release ?? defaultRelease;
  const cloud = inspectorFor(usable);
  const withoutClusters = withoutLive(own);
  const { requests, findings: selection } = selectRequests(withoutClusters, release, cloud.providerKind);
  const { findings, rendering } =
    usable !== undefined
      ? generated({ items: withoutClusters, functionConfig: usable.resource }, usable.issuer.signingKeys.length > 0)
      : {
          findings: [
            ...(identity as readonly Finding[]).filter(({ code }) => code !== "config-missing"),
            ...selection,
            ...requests.flatMap((request) => cloud.check?.(request) ?? []),
          ],
          rendering: [],
        };
  const cluster = cloud.read?.(bundlesAmong(partition(own).own));
  const { live = [], installConfig, today } = beside;
  const checked = { items: own, live, installConfig, identity: usable, release, requests, rendering, today };
  const known = {
    cloud,
    clouds: inspectors,
    rendered: cluster?.identities ?? [],
    documentIssuer: cluster?.documentIssuer,
  };
  return [
    ...findings.filter(({ severity, code }) => severity !== "info" && !losses.has(code)),
    ...(cluster?.findings ?? []),
    ...checkRules({ ...checked, ...known }, rulesFor(cloud)),
  ];
}

// What a render would remove, rules say with its reason, object by object.
const losses: ReadonlySet<string> = new Set(["identities-lost", "identity-removed"]);

// Whoever leaves the issuer to others has no signing key in the package, and runs one generator alone.
function generated(input: FunctionInput, hasKeys: boolean): { findings: Finding[]; rendering: GeneratedObject[] } {
  const generators = [generateCloudCredentials, configureOperators];
  const outputs = (hasKeys ? [generateOidcIssuer, ...generators] : generators).map((fn) => fn.run(input));
  const findings = outputs.flatMap((output) => output.findings);
  // Two requests of one Secret make the same files: said once.
  const isShared = findings.some(({ code }) => code === "secret-shared");
  return {
    findings: [...findings, ...(isShared ? [] : outputs.flatMap(({ objects }) => collisions(objects)))],
    rendering: onceMade(outputs.flatMap(({ objects }) => objects)),
  };
}

// Which of two objects a render would write at one path, nobody can say.
function onceMade(objects: readonly GeneratedObject[]): GeneratedObject[] {
  const count = new Map<string, number>();
  for (const { path } of objects) count.set(path, (count.get(path) ?? 0) + 1);
  return objects.filter(({ path }) => count.get(path) === 1);
}

// What a live cluster says of itself is no part of what is rendered, unless the package has no other: a region and an
// issuer may be left to it.
function withoutLive(items: readonly Resource[]): readonly Resource[] {
  const { own, live } = partition(items);
  const hasAuthentication = own.some(({ kind }) => kind === "Authentication");
  return [...own, ...live.filter(({ kind }) => kind === "Authentication" && !hasAuthentication)];
}
