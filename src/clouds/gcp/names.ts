/** The names of the cloud. */
export const gcpNames = { name: "gcp", title: "GCP", providerKind: "GCPProviderSpec" } as const;
