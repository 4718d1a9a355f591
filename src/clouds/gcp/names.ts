/** The names of the cloud. */
export const gcpNames = {
  name: "gcp",
  title: "GCP",
  providerKind: "GCPProviderSpec",
  accountNoun: "project",
  identityNoun: "service account",
} as const;

/** How comparisons name an identity of this cloud. */
export const gcpServiceAccount = { cloud: gcpNames.title, noun: gcpNames.identityNoun } as const;
