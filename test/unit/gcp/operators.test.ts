import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type Any,
  expectClean,
  expectFinding,
  type Made,
  makeCredentials,
  makeOperators,
  subscription,
} from "../../helpers/cluster.ts";
import { gcpIdentity, gcpRequest } from "../../helpers/gcp-requests.ts";

const audience =
  "//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/demo/providers/demo";
const named = "fn.cloudcredential.dev/subscription";
const vars = "credentials.openshift.io/role-arns-vars";
const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";

const letters = "abcdefghijklmnopqrstuvwxyz234567";
/** The email address of a Secret's service account, computed here once more. */
function emailOf(secret: string): string {
  const bits = [...createHash("sha256").update(`demo\n${secret}`).digest()].map((byte) =>
    byte.toString(2).padStart(8, "0"),
  );
  const hash = (bits.join("").slice(0, 35).match(/.{5}/g) ?? []).map((five) => letters[Number.parseInt(five, 2)]);
  const namespace = secret.split("/")[0]?.slice(0, 11).replace(/-+$/, "");
  return `demo-${namespace}-${hash.join("")}@demo-project.iam.gserviceaccount.com`;
}

const one = "ns-one/credentials";
const passed = ({ stdout }: Made, count: number): Any[] => JSON.parse(stdout).items.slice(0, count);
const envOf = (item: Any) => item.spec.config?.env;
const ofCluster = [
  { name: "AUDIENCE", value: audience },
  { name: "PROJECT_NUMBER", value: "123456789012" },
  { name: "POOL_ID", value: "demo" },
  { name: "PROVIDER_ID", value: "demo" },
];

describe("an OLM operator on GCP", () => {
  it("is told its service account and the provider in its Subscription and its request", () => {
    const made = makeOperators(gcpIdentity(), [gcpRequest("one"), subscription("any", "ns-one")]);
    expectClean(made);
    const [request, changed] = passed(made, 2);
    expect(envOf(changed)).toEqual([{ name: "SERVICE_ACCOUNT_EMAIL", value: emailOf(one) }, ...ofCluster]);
    expect(changed.spec.installPlanApproval).toBe("Manual");
    expect(request.spec.cloudTokenPath).toBe(tokenPath);
    expect(request.spec.providerSpec).toEqual({
      kind: "GCPProviderSpec",
      predefinedRoles: ["roles/dns.admin"],
      serviceAccountEmail: emailOf(one),
      audience,
    });
    expect(Object.keys(made.objects)).toEqual(["gcp/identities/ns-one-credentials.yaml"]);
  });

  it("keeps a token path, and gets the values of another pool and provider", () => {
    const request = gcpRequest("one", { spec: { cloudTokenPath: "/own/token" } });
    const config = gcpIdentity({ gcp: { pool: "shared-pool", provider: "shelf-provider" } });
    const made = makeOperators(config, [request, subscription("any", "ns-one")]);
    expectClean(made);
    const [changed, subscribed] = passed(made, 2);
    expect(changed.spec.cloudTokenPath).toBe("/own/token");
    expect(changed.spec.providerSpec.audience).toBe(
      audience.replace("demo/providers/demo", "shared-pool/providers/shelf-provider"),
    );
    expect(envOf(subscribed)).toContainEqual({ name: "POOL_ID", value: "shared-pool" });
    expect(envOf(subscribed)).toContainEqual({ name: "PROVIDER_ID", value: "shelf-provider" });
  });

  it("gets the Secret of the cloud-credential-operator if the config says so", () => {
    const config = gcpIdentity({ spec: { operators: { emitSecrets: true } } });
    const made = makeOperators(config, [gcpRequest("one"), subscription("any", "ns-one")]);
    expectClean(made);
    expect(made.objects["manifests/ns-one-credentials-credentials.yaml"]).toMatchObject({
      kind: "Secret",
      metadata: { namespace: "ns-one", name: "credentials" },
      stringData: {
        "service_account.json": `{
  "type": "external_account",
  "audience": "${audience}",
  "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
  "token_url": "https://sts.googleapis.com/v1/token",
  "service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${emailOf(one)}:generateAccessToken",
  "credential_source": {
    "file": "${tokenPath}",
    "format": {
      "type": "text"
    }
  }
}`,
      },
    });
  });

  it("is an error where its rendered Secret would be lost, which GCP creates from 4.17 on", () => {
    const config = gcpIdentity({ spec: { operators: { emitSecrets: true } } });
    const items = [gcpRequest("one"), subscription("any", "ns-one")];
    const { objects } = makeOperators(config, items);
    const made = makeOperators(gcpIdentity(), [...items, ...Object.values(objects)]);
    expect(expectFinding(made, "error", "secret-delegated")).toContain(
      "or to false if the cloud-credential-operator creates it (OpenShift 4.17 and later).",
    );
    const platform = makeCredentials(gcpIdentity(), [gcpRequest("one")]);
    const delegated = makeCredentials(gcpIdentity(), [...items, ...Object.values(platform.objects)]);
    expect(expectFinding(delegated, "error", "secret-delegated")).toContain("(OpenShift 4.17 and later)");
  });
});

