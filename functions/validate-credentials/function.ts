import { ClusterPackage, clusterPackageOf } from "../../src/clouds/cluster-package.ts";
import type { Inspector } from "../../src/clouds/inspector.ts";
import {
  inspectorFor,
  inspectors,
  inspectorsAmong,
  inspectorsOfSecrets,
  rulesFor,
} from "../../src/clouds/inspectors.ts";
import { ownCluster } from "../../src/clouds/permissions.ts";
import { bundlesAmong } from "../../src/clouds/rendered.ts";
import type { Finding } from "../../src/core/finding.ts";
import { type GeneratedObject, generatedBy, inPackage, type Resource } from "../../src/core/resource.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import { type FunctionInput, failedOutput, type KrmFunction } from "../../src/krm/function.ts";
import { collisions, lostObjects } from "../../src/krm/reconcile.ts";
import { sortFindings } from "../../src/krm/results.ts";
import type { PolicyDocuments } from "../../src/permissions/policy-documents.ts";
import type { RoleDefinitions } from "../../src/permissions/terms.ts";
import { isCredentialsRequest, providerSpecOf } from "../../src/requests/credentials-request.ts";
import { defaultRelease, type ReleaseFilter } from "../../src/requests/release-filter.ts";
import { type SelectedRequest, selectRequests } from "../../src/requests/select.ts";
import { checkRules } from "../../src/rules/check-rules.ts";
import type { Review } from "../../src/rules/policy.ts";
import { partition } from "../../src/rules/rule.ts";
import { isWorkloadIdentity, workloadKey } from "../../src/workloads/workload-identity.ts";
import { configureOperators } from "../configure-operators/function.ts";
import { generateCloudCredentials } from "../generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../generate-oidc-issuer/function.ts";
import { generateWorkloadIdentities } from "../generate-workload-identities/function.ts";
import { validatorNames } from "../registry.ts";

/** What is validated in addition to the items of the list. */
export interface ValidationOptions {
  /** Objects read from a cluster. */
  readonly live?: readonly Resource[];
  /** An install-config, in the form of a resource. */
  readonly installConfig?: Resource;
  /** Today's date in UTC, as "2026-01-31". Without it, acceptances in the ClusterIdentity never expire. */
  readonly today?: string;
  /** How the findings are judged. A function has no policy, because it reads only its list. */
  readonly review?: Review;
  /** The documents of managed policies and permissions boundaries, which a package only names. */
  readonly documents?: PolicyDocuments;
  /** Definitions of roles, by the title of their cloud. */
  readonly definitions?: ReadonlyMap<string, RoleDefinitions>;
}

/**
 * Everything that is wrong with a package: the errors and warnings of the generators, and what the rules find. Without
 * a ClusterIdentity, only the requests are checked, as for a cluster with default settings on each of their clouds. Without
 * requests, everything is checked for each cloud that it may be for.
 */
