import { optional, type PlatformQuestions } from "../questions.ts";
import { gcpNames } from "./cluster/cluster.ts";

export const gcpQuestions: PlatformQuestions = {
  ...gcpNames,
  identities: "service accounts",
  exchangeHelp: {
    exchange: "the exchange at the Security Token Service, and then the access to a service account",
    identity: "a service account, by name or email",
    identityFile: '"gcloud iam service-accounts get-iam-policy", with --identity EMAIL and only once',
    providerFile: '"gcloud iam workload-identity-pools providers describe"',
  },
  questions: [
    {
      flag: "project-id",
      value: "ID",
      text: "GCP project ID",
      asked: "GCP project ID",
      example: "my-project",
    },
    {
      flag: "project-number",
      value: "NUMBER",
      text: 'GCP project number; "gcloud projects describe ID" prints it',
      asked: "GCP project number (digits)",
      example: "123456789012",
    },
    {
      flag: "region",
      value: "REGION",
      text: 'on GCP: bucket location for --key-storage Bucket, "us" if omitted',
    },
    {
      flag: "key-storage",
      value: "WHERE",
      // An external issuer requires its URL in the configuration.
      choices: ["PoolJWKFile", "Bucket"],
      text: 'on GCP: where Google reads the public keys: in the provider (the default), or in a bucket as with "ccoctl gcp"',
    },
    {
      flag: "pool",
      value: "ID",
      text: "on GCP: ID of the workload identity pool, the cluster name if omitted",
    },
    {
      flag: "bucket",
      value: "NAME",
      text: 'on GCP: name of the bucket, which the issuer\'s URL contains even without a bucket; the cluster name and "-oidc" if omitted',
    },
  ],
  imported: [
    {
      flag: "key-storage",
      value: "WHERE",
      choices: ["Bucket", "PoolJWKFile", "External"],
      text: 'on GCP: where Google reads the public keys: in a bucket (as "ccoctl gcp" publishes them by default), in the provider, or at the issuer\'s URL',
      asked: "Where the public keys are: Bucket (the default of ccoctl), PoolJWKFile (in the provider), or External",
      example: "PoolJWKFile",
    },
  ],
  like: {
    own: [
      ["bucket"],
      ["pool"],
      ["provider"],
      ["overrides", "*", "serviceAccountID"],
      ["overrides", "*", "customRoleID"],
    ],
    together: ["project-id", "project-number"],
  },
  spec: (answers) => ({
    projectID: answers["project-id"] ?? "",
    projectNumber: answers["project-number"] ?? "",
    ...optional("region", answers["region"]),
    ...optional("keyStorage", answers["key-storage"]),
    ...optional("pool", answers["pool"]),
    ...optional("bucket", answers["bucket"]),
  }),
};
