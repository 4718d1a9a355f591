import { quote } from "../../../core/text.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import {
  type Claim,
  type CloudClaims,
  type Home,
  issuerClaim,
  ownNames,
  prefixField,
  textIn,
  unlessGiven,
} from "../../claims.ts";
import { idsOf } from "../identities/identity.ts";
import type { AccountOverride } from "../identities/request.ts";
import type { GcpCluster, GcpIdentity } from "./cluster.ts";

const base = "spec.platform.gcp";

/** What a cluster claims on GCP. The name of a bucket is unique in a universe. */
export function gcpClaims(identity: GcpIdentity, cluster: GcpCluster): CloudClaims {
  const { gcp, overrides } = identity;
  const project = `the project ${quote(cluster.projectId)}`;
  const given = Object.entries(gcp.overrides ?? {}).filter(
    ([key, { serviceAccountID, customRoleID }]) =>
      (serviceAccountID !== undefined || customRoleID !== undefined) && overrides[key]?.skip !== true,
  );
  return {
    claims: [
      ...ownNames(identity, project),
      { noun: "pool", value: cluster.poolId, within: project, field: `${base}.pool`, ...unlessGiven(gcp.pool) },
      ...issuerClaims(identity, cluster),
    ],
    named: given.map(([key]) => key),
    namesOf: accountIds(new Map(given), cluster.prefix, project),
  };
}

function issuerClaims({ gcp, issuer }: GcpIdentity, { bucket, issuerUrl, universeDomain }: GcpCluster): Claim[] {
  if (bucket !== undefined) {
    const within = `the universe ${quote(universeDomain)}`;
    const field = `${base}.bucket`;
    const claim: Claim = { noun: "bucket", value: bucket, within, field, ...unlessGiven(gcp.bucket) };
    return [claim, { ...issuerClaim(issuerUrl, field, { derivedFrom: claim.noun }), effect: ofIssuer }];
  }
  if (issuer.url !== undefined) return [issuerClaim(issuerUrl, "spec.issuer.url")];
  // Nothing is published at this URL. But another service that is given the keys of both clusters, such as a pool of another
  // project, takes the tokens of one for those of the other.
  const field = gcp.bucket === undefined ? prefixField : `${base}.bucket`;
  const cure = `Set ${quote(field)} to another value, or "spec.issuer.url" to a URL of its own,`;
  return [{ ...issuerClaim(issuerUrl, field, unlessGiven(gcp.bucket)), effect: ofIssuer, cure }];
}

const ofIssuer = "A service that trusts the issuer cannot tell the tokens of the clusters apart.";

function accountIds(
  given: ReadonlyMap<string, AccountOverride>,
  prefix: string,
  within: string,
): CloudClaims["namesOf"] {
  const field = `${base}.overrides`;
  const claim = (noun: string, value: string, name: string, set: string | undefined): Claim => {
    const cure = `Set "${name}" in "${field}" to another ID`;
    return { noun, value, compared: value.toLowerCase(), within, field, cure, ...unlessGiven(set) };
  };
  return (key) => {
    const [namespace = "", secret = ""] = key.split("/");
    const override = given.get(key) ?? {};
    const { accountId, roleId } = idsOf(prefix, namespace, secret, override);
    return [
      claim("service account", accountId, "serviceAccountID", override.serviceAccountID),
      claim("custom role", roleId, "customRoleID", override.customRoleID),
    ];
  };
}

/** Where a cluster on Google Cloud is. The account is the ID of its project. */
export const gcpHome: Home = {
  names: ["project"],
  read(spec) {
    const account = textIn(spec, "projectID");
    const region = textIn(spec, "region") ?? defaults["spec.platform.gcp.region"];
    return { account, region, names: { project: account } };
  },
};
