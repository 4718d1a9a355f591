import type { Cloud } from "../cloud.ts";

/** Google Cloud. Requests for it are compared; nothing is rendered for it yet. */
export const gcp: Cloud = { name: "gcp", title: "GCP", providerKind: "GCPProviderSpec" };
