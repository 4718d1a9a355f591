import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";
import { azureRoleIds } from "../../../src/generated/azure-role-ids.ts";
import { discoveryDocument } from "../../../src/oidc/issuer-url.ts";
import { isKeyProblem, readPublicKey } from "../../../src/oidc/public-key.ts";
import type { Seed } from "../../helpers/arm/types.ts";
import { sample } from "../../helpers/sample.ts";
import { objectsFile } from "./objects-file.ts";

/** The made-up release of the pages about Azure. */
export const azureRequests = fileURLToPath(
  new URL("../../../testdata/sample-cluster-azure/credentials-requests", import.meta.url),
);

const tenant = "55555555-6666-7777-8888-999999999999";
const subscription = "00000000-1111-2222-3333-444444444444";
const here = `/subscriptions/${subscription}`;
const ownerTag = { "openshift.io_cloud-credential-operator_demo": "owned" };

/** The subscription of the pages, which has nothing but a resource group of a user. */
export function emptySubscription(): Seed {
  return { tenant, subscription, groups: { [`${here}/resourceGroups/dns`]: {} } };
}

/** The issuer that `ccoctl azure create-all --name demo` creates. */
const issuerOfCcoctl = "https://demo.blob.core.windows.net/demo";

interface Request {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly secretRef: { readonly namespace: string; readonly name: string };
    readonly serviceAccountNames: readonly string[];
    readonly cloudTokenPath?: string;
    readonly providerSpec: {
      readonly permissions?: readonly string[];
      readonly dataPermissions?: readonly string[];
      readonly roleBindings?: readonly { readonly role: string }[];
    };
  };
}

/** A request with what Azure and `ccoctl azure create-all --name demo` chose at random. */
interface Assigned extends Request {
  readonly identityName: string;
  readonly clientId: string;
  readonly principalId: string;
  readonly roleId: string;
}

function requests(): Assigned[] {
  const names = ["10-registry.yaml", "20-ingress.yaml", "30-storage.yaml"];
  const read = names.flatMap((name) => loadAll(readFileSync(join(azureRequests, name), "utf8")) as Request[]);
  return read.map((request, index) => {
    const { namespace, name } = request.spec.secretRef;
    const id = (start: string) => `${start}-6b1f-4a55-9d0e-2c7f4e8a310${index}`;
    return {
      ...request,
      identityName: `demo-${namespace}-${name}`,
      clientId: id("c11e4700"),
      principalId: id("9a1c0000"),
      roleId: id("501e0000"),
    };
  });
}

/**
 * The subscription after `ccoctl azure create-all --name demo --region eastus` with the sample's requests and key. ccoctl
 * ignores exceptions from permissions.
 */
export function subscriptionOfCcoctl(): Seed {
  const all = requests();
  const group = (name: string) => `${here}/resourceGroups/${name}`;
  const assignments = all.flatMap(({ roleId, principalId, spec: { providerSpec } }, index) => {
    const builtIn = (providerSpec.roleBindings ?? []).map(({ role }) => azureRoleIds[role] ?? "");
    return [...builtIn, ...(isCustom(providerSpec) ? [roleId] : [])].map((role, place): [string, object] => {
      const guid = `a551940e-6b1f-4a55-9d0e-2c7f4e8a3${index}${place}0`;
      return [`${group("demo")}/providers/Microsoft.Authorization/roleAssignments/${guid}`, { role, principalId }];
    });
  });
  return {
    ...emptySubscription(),
    groups: { [group("demo-oidc")]: { tags: ownerTag }, [group("demo")]: { tags: ownerTag } },
    accounts: {
      demo: {
        tags: ownerTag,
        properties: {
          allowBlobPublicAccess: true,
          minimumTlsVersion: "TLS1_0",
          networkAcls: { bypass: "AzureServices", virtualNetworkRules: [], ipRules: [], defaultAction: "Allow" },
          supportsHttpsTrafficOnly: true,
        },
        containers: { demo: { publicAccess: "Container", blobs: documentsOfCcoctl() } },
      },
    },
    identities: Object.fromEntries(
      all.map(({ identityName, clientId, principalId, spec: { secretRef, serviceAccountNames } }) => [
        `${group("demo-oidc")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${identityName}`,
        {
          clientId,
          principalId,
          tags: ownerTag,
          credentials: Object.fromEntries(
            serviceAccountNames.map((name) => [
              name,
              {
                issuer: issuerOfCcoctl,
                subject: `system:serviceaccount:${secretRef.namespace}:${name}`,
                audiences: ["openshift"],
              },
            ]),
          ),
        },
      ]),
    ),
    definitions: Object.fromEntries(
      all
        .filter(({ spec }) => isCustom(spec.providerSpec))
        .map(({ identityName, roleId, spec: { providerSpec } }) => [
          roleId,
          {
            roleName: identityName,
            description: "Custom role for OpenShift. Owned by: demo",
            permissions: [{ actions: providerSpec.permissions ?? [], dataActions: providerSpec.dataPermissions ?? [] }],
          },
        ]),
    ),
    assignments: Object.fromEntries(assignments),
  };
}

function isCustom({ permissions, dataPermissions }: Request["spec"]["providerSpec"]): boolean {
  return permissions !== undefined || dataPermissions !== undefined;
}

function documentsOfCcoctl() {
  const key = readPublicKey(readFileSync(join(sample, "serviceaccount-signer.public"), "utf8"));
  if (isKeyProblem(key)) throw new Error(key.problem);
  const blob = (value: unknown) => ({
    body: JSON.stringify(value, undefined, "\t"),
    contentType: "application/octet-stream",
    changes: 1,
  });
  return {
    ".well-known/openid-configuration": blob(discoveryDocument(issuerOfCcoctl, ["RS256"], "openid/v1/jwks")),
    "openid/v1/jwks": blob({ keys: [key.jwk] }),
  };
}

/** The objects of the cluster whose subscription {@link subscriptionOfCcoctl} describes. */
export function azureClusterOfCcoctl(): string {
  const secrets = requests().map(({ clientId, spec: { secretRef, cloudTokenPath } }) => {
    const texts = {
      azure_client_id: clientId,
      azure_tenant_id: tenant,
      azure_region: "eastus",
      azure_subscription_id: subscription,
      azure_federated_token_file: cloudTokenPath ?? "/var/run/secrets/openshift/serviceaccount/token",
    };
    return [`${secretRef.namespace}/${secretRef.name}`, texts] as const;
  });
  return objectsFile({
    platform: "Azure",
    issuer: issuerOfCcoctl,
    requests: requests().map(({ identityName, clientId, principalId, roleId, ...request }) => request),
    secrets: Object.fromEntries(secrets),
    status: { cloudName: "AzurePublicCloud", resourceGroupName: "demo", networkResourceGroupName: "demo" },
  });
}
