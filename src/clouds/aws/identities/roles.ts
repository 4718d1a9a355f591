import { type Finding, finding } from "../../../core/finding.ts";
import { describe, type Resource, refOf } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { unmatchedOverrides } from "../../../requests/unmatched-overrides.ts";
import { type AwsCluster, trustedIssuers } from "../cluster/cluster.ts";
import { type RoleOverride, roleOverrides } from "./overrides.ts";
import { readAwsRequest } from "./request.ts";
import { type AwsRole, nameOfRole, roleCollision, roleFor } from "./role.ts";
import { roleStem } from "./role-bundle.ts";

/** The requests that count for a cluster, and which of them the function at hand makes roles for. */
export interface Share {
  /** All of them, sorted by Secret: the roles of two functions stand in one account and in one package. */
  readonly selected: readonly SelectedRequest[];
  isOwn(one: SelectedRequest): boolean;
  /** Fields of a request that the function writes itself: a template in one of them is none that somebody must fill in. */
  readonly writes?: ReadonlySet<string>;
}

/**
 * Makes the roles of a function's share of the requests, and calls `make` for each: one request after the other, so that
 * what its role is made of need not outlive its turn. Of the others only the names count.
 *
 * @param cluster undefined where it could not be read: then requests are checked alone.
 */
export function makeRoles(
  identity: Identity,
  cluster: AwsCluster | undefined,
  share: Share,
  make: (cluster: AwsCluster, role: AwsRole) => void,
): Finding[] {
  const { resource } = identity;
  const overrides = roleOverrides(identity);
  const findings = [
    ...previousIssuers(identity, cluster),
    ...unmatchedOverrides(resource, "spec.overrides", identity.overrides, share.selected),
    ...unmatchedOverrides(resource, "spec.platform.aws.overrides", identity.aws.overrides ?? {}, share.selected),
  ];
  const taken: Taken = { names: new Map(), files: new Map() };
  for (const one of share.selected) {
    const isOwn = share.isOwn(one);
    if (overrides.get(one.secretKey ?? "")?.skip === true) {
      const message = "was left out: the config's override says so.";
      if (isOwn) findings.push(finding("info", "skipped-override", message, { resource: one.resource }));
      continue;
    }
    if (!isOwn) {
      if (cluster !== undefined) findings.push(...takeOthers(cluster, one, overrides, taken));
      continue;
    }
    const { request, findings: wrong } = readAwsRequest(one, overrides, share.writes);
    findings.push(...wrong);
    if (request === undefined || cluster === undefined || trustedIssuers(cluster).length === 0) continue;
    const { role, findings: refused } = roleFor(cluster, request);
    findings.push(...refused);
    if (role === undefined) continue;
    const stem = roleStem(request.secretNamespace, request.secretName);
    findings.push(...roleCollision(role.name, one.resource, taken.names), ...fileCollision(stem, one, true, taken));
    make(cluster, role);
  }
  return findings;
}

/** What the requests so far have taken: names of roles in lower case, and names of files. */
interface Taken {
  readonly names: Map<string, Resource>;
  readonly files: Map<string, { readonly resource: Resource; readonly isOwn: boolean }>;
}

function previousIssuers({ resource }: Identity, cluster: AwsCluster | undefined): Finding[] {
  return (cluster?.previousIssuers ?? []).map(({ url }) => {
    const message = `roles believe the tokens of the previous issuer ${quoteWhole(url)}, too; remove it from "spec.issuer.previous" when the cluster has moved.`;
    return finding("info", "previous-issuer", message, { resource, field: "spec.issuer.previous" });
  });
}

// What is wrong with another function's request is said there.
function takeOthers(
  cluster: AwsCluster,
  one: SelectedRequest,
  overrides: ReadonlyMap<string, RoleOverride>,
  taken: Taken,
): Finding[] {
  if (one.secretKey === undefined) return [];
  const [namespace = "", name = ""] = one.secretKey.split("/");
  const roleName = nameOfRole(cluster, namespace, name, overrides.get(one.secretKey) ?? {});
  return [
    ...(roleName === undefined ? [] : roleCollision(roleName, one.resource, taken.names)),
    ...fileCollision(roleStem(namespace, name), one, false, taken),
  ];
}

// Two files of one function are told apart where its objects come together.
function fileCollision(stem: string, { resource }: SelectedRequest, isOwn: boolean, { files }: Taken): Finding[] {
  const other = files.get(stem);
  files.set(stem, { resource, isOwn });
  if (other === undefined || other.isOwn === isOwn) return [];
  const path = quote(`aws/roles/${stem}.yaml`);
  const message = `${describe(refOf(other.resource))} and ${describe(refOf(resource))} both make the file ${path}; rename one of their Secrets.`;
  return [finding("error", "path-collision", message, { resource })];
}
