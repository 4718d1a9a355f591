import type { Remarks } from "../remarks.ts";

/** What is true only on this cloud. */
export const remarks: Remarks = {
  "assigned-id-invalid": {
    cure: "On Azure, it is the client ID of the managed identity, not the principal ID or the resource ID.",
  },
  "cluster-bundle-missing": {
    cure: "If others publish the issuer on Azure, set `spec.platform.azure.issuerHosting.type: External`.",
  },
  "documents-lost": { cause: "On Azure, the field is `spec.platform.azure.issuerHosting`." },
  "issuer-contradiction": {
    cure: "To publish elsewhere on Azure, set `spec.platform.azure.issuerHosting.type: External`.",
  },
  "secret-delegated": {
    cure: "On Azure, the cloud-credential-operator creates the Secret on OpenShift 4.14.8 and later.",
  },
  "signing-key-unsupported": { cause: "Microsoft Entra is tested only with RSA keys." },
  "template-unsupported": { cause: "Only Azure has an ARM template." },
  "too-many-signing-keys": { cause: "Microsoft Entra reads the first 100." },
};
