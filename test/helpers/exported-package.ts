import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { run } from "./ccf.ts";
import { awsOf, configure, type Fields, newPackage, sampleRequests, succeed } from "./cluster-package.ts";
import { keptTemporary } from "./temporary.ts";

/** Changes a ClusterIdentity's `spec`. */
export type Change = (spec: Fields) => void;

/** Two of the sample's three requests: what is true of one role and the next is true of the third. */
const twoRequests = ["10-registry.yaml", "20-ingress.yaml"];

/** The roles of the packages here, in their order. */
export const roles = [
  "demo-openshift-image-registry-installer-cloud-credentials",
  "demo-openshift-ingress-operator-cloud-credentials",
] as const;

export const account = "123456789012";
export const bucket = "demo-oidc";
export const ownerTag = "openshift.io/cloud-credential-operator/demo";
export const publicHost = `${bucket}.s3.us-east-2.amazonaws.com`;
export const ownDomain = "oidc.example.com";
export const certificate = `arn:aws:acm:us-east-1:${account}:certificate/one`;

export const providerArn = (host: string) => `arn:aws:iam::${account}:oidc-provider/${host}`;

/** A change of `spec.platform.aws`. */
export const withAws =
  (fields: Fields): Change =>
  (spec) =>
    void Object.assign(awsOf(spec), fields);

/** Documents in a public bucket, which is the default. */
export const s3Public: Change = () => undefined;
/** A private bucket before its distribution has a domain, and after. */
export const firstPhase = withAws({ issuerHosting: { type: "S3CloudFront" } });
export const cloudFront = (distributionDomain: string) =>
  withAws({ issuerHosting: { type: "S3CloudFront", distributionDomain } });
export const cloudFrontOwnDomain = withAws({
  issuerHosting: { type: "S3CloudFront", domain: ownDomain, certificateARN: certificate },
});

/** More changes, one after the other. */
export const all =
  (...changes: readonly Change[]): Change =>
  (spec) => {
    for (const change of changes) change(spec);
  };

const kept: ReturnType<typeof keptTemporary>[] = [];

/** A directory that stays until the tests of a file have ended. */
function keptDirectory(): string {
  const made = keptTemporary();
  kept.push(made);
  return made.directory;
}

afterAll(() => {
  for (const { remove } of kept.splice(0)) remove();
});

/** Makes a package with two roles, renders and exports it; the export's directory, for all tests of a file. */
export function exported(change: Change = s3Public, name = "demo"): string {
  const directory = keptDirectory();
  const requests = join(directory, "requests");
  for (const file of twoRequests) cpSync(join(sampleRequests, file), join(requests, file));
  const made = newPackage(requests, { name });
  configure(made, change);
  const out = join(directory, "out");
  exportTo(made, out);
  return out;
}

/** Renders a package and exports it. */
function exportTo(directory: string, out: string): void {
  succeed(run(["render", directory]));
  succeed(run(["export", directory, "--output-dir", out]));
}