export function validate(input: FunctionInput, options: ValidationOptions = {}): readonly Finding[] {
  const withoutLive = inputWithoutLive(input);
  const pkg = clusterPackageOf(withoutLive);
  if (pkg instanceof ClusterPackage) {
    const { identity, cluster, packagePath, selection, held } = pkg;
    const cloud = inspectorFor(identity);
    const made = generated(withoutLive, managesIssuer(pkg));
    const validated = {
      items: inPackage(input.items, packagePath),
      release: selection.release,
      requests: selection.requests,
      held,
      workloads: new Set(pkg.items.filter(isWorkloadIdentity).map(workloadKey)),
    };
    return validateFor(cloud, { ...validated, identity, cluster: cluster.value?.checked, ...made }, options);
  }
  const unusable = pkg.filter(({ code }) => code !== "config-missing");
  const [cloud, ...others] = inspectorsAmong(input.items);
  if (cloud === undefined) {
    const possible = inspectorsOfSecrets([...input.items, ...(options.live ?? [])]);
    const found = possible.flatMap((each) =>
      validateFor(each, requestsOnly(each, input.items, withoutLive.items), options),
    );
    return sortFindings([...unusable, ...found]);
  }
  const first = validateFor(cloud, requestsOnly(cloud, input.items, withoutLive.items), options);
  const said = new Set(first.map(({ code, message }) => `${code} ${message}`));
  const more = others.flatMap((other) => {
    const isBeside = (item: Resource) => !isCredentialsRequest(item) || isFor(other, item);
    const [items, own] = [input.items, withoutLive.items].map((some) => some.filter(isBeside)) as [
      Resource[],
      Resource[],
    ];
    return validateFor(other, requestsOnly(other, items, own), {}).filter(isOfRequest);
  });
  return [
    ...unusable,
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

/** What the rules are applied to, and what the generators say of it. */
interface Validated {
  readonly identity: Identity | undefined;
  readonly cluster: object | undefined;
  readonly items: readonly Resource[];
  readonly release: ReleaseFilter;
  readonly requests: readonly SelectedRequest[];
  readonly held: ReadonlySet<string>;
  readonly workloads: ReadonlySet<string>;
  readonly rendering: readonly GeneratedObject[];
  readonly findings: readonly Finding[];
}

// Without a ClusterIdentity, nothing can be generated, so only the requests are checked.
function requestsOnly(cloud: Inspector, items: readonly Resource[], withoutLive: readonly Resource[]): Validated {
  const { merge, providerKind } = cloud;
  const {
    requests,
    release,
    findings: ofSelection,
  } = selectRequests(withoutLive, defaultRelease, providerKind, {
    merging: { merge, tokenPath: undefined },
  });
  const findings = [...ofSelection, ...requests.flatMap((request) => cloud.check(request))];
  const none = {
    identity: undefined,
    cluster: undefined,
    held: new Set<string>(),
    workloads: new Set<string>(),
    rendering: [],
  };
  return { ...none, items, release, requests, findings };
}

function validateFor(cloud: Inspector, validated: Validated, options: ValidationOptions): readonly Finding[] {
  const { items, findings, ...checked } = validated;
  const cluster = cloud.read(bundlesAmong(partition(items).own));
  const { live = [], installConfig, today, review, documents = new Map(), definitions } = options;
  const policy = review?.policy?.spec.platform;
  const requirements = policy === undefined ? [] : (cloud.features.requirements?.(policy) ?? []);
  const known = {
    cloud,
    clouds: inspectors,
    rendered: cluster?.identities ?? [],
    documents,
    definitions: definitions?.get(cloud.title) ?? new Map(),
    own: ownCluster(cluster, items),
    documentIssuer: cluster?.documentIssuer,
  };
  return [
    ...findings.filter(({ severity, code }) => severity !== "info" && !ruled.has(code)),
    ...(cluster?.findings ?? []),
    ...checkRules({ ...checked, items, live, installConfig, today, ...known }, rulesFor(cloud), review, requirements),
  ];
}

// The rules report each object that a render would remove, with the reason, and each role whose permissions are not known.
const ruled: ReadonlySet<string> = new Set(["identities-lost", "foreign-custom-role"]);

// A package without signing keys does not manage the issuer, so its issuer is not generated. If it was, the keys are missing.
function managesIssuer({ identity: { name, issuer }, items }: ClusterPackage): boolean {
  const owner = `${generateOidcIssuer.name}/${name}`;
  return issuer.signingKeys.length > 0 || items.some(({ annotations }) => annotations.get(generatedBy) === owner);
}

function generated(input: FunctionInput, hasIssuer: boolean): { findings: Finding[]; rendering: GeneratedObject[] } {
  const generators = [generateCloudCredentials, configureOperators, generateWorkloadIdentities];
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
function inputWithoutLive(input: FunctionInput): FunctionInput {
  const { own, live } = partition(input.items);
  if (live.length === 0) return input;
  const hasAuthentication = own.some(({ kind }) => kind === "Authentication");
  const items = [...own, ...live.filter(({ kind }) => kind === "Authentication" && !hasAuthentication)];
  return { ...input, items };
}

/** Reports what is wrong with a package, and changes nothing. */
export const validateCredentials: KrmFunction = {
  ...validatorNames.validateCredentials,
  run: (input) => failedOutput(validate(input)),
};
