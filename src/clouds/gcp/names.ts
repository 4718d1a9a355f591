/** What the cloud is called. */
export const gcpNames = { name: "gcp", title: "GCP", providerKind: "GCPProviderSpec" } as const;
