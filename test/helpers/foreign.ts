import type { Seed } from "./amazon/types.ts";
import { bucket } from "./exported-package.ts";

const others = [{ Key: "openshift.io/cloud-credential-operator/other", Value: "owned" }];
const trustPolicy = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: {} }],
};

/**
 * Resources of an account that are not the package's: without an owner tag, of another cluster, and of another account.
 * Nothing of it may ever change.
 */
export const foreign = {
  buckets: {
    "other-oidc": { tags: others },
    "demo-oidc-backup": { owner: "999999999999", open: true },
  },
  roles: {
    "demo-by-hand": { trustPolicy, inlinePolicies: { own: { Version: "2012-10-17", Statement: [] } } },
    "demo-of-other": { trustPolicy, tags: others },
    "other-role": { trustPolicy, tags: others },
  },
  providers: {
    "arn:aws:iam::123456789012:oidc-provider/issuer.example.com": {
      url: "issuer.example.com",
      clientIds: ["openshift"],
      tags: others,
    },
  },
  originAccessControls: {
    EFOREIGN: {
      config: {
        Name: "other-oidc",
        Description: "openshift.io/cloud-credential-operator/other",
        SigningProtocol: "sigv4",
        SigningBehavior: "always",
        OriginAccessControlOriginType: "s3",
      },
    },
  },
  distributions: { EOTHER: distribution("other-oidc"), ESAMEORIGIN: distribution(bucket) },
} satisfies Seed;

/** A distribution before a bucket, with the tags of another cluster. */
export function distribution(before: string) {
  return {
    tags: others,
    config: {
      CallerReference: `by hand ${before}`,
      Aliases: { Quantity: 0 },
      Comment: "",
      Enabled: true,
      Origins: {
        Quantity: 1,
        Items: [{ Id: "one", DomainName: `${before}.s3.us-east-2.amazonaws.com`, OriginAccessControlId: "" }],
      },
      DefaultCacheBehavior: { TargetOriginId: "one", ViewerProtocolPolicy: "allow-all", CachePolicyId: "any" },
    },
  };
}
