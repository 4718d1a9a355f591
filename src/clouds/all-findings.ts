import { awsCluster, awsIdentities, awsOperators, awsRemarks, awsRendered } from "./aws/findings.ts";
import { azureCluster, azureIdentities, azureOperators, azureRemarks, azureRendered } from "./azure/findings.ts";
import { explanations as clouds } from "./findings.ts";
import { gcpCluster, gcpIdentities, gcpOperators, gcpRemarks, gcpRendered } from "./gcp/findings.ts";

/** The findings of the clouds, by the headings of docs/reference/findings.md. */
export const cloudFindings = {
  "Every cloud": clouds,
  "AWS: cluster": awsCluster,
  "AWS: roles": { ...awsIdentities, ...awsRendered },
  "AWS: roles of OLM operators": awsOperators,
  "Azure: cluster": azureCluster,
  "Azure: managed identities": { ...azureIdentities, ...azureRendered },
  "Azure: managed identities of OLM operators": azureOperators,
  "GCP: cluster": gcpCluster,
  "GCP: service accounts": { ...gcpIdentities, ...gcpRendered },
  "GCP: service accounts of OLM operators": gcpOperators,
} as const;

/** What the clouds add to the findings of others. */
export const cloudRemarks = [awsRemarks, azureRemarks, gcpRemarks];
