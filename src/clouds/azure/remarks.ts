import type { Remarks } from "../remarks.ts";

/** What is true only on this cloud. */
export const remarks: Remarks = {
  "cluster-bundle-missing": {
    cure: "If others publish the issuer, set `spec.platform.azure.issuerHosting.type: External`.",
  },
  "signing-key-unsupported": { cause: "Microsoft Entra is tested only with RSA keys." },
  "template-unsupported": { cause: "Only Azure has an ARM template." },
  "too-many-signing-keys": { cause: "Microsoft Entra reads the first 100." },
};
