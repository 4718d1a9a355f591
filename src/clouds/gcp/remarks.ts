import type { Remarks } from "../remarks.ts";

/** What is true only on this cloud. */
export const remarks: Remarks = {
  "cluster-bundle-missing": {
    cure: "If others publish the issuer on GCP, set `spec.platform.gcp.keyStorage: External`.",
  },
  "documents-lost": { cause: "On GCP, the field is `spec.platform.gcp.keyStorage`." },
  "issuer-contradiction": { cure: "To publish elsewhere on GCP, set `spec.platform.gcp.keyStorage: External`." },
  "export-of-another-cluster": { cause: "On GCP, the account is the project." },
  "secret-delegated": { cure: "On GCP, the cloud-credential-operator creates the Secret on OpenShift 4.17 and later." },
  "signing-key-unsupported": { cause: "Google Cloud accepts RSA keys and ECDSA keys on P-256." },
  "variable-shared": { cure: "On GCP, the variable is `SERVICE_ACCOUNT_EMAIL`." },
};
