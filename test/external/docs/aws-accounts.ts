import { readFileSync } from "node:fs";
import { join } from "node:path";
import { discoveryDocument } from "../../../src/oidc/issuer-url.ts";
import { isKeyProblem, readPublicKey } from "../../../src/oidc/public-key.ts";
import { awsRequests, ccoctl } from "../../helpers/ccoctl.ts";
import type { Any } from "../../helpers/cluster.ts";
import type { MadeUpAws } from "../../helpers/moto.ts";
import { sample } from "../../helpers/sample.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";
import { objectsFile } from "./objects-file.ts";

const flags = { name: "demo", region: "us-east-2", accountId: "123456789012" };
const host = "demo-oidc.s3.us-east-2.amazonaws.com";
const tags = [
  { Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" },
  { Key: "Name", Value: "demo" },
];

/** Creates the managed policy that the pages name as permissions boundary. */
export async function createBoundary(aws: MadeUpAws, name = "boundary"): Promise<void> {
  const document = { Version: "2012-10-17", Statement: { Effect: "Allow", Action: "*", Resource: "*" } };
  await aws.ok([
    ...["iam", "create-policy", "--policy-name", name],
    ...["--policy-document", JSON.stringify(document)],
  ]);
}

/** Creates what `ccoctl aws create-all --name demo` creates for the sample's requests and key. */
export async function createAsCcoctl(aws: MadeUpAws): Promise<void> {
  await createBucket(aws);
  const provider = ["--url", `https://${host}`, "--client-id-list", "openshift", "sts.amazonaws.com"];
  await aws.ok([
    ...["iam", "create-open-id-connect-provider", ...provider],
    ...["--thumbprint-list", "A9D53002E97E00E043244F3D170D6F4C414104FD", "--tags", JSON.stringify(tags)],
  ]);
  for (const request of requestsOfCluster()) {
    const { roleName, trust, permissions } = ccoctl(request, flags);
    const { namespace, name } = request.spec.secretRef;
    const role = ["--role-name", roleName];
    await aws.ok([
      ...[
        "iam",
        "create-role",
        ...role,
        "--assume-role-policy-document",
        JSON.stringify(trust),
        "--tags",
        JSON.stringify(tags),
      ],
      ...["--description", `OpenShift role for ${namespace}/${name}`],
    ]);
    const document = JSON.stringify(permissions);
    await aws.ok(["iam", "put-role-policy", ...role, "--policy-name", roleName, "--policy-document", document]);
  }
}

async function createBucket(aws: MadeUpAws): Promise<void> {
  const bucket = ["--bucket", "demo-oidc"];
  const everyone = { Version: "2012-10-17", Statement: [readByEveryone] };
  const s3 = (...args: string[]) => aws.ok(["s3api", ...args]);
  await s3("create-bucket", ...bucket, "--create-bucket-configuration", `LocationConstraint=${flags.region}`);
  await s3("put-bucket-tagging", ...bucket, "--tagging", JSON.stringify({ TagSet: tags }));
  await s3("delete-public-access-block", ...bucket);
  await s3("put-bucket-policy", ...bucket, "--policy", JSON.stringify(everyone));
  const key = readPublicKey(readFileSync(join(sample, "serviceaccount-signer.public"), "utf8"));
  if (isKeyProblem(key)) throw new Error(key.problem);
  const directory = temporary();
  const text = (value: unknown) => `${JSON.stringify(value, undefined, "\t")}\n`;
  const discovery = text(discoveryDocument(`https://${host}`, ["RS256"]));
  writeTree(directory, { discovery, keys: text({ keys: [key.jwk] }) });
  await s3(
    "put-object",
    ...bucket,
    "--key",
    ".well-known/openid-configuration",
    "--body",
    join(directory, "discovery"),
  );
  await s3("put-object", ...bucket, "--key", "keys.json", "--body", join(directory, "keys"));
}

const readByEveryone = {
  Sid: "AllowReadPublicAccess",
  Principal: "*",
  Effect: "Allow",
  Action: ["s3:GetObject"],
  Resource: ["arn:aws:s3:::demo-oidc/*"],
};

function requestsOfCluster() {
  const all = [...awsRequests(join(sample, "credentials-requests")).values()];
  return all.filter(({ spec }) => spec.secretRef.namespace !== "openshift-preview");
}

/** The objects of the cluster whose account {@link createAsCcoctl} creates. */
export function clusterOfCcoctl(): string {
  const requests = requestsOfCluster();
  const secrets = requests.map((request) => {
    const { namespace, name } = request.spec.secretRef;
    return [`${namespace}/${name}`, { credentials: ccoctl(request, flags).credentials }] as const;
  });
  return objectsFile({
    platform: "AWS",
    issuer: `https://${host}`,
    requests,
    secrets: Object.fromEntries(secrets),
    status: { region: flags.region },
  });
}

/** The users that the cloud-credential-operator creates in mint mode, for {@link clusterOfMint}. */
export async function createUsersOfMint(aws: MadeUpAws): Promise<void> {
  for (const { metadata } of requestsOfCluster() as Any[]) {
    const tag = { Key: "kubernetes.io/cluster/demo-x7k2p", Value: "owned" };
    const user = ["--user-name", `demo-x7k2p-${metadata.name}-abcde`];
    await aws.ok(["iam", "create-user", ...user, "--tags", JSON.stringify([tag])]);
    await aws.ok(["iam", "create-access-key", ...user]);
  }
}

/** The objects of a cluster in mint mode. */
export function clusterOfMint(): string {
  const requests = requestsOfCluster();
  const key = { aws_access_key_id: "an ID", aws_secret_access_key: "a secret" };
  const credentials = Object.entries(key).map(([name, value]) => `${name} = ${value}\n`);
  const secrets = requests.map(({ spec: { secretRef } }) => [
    `${secretRef.namespace}/${secretRef.name}`,
    { ...key, credentials: `[default]\n${credentials.join("")}` },
  ]);
  return objectsFile({
    platform: "AWS",
    issuer: undefined,
    requests,
    secrets: { ...Object.fromEntries(secrets), "kube-system/aws-creds": key },
    status: { region: flags.region },
    credentialsMode: "",
  });
}