describe("the variables of a Subscription on GCP", () => {
  const two = (annotations: Any = {}) => gcpRequest("two", { annotations: { [named]: "ns-one/any", ...annotations } });
  const items = (...requests: Any[]) => [gcpRequest("one"), ...requests, subscription("any", "ns-one")];

  it("are an error where two requests have different service accounts, not where both need the same audience", () => {
    const made = makeOperators(gcpIdentity(), items(two()));
    expect(expectFinding(made, "error", "variable-shared")).toBe(
      'CredentialsRequest "openshift-cloud-credential-operator/one" and CredentialsRequest "openshift-cloud-credential-operator/two" both use the variable "SERVICE_ACCOUNT_EMAIL". In one of them, set the annotation "credentials.openshift.io/role-arns-vars" to the variable from which the operator reads that service account, or to an empty value if the operator gets the service account in another way.',
    );
  });

  it("are those of the annotation, which may list those of the cluster", () => {
    const made = makeOperators(gcpIdentity(), items(two({ [vars]: "NODE_EMAIL,AUDIENCE,POOL_ID" })));
    expectClean(made);
    expect(envOf(passed(made, 3)[2])).toEqual([
      { name: "SERVICE_ACCOUNT_EMAIL", value: emailOf(one) },
      ...ofCluster,
      { name: "NODE_EMAIL", value: emailOf("ns-two/credentials") },
    ]);
  });

  it("are none where the annotation is empty", () => {
    const alone = gcpRequest("one", { annotations: { [vars]: "" } });
    const made = makeOperators(gcpIdentity(), [alone, subscription("any", "ns-one")]);
    expectClean(made);
    expect(envOf(passed(made, 2)[1])).toBeUndefined();
  });

  it.each(["GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CORE_PROJECT", "GCE_METADATA_HOST"])(
    "are an error where one is %s, which is for something else",
    (name) => {
      const alone = gcpRequest("one", { annotations: { [vars]: name } });
      const made = makeOperators(gcpIdentity(), [alone, subscription("any", "ns-one")]);
      expect(expectFinding(made, "error", "variable-invalid")).toContain(
        `names "${name}", which programs and libraries use for another purpose; name the variable in which the operator expects its service account.`,
      );
    },
  );

  it.each<[before: string, message: string]>([
    ["other@demo-project.iam.gserviceaccount.com", 'was "other@demo-project.iam.gserviceaccount.com"'],
    ["hunter2", "had another value"],
  ])("are replaced with a warning, which shows only names: %s", (value, was) => {
    const env = [{ name: "SERVICE_ACCOUNT_EMAIL", value }];
    const made = makeOperators(gcpIdentity(), [
      gcpRequest("one"),
      subscription("any", "ns-one", { spec: { config: { env } } }),
    ]);
    expect(expectFinding(made, "warning", "variable-replaced")).toBe(
      `the variable "SERVICE_ACCOUNT_EMAIL" ${was}; it is now "${emailOf(one)}", the service account of its request.`,
    );
  });

  it("say what each value is", () => {
    const env = [{ name: "AUDIENCE", value: "//iam.googleapis.com/other" }];
    const made = makeOperators(gcpIdentity(), [
      gcpRequest("one"),
      subscription("any", "ns-one", { spec: { config: { env } } }),
    ]);
    expect(expectFinding(made, "warning", "variable-replaced")).toBe(
      `the variable "AUDIENCE" was "//iam.googleapis.com/other"; it is now "${audience}", the provider of this cluster.`,
    );
  });

  it.each([
    ["a service account", emailOf("ns-gone/credentials")],
    ["the provider", audience],
  ])("are reported where no request uses them: %s", (what, value) => {
    const env = [{ name: "OLD", value }];
    const made = makeOperators(gcpIdentity(), [
      gcpRequest("one"),
      subscription("any", "ns-one", { spec: { config: { env } } }),
    ]);
    expect(expectFinding(made, "warning", "variable-stale")).toBe(
      `the variable "OLD" names "${value}", ${what} of this cluster, but no request uses this variable. Remove the entry, or correct the request.`,
    );
  });

  it("warn of automatic updates in the cloud's words", () => {
    const config = gcpIdentity({ spec: { operators: { installPlanApproval: "Automatic" } } });
    const made = makeOperators(config, items());
    expect(expectFinding(made, "warning", "install-plan-automatic")).toContain(
      "a new version may need permissions that its service account lacks.",
    );
  });
});

describe("the fields of a request on GCP", () => {
  const withProvider = (provider: Any) =>
    makeOperators(gcpIdentity(), [gcpRequest("one", { provider }), subscription("any", "ns-one")]);

  it.each([{ serviceAccountEmail: "${SERVICE_ACCOUNT_EMAIL}" }, { audience: "<audience>" }, { audience: "" }])(
    "may be placeholders: %j",
    (provider) => expectClean(withProvider(provider)),
  );

  it("must not name another service account", () => {
    const serviceAccountEmail = "other@demo-project.iam.gserviceaccount.com";
    expect(expectFinding(withProvider({ serviceAccountEmail }), "error", "operator-role-differs")).toContain(
      `but the package generates "${emailOf(one)}" for this request, and only one of them can be in its Secret. To use it, set "serviceAccountID" in "spec.platform.gcp.overrides" for "${one}" to "other". Otherwise, remove the value`,
    );
  });

  it("have another audience replaced, with a warning", () => {
    const before = `${audience}-old`;
    expect(expectFinding(withProvider({ audience: before }), "warning", "service-account-replaced")).toBe(
      `"spec.providerSpec.audience" was "${before}" and is replaced with "${audience}", which was generated for this request; check which one is intended.`,
    );
  });
});
