import { type Finding, hasError } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { defaults, isGcpPoolId } from "../../../generated/schema-facts.ts";
import { configTexts } from "../../../openshift/config-object.ts";
import { type Reading, type Report, reportTo } from "../../cloud.ts";
import { prefixChange } from "../../rendered-before.ts";
import { factsBefore } from "../rendered/facts.ts";
import { defaultUniverse, type GcpCluster } from "./cluster.ts";
import type { GcpIdentity } from "./platform.ts";
import { readIssuer } from "./read-issuer.ts";
import { renderedElsewhere } from "./rendered-elsewhere.ts";

const base = "spec.platform.gcp";

/**
 * Narrows a ClusterIdentity for GCP to a value that needs no further checks.
 *
 * @param items the package's items: its Infrastructure/cluster must not contradict the config.
 */
export function readGcpCluster(identity: GcpIdentity, items: readonly Resource[]): Reading<GcpCluster> {
  const findings: Finding[] = [];
  const report = reportTo(findings, identity.resource);
  compareInfrastructure(identity, items, report);
  const poolId = identity.gcp.pool ?? defaultPool(identity, report);
  checkAudiences(identity, report);
  const { keyStorage, bucket, url } = readIssuer(identity, report);
  const before = factsBefore(items);
  findings.push(...prefixChange(identity, { prefix: before.resourcePrefix, name: before.name }));
  if (poolId === undefined || url === undefined || hasError(findings)) return { value: undefined, findings };
  const { gcp } = identity;
  const cluster: GcpCluster = {
    prefix: identity.prefix,
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
