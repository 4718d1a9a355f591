import { prettyJson } from "../../../core/json.ts";
import type { GeneratedObject, ValueMap } from "../../../core/resource.ts";
import { secretOf } from "../../secret.ts";
import { defaultUniverse, type GcpCluster } from "../cluster/cluster.ts";
import { exchangeAudience } from "../cluster/resource-names.ts";
import type { GcpServiceAccount } from "./service-account.ts";

/** The key of the Secret from which components read their credentials (cloud-credential-operator). */
export const secretFileKey = "service_account.json";

/**
 * The Secret of a request: a credential configuration with which Google's libraries exchange the component's token for a
 * token of its service account (google.aip.dev/auth/4117). The text is that of the in-cluster operator, byte for byte.
 */
export function credentialsSecret(cluster: GcpCluster, account: GcpServiceAccount): GeneratedObject {
  const text = prettyJson(credentialConfiguration(cluster, account));
  return secretOf(account.request, { [secretFileKey]: text }, cluster.secretEncoding);
}

function credentialConfiguration(cluster: GcpCluster, { email, request }: GcpServiceAccount): ValueMap {
  const { universeDomain } = cluster;
  return {
    type: "external_account",
    audience: exchangeAudience(cluster),
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `https://sts.${universeDomain}/v1/token`,
    service_account_impersonation_url: `https://iamcredentials.${universeDomain}/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
    credential_source: {
      file: request.tokenPath ?? cluster.tokenPath,
      format: { type: "text" },
    },
    ...(universeDomain === defaultUniverse ? {} : { universe_domain: universeDomain }),
  };
}
