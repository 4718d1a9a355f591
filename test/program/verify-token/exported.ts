import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { configure, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { keptTemporary, temporary } from "../../helpers/temporary.ts";
import type { Signer } from "../../helpers/token.ts";

const account = "123456789012";
export const host = "demo-oidc.s3.us-east-2.amazonaws.com";
export const roleName = "demo-openshift-ingress-operator-cloud-credentials";
export const roleArn = `arn:aws:iam::${account}:role/${roleName}`;
export const providerArn = `arn:aws:iam::${account}:oidc-provider/${host}`;
export const subject = "system:serviceaccount:openshift-ingress-operator:ingress-operator";

/** A package and its export, shared by tests, and the function that removes them. */
export interface Made {
  readonly pkg: string;
  readonly out: string;
  remove(): void;
}

/** Renders and exports a cluster that publishes these keys. */
export function exportedCluster(signers: readonly Signer[]): Made {
  const { directory, remove } = keptTemporary();
  const [pkg, out, key] = [join(directory, "package"), join(directory, "out"), join(directory, "key.pub")];
  writeFileSync(key, signers[0]?.publicPem ?? "");
  const place = ["--account-id", account, "--region", "us-east-2"];
  succeed(
    run([
      ...["init", pkg, "--platform", "aws", "--name", "demo", ...place],
      ...["--public-key-file", key, "--credentials-requests", sampleRequests],
    ]),
  );
  configure(pkg, (spec) => {
    (spec["issuer"] as Any).signingKeys = signers.map(({ publicPem }) => ({ publicKey: publicPem }));
  });
  succeed(run(["render", pkg]));
  succeed(run(["export", pkg, "--output-dir", out]));
  return { pkg, out, remove };
}

/** Writes a file that is removed when the test ends, and returns its path. */
export function fileOf(value: Any): string {
  const path = join(temporary(), "file");
  writeFileSync(path, typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value));
  return path;
}

export function exportedJson(out: string, path: string): Any {
  return JSON.parse(readFileSync(join(out, path), "utf8"));
}

/** A trust policy with these statements, each a modification of the rendered one. */
export function trust(...statements: readonly Any[]): Any {
  const usual = {
    Effect: "Allow",
    Principal: { Federated: providerArn },
    Action: "sts:AssumeRoleWithWebIdentity",
    Condition: { StringEquals: { [`${host}:sub`]: subject } },
  };
  return { Version: "2012-10-17", Statement: statements.map((statement) => ({ ...usual, ...statement })) };
}

/** The output of `aws iam get-role` for a role. */
export function getRole(policy: Any, arn = roleArn): Any {
  return { Role: { Arn: arn, RoleName: roleName, AssumeRolePolicyDocument: policy } };
}
