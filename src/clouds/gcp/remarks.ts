import type { Remarks } from "../remarks.ts";

/** What is true only on this cloud. */
export const remarks: Remarks = {
  "cluster-bundle-missing": {
    cure: "If others publish the issuer, set `spec.platform.gcp.keyStorage: External`.",
  },
  "export-of-another-cluster": { cause: "On GCP, the account is the project." },
  "signing-key-unsupported": { cause: "Google Cloud accepts RSA keys and ECDSA keys on P-256." },
  "variable-shared": { cure: "On GCP, the variable is `SERVICE_ACCOUNT_EMAIL`." },
};
