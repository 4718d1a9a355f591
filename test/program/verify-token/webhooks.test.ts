import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { azureTenant, clientIdNumber } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { claimsOf, now, rsaSigner, tokenOf } from "../../helpers/token.ts";
import { mutated, webhooks } from "../../helpers/webhooks.ts";
import { type CloudName, cloudNames, workloadPackages } from "../../helpers/workload-package.ts";

const signer = rsaSigner();
let made: ReturnType<typeof workloadPackages>;
beforeAll(() => {
  made = workloadPackages({ spec: { issuer: { signingKeys: [{ publicKey: signer.publicPem }] } } });
});
afterAll(() => made.remove());

const objectOf = (cloud: CloudName, path: string): Any => load(readFileSync(join(made.packages[cloud], path), "utf8"));
const issuerOf = (cloud: CloudName): string =>
  objectOf(cloud, "manifests/cluster-authentication-02-config.yaml").spec.serviceAccountIssuer;
/** The ServiceAccount that a webhook reads: the generated one, or the team's own with the patch. */
const accounts = {
  cart: "manifests/shop-cart-serviceaccount.yaml",
  "cart-jobs": "manifests/shop-cart-jobs-serviceaccount.yaml",
  queue: "patches/shop-queue.yaml",
} as const;
const podLabels = { "azure.workload.identity/use": "true" };

/** What the cloud would answer to a token of a service account. */
function answer(cloud: CloudName, name: string, audience: string, workload = name): number | null {
  const times = { iat: now - 10, nbf: now - 10, exp: now + webhooks[cloud].expiration.least };
  const claims = claimsOf({
    iss: issuerOf(cloud),
    sub: `system:serviceaccount:shop:${name}`,
    aud: [audience],
    ...times,
  });
  const identity = identityOf(cloud, workload);
  const args = ["verify-token", "--token", "-", "--time", String(now), "--package", made.packages[cloud]];
  return run([...args, "--identity", identity], { input: tokenOf(signer, claims) }).status;
}

function identityOf(cloud: CloudName, workload: string): string {
  if (cloud !== "gcp") return `demo-shop-${workload}`;
  return JSON.parse(objectOf(cloud, `gcp/identities/shop-${workload}.yaml`).data["service-account.json"]).email;
}

describe.each(cloudNames)("the webhook on %s", (cloud) => {
  const webhook = webhooks[cloud];

  it("knows every annotation of the ServiceAccounts, and gets those that it needs", () => {
    for (const path of Object.values(accounts)) {
      const { annotations } = objectOf(cloud, path).metadata;
      const own = Object.keys(annotations).filter(
        (name) => !/^(?:fn\.cloudcredential\.dev|argocd\.argoproj\.io)\//.test(name),
      );
      expect(webhook.annotations).toEqual(expect.arrayContaining(own));
      expect(own).toEqual(expect.arrayContaining([...webhook.required]));
    }
  });

  it.each(Object.entries(accounts))("gives a pod of %s a token that the cloud accepts", (name, path) => {
    const pod = mutated(webhook, objectOf(cloud, path), podLabels);
    const workload = name.replace("-jobs", "");
    expect(answer(cloud, name, pod?.audience ?? "", workload)).toBe(0);
    // Another audience, another service account, another workload.
    expect(answer(cloud, name, "other", workload)).toBe(2);
    expect(answer(cloud, "other", pod?.audience ?? "", workload)).toBe(2);
    expect(answer(cloud, name, pod?.audience ?? "", "legacy")).toBe(2);
  });

  it("accepts no token of a component for a workload whose pods have the webhook's", () => {
    const own = mutated(webhook, objectOf(cloud, accounts.cart), podLabels)?.audience;
    expect(answer(cloud, "cart", "openshift")).toBe(own === "openshift" ? 0 : 2);
  });

  it("is not needed with a Secret: the pod mounts a token for the components' audience", () => {
    expect(answer(cloud, "legacy", "openshift")).toBe(0);
    expect(answer(cloud, "legacy", "other")).toBe(2);
  });
});

describe("what a pod sees", () => {
  const seen = (cloud: CloudName, labels: Any = podLabels) =>
    mutated(webhooks[cloud], objectOf(cloud, accounts.cart), labels);

  it("on AWS is its role, and the endpoint of its region", () => {
    expect(seen("aws")).toEqual({
      variables: {
        AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/demo-shop-cart",
        AWS_WEB_IDENTITY_TOKEN_FILE: "/var/run/secrets/eks.amazonaws.com/serviceaccount/token",
        AWS_STS_REGIONAL_ENDPOINTS: "regional",
      },
      audience: "sts.amazonaws.com",
    });
  });

  it("on GCP is a configuration that needs no other image, and a token that the provider accepts", () => {
    const { annotations } = objectOf("gcp", accounts.cart).metadata;
    expect(annotations["cloud.google.com/workload-identity-provider"]).toBe(
      "projects/123456789012/locations/global/workloadIdentityPools/demo/providers/demo",
    );
    expect(annotations["cloud.google.com/service-account-email"]).toBe(identityOf("gcp", "cart"));
    expect(seen("gcp")).toEqual({
      variables: { GOOGLE_APPLICATION_CREDENTIALS: "/var/run/secrets/workload-identity/federation.json" },
      audience: "openshift",
    });
    // Without the annotation, the webhook asks for an audience that the provider refuses.
    expect(answer("gcp", "cart", webhooks.gcp.audience)).toBe(2);
  });

  it("on Azure is its client ID, and nothing without the label", () => {
    expect(seen("azure")?.variables).toMatchObject({
      AZURE_CLIENT_ID: clientIdNumber(2),
      AZURE_TENANT_ID: azureTenant,
      AZURE_FEDERATED_TOKEN_FILE: "/var/run/secrets/azure/tokens/azure-identity-token",
    });
    expect(seen("azure", {})).toBeUndefined();
  });
});
