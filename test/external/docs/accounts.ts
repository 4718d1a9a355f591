import { readFileSync } from "node:fs";
import { join } from "node:path";
import { discoveryDocument } from "../../../src/oidc/issuer-url.ts";
import { isKeyProblem, readPublicKey } from "../../../src/oidc/public-key.ts";
import type { Seed } from "../../helpers/amazon/types.ts";
import { awsRequests, ccoctl } from "../../helpers/ccoctl.ts";
import { sample } from "../../helpers/sample.ts";
import { objectsFile } from "./objects-file.ts";

/** An account with the managed policy that the pages name as permissions boundary, and nothing else. */
export function boundaryAlone(): Seed {
  return { policies: ["arn:aws:iam::123456789012:policy/boundary"] };
}

/** What `ccoctl aws create-all --name demo` left in the account, of the sample's requests and key. */
export function madeByCcoctl(): Seed {
  const flags = { name: "demo", region: "us-east-2", accountId: "123456789012" };
  const key = readPublicKey(readFileSync(join(sample, "serviceaccount-signer.public"), "utf8"));
  if (isKeyProblem(key)) throw new Error(key.problem);
  const tags = [
    { Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" },
    { Key: "Name", Value: "demo" },
  ];
  const host = "demo-oidc.s3.us-east-2.amazonaws.com";
  const object = (value: unknown) => ({
    body: `${JSON.stringify(value, undefined, "\t")}\n`,
    headers: {},
    metadata: {},
  });
  const everyone = { Version: "2012-10-17", Statement: [readByEveryone] };
  const made = [...awsRequests(join(sample, "credentials-requests")).entries()]
    .filter(([name]) => !name.includes("preview"))
    .map(([, request]) => ({ request, role: ccoctl(request, flags) }));
  return {
    ...boundaryAlone(),
    buckets: {
      "demo-oidc": {
        tags,
        policy: JSON.stringify(everyone),
        objects: {
          ".well-known/openid-configuration": object(discoveryDocument(`https://${host}`, ["RS256"])),
          "keys.json": object({ keys: [key.jwk] }),
        },
      },
    },
    providers: {
      [`arn:aws:iam::123456789012:oidc-provider/${host}`]: {
        url: host,
        clientIds: ["openshift", "sts.amazonaws.com"],
        thumbprints: ["A9D53002E97E00E043244F3D170D6F4C414104FD"],
        tags,
      },
    },
    roles: Object.fromEntries(
      made.map(({ request: { spec }, role }) => [
        role.roleName,
        {
          trustPolicy: role.trust,
          description: `OpenShift role for ${spec.secretRef.namespace}/${spec.secretRef.name}`,
          inlinePolicies: { [role.roleName]: role.permissions },
          tags,
        },
      ]),
    ),
  };
}

const readByEveryone = {
  Sid: "AllowReadPublicAccess",
  Principal: "*",
  Effect: "Allow",
  Action: ["s3:GetObject"],
  Resource: ["arn:aws:s3:::demo-oidc/*"],
};

/** The objects of the cluster whose account {@link madeByCcoctl} describes. */
export function clusterOfCcoctl(): string {
  const flags = { name: "demo", region: "us-east-2", accountId: "123456789012" };
  const requests = [...awsRequests(join(sample, "credentials-requests")).values()].filter(
    ({ spec }) => spec.secretRef.namespace !== "openshift-preview",
  );
  const secrets = requests.map((request) => {
    const { namespace, name } = request.spec.secretRef;
    return [`${namespace}/${name}`, { credentials: ccoctl(request, flags).credentials }] as const;
  });
  return objectsFile({
    platform: "AWS",
    issuer: "https://demo-oidc.s3.us-east-2.amazonaws.com",
    requests,
    secrets: Object.fromEntries(secrets),
    status: { region: flags.region },
  });
}
