import { messageFlags } from "../definition.ts";
import { fleetFlags } from "../fleet/flags.ts";

/*
 * What the commands that reach a cloud share.
 */

/** The packages or exports that a command applies or compares. */
export const targetsArgument = {
  name: "DIR",
  text: "rendered packages or exports (default: the current directory)",
  optional: true,
  many: true,
  path: "directory",
} as const;

export const adoptFlag = {
  value: "KIND/NAME",
  many: true,
  text: "adopt an existing resource that lacks the owner mark, by the kind and the name in the plan, or by its name if only one kind has it; what another prefix owns is never adopted; may be repeated",
} as const;

export const allowFlag = {
  value: "LIST",
  choices: ["replace-key", "replace-issuer"],
  many: true,
  text: "change an issuer that publishes only keys that are not in the package, or an identity that trusts only issuers that are not in the package, although they may be another cluster's; separated by commas",
} as const;

export const noFetchFlag = { text: "do not read documents without credentials, as the cloud does" } as const;

const credentials = "Credentials:";

/** Who makes the requests. */
export const accessFlags = {
  "assume-role": {
    value: "ROLE",
    text: "AWS: the role to assume, as a name in the account of each package, or as an ARN",
    group: credentials,
  },
  "external-id": { value: "ID", text: "AWS: the external ID that the role to assume requires", group: credentials },
  "impersonate-service-account": {
    value: "EMAIL",
    text: "Google Cloud: the service account to impersonate",
    group: credentials,
  },
} as const;

export const removeTagFlag = {
  value: "KEY",
  many: true,
  text: "remove a tag that you removed from the package, from every resource that it owns; may be repeated",
} as const;

/** For a command that changes something in the cloud. */
export const eachChangeFlag = { text: "also print a line for each change, and notes about the input" } as const;

/** For several packages. */
export const manyFlags = {
  jobs: {
    value: "N",
    fallback: "4",
    text: "how many packages are processed at the same time",
    group: "Several packages:",
  },
  ...messageFlags,
  ...fleetFlags,
} as const;

/** Help sections that the commands share. */
export const sections = {
  Credentials: [
    "AWS: environment variables, profiles, IAM Identity Center, web identity, or the instance's role;",
    "they must be for the package's account, or for one from which --assume-role reaches it",
    "Azure: environment variables, workload identity, managed identity, or az login, in this order;",
    "they must be for the package's tenant and subscription",
    "Google Cloud: Application Default Credentials, for example of gcloud auth application-default login;",
    "they must reach the package's project. Nothing is stored or printed",
  ],
  Environment: [
    "AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_IAM, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_CLOUDFRONT,",
    "AWS_ENDPOINT_URL_STS     the APIs of AWS, for private endpoints",
    "CCF_AZURE_ARM_ENDPOINT   Azure Resource Manager, for a private endpoint",
    "CCF_AZURE_BLOB_ENDPOINT  the blobs of the issuer's storage account, for a private endpoint;",
    "                         {storageAccount} in it stands for the account of each package",
    "CCF_GCP_IAM_ENDPOINT, CCF_GCP_RESOURCE_MANAGER_ENDPOINT, CCF_GCP_SERVICE_USAGE_ENDPOINT,",
    "CCF_GCP_STORAGE_ENDPOINT, CCF_GCP_IAM_CREDENTIALS_ENDPOINT (only with --impersonate-service-account)",
    "                         the APIs of Google Cloud, for private endpoints",
    "HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS",
  ],
} as const;
