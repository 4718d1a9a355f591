import { guarded, guardedRemoval, removableName } from "../../../core/allowances.ts";
import { type Finding, hasError } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import { defaults, isGcpPoolId } from "../../../generated/schema-facts.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { configTexts } from "../../../openshift/config-objects.ts";
import { type Checked, type Report, reportTo } from "../../cloud.ts";
import { bundleAt } from "../../rendered.ts";
import { prefixChange } from "../../rendered-before.ts";
import { factsBefore, type GcpFacts, gcpBundles, publishedBy } from "../rendered/facts.ts";
import { conditionProblem } from "./attribute-condition.ts";
import { defaultUniverse, type GcpCluster, type GcpIdentity } from "./cluster.ts";
import { readIssuer } from "./read-issuer.ts";

const base = "spec.platform.gcp";

/**
 * Narrows a ClusterIdentity for GCP to a value that needs no further checks.
 *
 * @param items the package's items: its Infrastructure/cluster must not contradict the config.
 */
export function readGcpCluster(identity: GcpIdentity, items: readonly Resource[]): Checked<GcpCluster> {
  const findings: Finding[] = [];
  const report = reportTo(findings, identity.resource);
  compareInfrastructure(identity, items, report);
  const poolId = identity.gcp.pool ?? defaultPool(identity, report);
  checkAudiences(identity, report);
  checkCondition(identity, report);
  const { keyStorage, bucket, url } = readIssuer(identity, report);
  const before = factsBefore(items);
  findings.push(...prefixChange(identity, { prefix: before.resourcePrefix, name: before.name }));
  if (poolId === undefined || url === undefined || hasError(findings)) return { value: undefined, findings };
  const { gcp } = identity;
  const cluster: GcpCluster = {
    prefix: identity.prefix,
    mark: identity.mark,
    projectId: gcp.projectID,
    projectNumber: gcp.projectNumber,
    region: gcp.region ?? defaults["spec.platform.gcp.region"],
    universeDomain: gcp.universeDomain ?? defaultUniverse,
    keyStorage,
    bucket,
    issuerUrl: url,
    poolId,
    providerId: gcp.provider ?? poolId,
    audiences: identity.issuer.audiences ?? ["openshift"],
    attributeCondition: gcp.attributeCondition ?? defaults["spec.platform.gcp.attributeCondition"],
    tokenPath: identity.tokenPath,
    secretEncoding: identity.secretEncoding,
    givenAccountIds: Object.values(gcp.overrides ?? {})
      .flatMap(({ serviceAccountID }) => serviceAccountID ?? [])
      .sort(),
  };
  findings.push(...renderedElsewhere(identity, cluster, before, items));
  return { value: hasError(findings) ? undefined : cluster, findings };
}

function defaultPool({ prefix }: GcpIdentity, report: Report): string | undefined {
  if (isGcpPoolId(prefix)) return prefix;
  const message = `the resource prefix ${quote(prefix)} is the default ID of the workload identity pool, but a pool's ID must have 4 to 32 characters and not begin with "gcp-". Set "${base}.pool" to another ID.`;
  return report("error", "pool-id-invalid", `${base}.pool`, message);
}

/** The maximum number of audiences of a provider (IAM v1 reference, Oidc.allowedAudiences). */
const maxAudiences = 10;

// The schema limits an audience to 255 characters; Google Cloud allows 256.
function checkAudiences({ issuer }: GcpIdentity, report: Report): void {
  const { audiences = [] } = issuer;
  if (audiences.length <= maxAudiences) return;
  const field = "spec.issuer.audiences";
  const message = `"${field}" contains ${audiences.length} audiences, but a provider of Google Cloud accepts at most ${maxAudiences}; remove some.`;
  report("error", "config-invalid-field", field, message);
}

function checkCondition({ gcp: { attributeCondition = "" } }: GcpIdentity, report: Report): void {
  const problem = attributeCondition === "" ? undefined : conditionProblem(attributeCondition);
  if (problem === undefined) return;
  const field = `${base}.attributeCondition`;
  report(
    "error",
    "attribute-condition-invalid",
    field,
    `"${field}" ${problem}. Correct the condition, or remove the field.`,
  );
}

// The region of the cluster is not compared: the config's region is that of the bucket.
function compareInfrastructure({ gcp }: GcpIdentity, items: readonly Resource[], report: Report): void {
  const given = { projectID: gcp.projectID, universeDomain: gcp.universeDomain ?? defaultUniverse };
  for (const name of ["projectID", "universeDomain"] as const) {
    const live = configTexts(items, "Infrastructure", ["status", "platformStatus", "gcp", name]);
    const other = live.find((text) => text !== given[name]);
    if (other === undefined) continue;
    const field = `${base}.${name}`;
    const message = `"${field}" is ${quote(given[name])}, but the Infrastructure "cluster" says ${quote(other)}; correct the wrong one.`;
    report("error", "project-contradiction", field, message);
  }
}

/**
 * Reports a project, pool or provider other than those that the package was rendered for. Every Secret names them, so the
 * cluster would lose access to the service accounts that it uses.
 */
function renderedElsewhere(
  identity: Pick<Identity, "resource" | "allowed">,
  cluster: GcpCluster,
  before: GcpFacts,
  items: readonly Resource[],
): Finding[] {
  const changed = (code: "project-changed" | "pool-changed", field: string, former: string, now: string) => {
    const message = `"${field}" is ${quote(now)}, but the package was rendered with ${quote(former)}. Every Secret would name ${what[code]}, and the cluster would lose access to the service accounts that it uses. Set "${field}" to ${quote(former)}, or create a new package for another cluster.`;
    return guarded(identity, "removal", code, message, { resource: identity.resource, field });
  };
  const base = "spec.platform.gcp";
  const compared = [
    ["project-changed", `${base}.projectID`, before.account, cluster.projectId],
    ["project-changed", `${base}.projectNumber`, before.projectNumber, cluster.projectNumber],
    ["project-changed", `${base}.universeDomain`, before.universeDomain, cluster.universeDomain],
    ["pool-changed", `${base}.pool`, before.pool, cluster.poolId],
    ["pool-changed", `${base}.provider`, before.provider, cluster.providerId],
  ] as const;
  const [first] = compared.filter(([, , former, now]) => former !== undefined && former !== now);
  if (first !== undefined) return [changed(first[0], first[1], first[2] ?? defaultUniverse, first[3])];
  return keysLeaveProvider(identity, before.keyStorage, cluster, items);
}

// No file shows that the provider loses its keys. If the issuer changes as well, that is what is reported.
function keysLeaveProvider(
  identity: Pick<Identity, "resource" | "allowed">,
  before: string | undefined,
  { keyStorage, issuerUrl }: GcpCluster,
  items: readonly Resource[],
): Finding[] {
  const bundle = bundleAt(items, gcpBundles.issuer)?.resource;
  if (bundle === undefined || before !== "PoolJWKFile" || keyStorage !== "External") return [];
  if (publishedBy(items).url !== issuerUrl) return [];
  const field = "spec.platform.gcp.keyStorage";
  const message = `"${field}" is "External", but the package was rendered with "PoolJWKFile". The provider would lose its keys, and Google would read those at ${quoteWhole(issuerUrl)}, which the package does not publish. Set "${field}" to "PoolJWKFile". If that URL is to take over, publish the discovery document and the keys there first.`;
  const location = { resource: identity.resource, field };
  return [guardedRemoval(identity, [removableName(bundle)], "documents-lost", message, location)];
}

const what = {
  "project-changed": "service accounts and a provider in another project",
  "pool-changed": "another provider, while the old pool would stay trusted",
} as const;
