import type { Remarks } from "../remarks.ts";

/** What is true only on this cloud. */
export const remarks: Remarks = {
  "cluster-bundle-missing": {
    cure: "If others publish the issuer on AWS, set `spec.platform.aws.issuerHosting.type: External`.",
  },
  "documents-lost": { cause: "On AWS, the field is `spec.platform.aws.issuerHosting`." },
  "issuer-contradiction": {
    cure: "To publish elsewhere on AWS, set `spec.platform.aws.issuerHosting.type: External`.",
  },
  "variable-shared": { cure: "On AWS, the variable is `ROLEARN`." },
};
