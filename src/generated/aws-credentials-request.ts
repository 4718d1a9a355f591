// Made from schemas/aws-credentials-request.schema.json by tools/generate.mjs. Do not edit.

/**
 * What is read of a CredentialsRequest (cloudcredential.openshift.io/v1) for AWS. The CustomResourceDefinition belongs to the cloud-credential-operator; fields that change no permission are let through.
 */
export interface AWSCredentialsRequest {
  metadata: RequestMetadata;
  spec: RequestSpec;
}
export interface RequestMetadata {
  name: string;
  [k: string]: unknown;
}
export interface RequestSpec {
  secretRef: SecretRef;
  serviceAccountNames?: string[] | null;
  cloudTokenPath?: string;
  providerSpec: AWSProviderSpec;
  [k: string]: unknown;
}
export interface SecretRef {
  name: string;
  namespace: string;
  [k: string]: unknown;
}
export interface AWSProviderSpec {
  /**
   * @minItems 1
   */
  statementEntries: [StatementEntry, ...StatementEntry[]];
  [k: string]: unknown;
}
export interface StatementEntry {
  effect: "Allow" | "Deny";
  /**
   * @minItems 1
   */
  action: [string, ...string[]];
  resource: string;
  policyCondition?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
}
