import { type Any, identity, request } from "./cluster.ts";

/** The fields that a cluster on GCP requires. */
const gcpProject = { projectID: "my-project", projectNumber: "123456789012" } as const;

/** A ClusterIdentity for GCP; `gcp`, `spec` and `metadata` are merged into it. */
export function gcpConfig({ gcp = {}, spec = {}, metadata = {} }: { gcp?: Any; spec?: Any; metadata?: Any } = {}): Any {
  const config = identity({ spec, metadata });
  return { ...config, spec: { ...config.spec, platform: { gcp: { ...gcpProject, ...gcp } } } };
}

/** A ClusterIdentity for GCP with these fields in its issuer; `gcp` and `spec` are merged into it. */
export function withGcpIssuer(issuer: Any, gcp: Any = {}, spec: Any = {}): Any {
  return gcpConfig({ gcp, spec: { issuer: { ...identity().spec.issuer, ...issuer }, ...spec } });
}

/** A CredentialsRequest for GCP; `providerSpec`, `spec` and the rest are merged into it. */
export function gcpRequest(name: string, { providerSpec = {}, spec = {}, ...more }: Any = {}): Any {
  const provider = { kind: "GCPProviderSpec", predefinedRoles: ["roles/dns.admin"], ...providerSpec };
  return request(name, { spec: { providerSpec: provider, ...spec }, ...more });
}
