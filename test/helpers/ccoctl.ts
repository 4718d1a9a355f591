import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";

/*
 * What `ccoctl aws create-all` (cloud-credential-operator, pkg/cmd/provisioning/aws) makes of a CredentialsRequest, written
 * down a second time and without this project's code, so that the two can be held against each other.
 */

/** As much of a CredentialsRequest as ccoctl reads. */
export interface Request {
  readonly kind: string;
  readonly spec: {
    readonly secretRef: { readonly namespace: string; readonly name: string };
    readonly serviceAccountNames: readonly string[];
    readonly cloudTokenPath?: string;
    readonly providerSpec: { readonly kind: string; readonly statementEntries: readonly Entry[] };
  };
}

interface Entry {
  readonly effect: string;
  readonly action: readonly string[];
  readonly resource: string;
  readonly policyCondition?: unknown;
}

/** The requests for AWS below a directory, by `<secret namespace>-<secret name>`. */
export function awsRequests(directory: string): Map<string, Request> {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) => /\.ya?ml$/.test(path));
  const documents = paths.flatMap((path) => loadAll(readFileSync(join(directory, path), "utf8")) as (Request | null)[]);
  const requests = documents.filter(
    (document) => document?.kind === "CredentialsRequest" && document.spec?.providerSpec?.kind === "AWSProviderSpec",
  ) as Request[];
  return new Map(
    requests.map((request) => [`${request.spec.secretRef.namespace}-${request.spec.secretRef.name}`, request]),
  );
}

/** The cluster, as ccoctl's flags name it. */
export interface Flags {
  readonly name: string;
  readonly region: string;
  readonly accountId: string;
}

/** What ccoctl makes of one request. Lists stay lists, also where they hold one value. */
export interface Made {
  readonly roleName: string;
  readonly credentials: string;
  readonly trust: unknown;
  readonly permissions: unknown;
  readonly tags: unknown;
}

export function ccoctl({ spec }: Request, { name, region, accountId }: Flags): Made {
  const { namespace, name: secret } = spec.secretRef;
  const roleName = `${name}-${namespace}-${secret}`.substring(0, 64);
  const issuer = `${name}-oidc.s3.${region}.amazonaws.com`;
  const token = spec.cloudTokenPath ?? "/var/run/secrets/openshift/serviceaccount/token";
  const subjects = spec.serviceAccountNames.map((account) => `system:serviceaccount:${namespace}:${account}`);
  return {
    roleName,
    credentials: `[default]
sts_regional_endpoints = regional
role_arn = arn:aws:iam::${accountId}:role/${roleName}
web_identity_token_file = ${token}`,
    trust: {
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Federated: `arn:aws:iam::${accountId}:oidc-provider/${issuer}` },
          Action: ["sts:AssumeRoleWithWebIdentity"],
          Condition: { StringEquals: { [`${issuer}:sub`]: subjects } },
        },
      ],
    },
    permissions: {
      Version: "2012-10-17",
      Statement: spec.providerSpec.statementEntries.map(({ effect, action, resource, policyCondition }) => ({
        Effect: effect,
        Action: action,
        Resource: resource,
        ...(policyCondition === undefined ? {} : { Condition: policyCondition }),
      })),
    },
    tags: [
      { Key: `openshift.io/cloud-credential-operator/${name}`, Value: "owned" },
      { Key: "Name", Value: name },
    ],
  };
}

/** A policy with lists where IAM takes one value for a list of one: the actions, and the subjects of a trust policy. */
export function withLists(policy: string): unknown {
  return JSON.parse(policy, (key, value: unknown) =>
    (key === "Action" || key.endsWith(":sub")) && typeof value === "string" ? [value] : value,
  );
}

/** The ID that ccoctl and the Kubernetes API server give a public key: the hash of the data between the PEM lines. */
export function keyId(pem: string): string {
  const der = Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
  return createHash("sha256").update(der).digest("base64").replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
