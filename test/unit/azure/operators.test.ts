import { describe, expect, it } from "vitest";
import {
  azureIdentities,
  azureIdentity,
  azureRequest,
  azureSubscription,
  azureTenant,
  clientIdNumber,
} from "../../helpers/azure-requests.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  type Made,
  makeCredentials,
  makeOperators,
  subscription,
} from "../../helpers/cluster.ts";

const named = "fn.cloudcredential.dev/subscription";
const vars = "credentials.openshift.io/role-arns-vars";
const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";
const [idOne, idTwo, idOther] = [clientIdNumber(1), clientIdNumber(2), clientIdNumber(9)];
const ids = azureIdentities({ "ns-one_credentials": idOne, "ns-two_credentials": idTwo });

/** The objects of the list that were passed in, as they came out. */
const passed = ({ stdout }: Made, count: number): Any[] => JSON.parse(stdout).items.slice(0, count);
const envOf = (item: Any) => item.spec.config?.env;
const ofCluster = [
  { name: "TENANTID", value: azureTenant },
  { name: "SUBSCRIPTIONID", value: azureSubscription },
];

describe("an OLM operator on Azure", () => {
  it("is told its managed identity and the cluster in its Subscription and its request", () => {
    const made = makeOperators(azureIdentity(), [azureRequest("one"), subscription("any", "ns-one"), ids]);
    expectClean(made);
    const [request, changed, stored] = passed(made, 3);
    expect(envOf(changed)).toEqual([{ name: "CLIENTID", value: idOne }, ...ofCluster]);
    expect(changed.spec.installPlanApproval).toBe("Manual");
    expect(request.spec.cloudTokenPath).toBe(tokenPath);
    expect(request.spec.providerSpec).toEqual({
      kind: "AzureProviderSpec",
      roleBindings: [{ role: "Reader" }],
      azureClientID: idOne,
      azureTenantID: azureTenant,
      azureSubscriptionID: azureSubscription,
      azureRegion: "westeurope",
    });
    expect(stored).toEqual(ids);
    expect(Object.keys(made.objects)).toEqual(["azure/identities/ns-one-credentials.yaml"]);
  });

  it("keeps a token path, and gets the values of another cluster", () => {
    const request = azureRequest("one", { spec: { cloudTokenPath: "/own/token" } });
    const config = azureIdentity({
      azure: {
        tenantID: idOther.toUpperCase(),
        region: "usgovvirginia",
        cloud: "AzureUSGovernmentCloud",
        overrides: { "ns-one/credentials": { clientID: idTwo } },
      },
    });
    const made = makeOperators(config, [request, subscription("any", "ns-one")]);
    expectClean(made);
    const [changed, subscribed] = passed(made, 2);
    expect(changed.spec.cloudTokenPath).toBe("/own/token");
    expect(changed.spec.providerSpec).toMatchObject({
      azureClientID: idTwo,
      azureTenantID: idOther,
      azureRegion: "usgovvirginia",
    });
    expect(envOf(subscribed)).toContainEqual({ name: "CLIENTID", value: idTwo });
    expect(envOf(subscribed)).toContainEqual({ name: "TENANTID", value: idOther });
  });

  it("stays unchanged until Azure has assigned the client ID, because some of the fields make the operator fail", () => {
    const items = [azureRequest("one"), subscription("any", "ns-one")];
    const made = makeOperators(azureIdentity(), items);
    expect(expectFinding(made, "warning", "client-id-unknown")).toContain('"ccf apply"');
    expect(made.exitCode).toBe(0);
    expect(passed(made, 2)).toEqual(items);
    expect(Object.keys(made.objects)).toEqual(["azure/identities/ns-one-credentials.yaml"]);
    const withSecrets = azureIdentity({ spec: { operators: { emitSecrets: true } } });
    expect(Object.keys(makeOperators(withSecrets, items).objects)).toEqual([
      "azure/identities/ns-one-credentials.yaml",
    ]);
  });

  it("keeps what it was told where the client ID is lost", () => {
    const items = [azureRequest("one"), subscription("any", "ns-one")];
    const told = passed(makeOperators(azureIdentity(), [...items, ids]), 2);
    const made = makeOperators(azureIdentity(), told);
    expectFinding(made, "warning", "client-id-unknown");
    expect(passed(made, 2)).toEqual(told);
  });

  it("gets the Secret of the cloud-credential-operator if the config says so", () => {
    const config = azureIdentity({ spec: { operators: { emitSecrets: true } } });
    const made = makeOperators(config, [azureRequest("one"), subscription("any", "ns-one"), ids]);
    expectClean(made);
    expect(made.objects["manifests/ns-one-credentials-credentials.yaml"]).toMatchObject({
      kind: "Secret",
      type: "Opaque",
      metadata: { namespace: "ns-one", name: "credentials" },
      stringData: {
        azure_client_id: idOne,
        azure_federated_token_file: tokenPath,
        azure_region: "westeurope",
        azure_subscription_id: azureSubscription,
        azure_tenant_id: azureTenant,
      },
    });
  });

  it("is an error where its rendered Secret would be lost, which Azure creates from 4.14.8 on", () => {
    const config = azureIdentity({ spec: { operators: { emitSecrets: true } } });
    const items = [azureRequest("one"), subscription("any", "ns-one"), ids];
    const { objects } = makeOperators(config, items);
    const made = makeOperators(azureIdentity(), [...items, ...Object.values(objects)]);
    expect(expectFinding(made, "error", "secret-delegated")).toContain(
      "or to false if the cloud-credential-operator creates it (OpenShift 4.14.8 and later).",
    );
    const platform = makeCredentials(azureIdentity(), [azureRequest("one"), ids]);
    const delegated = makeCredentials(azureIdentity(), [...items, ...Object.values(platform.objects)]);
    expect(expectFinding(delegated, "error", "secret-delegated")).toContain("(OpenShift 4.14.8 and later)");
  });
});

describe("the variables of a Subscription on Azure", () => {
  const two = (annotations: Any = {}) =>
    azureRequest("two", { annotations: { [named]: "ns-one/any", ...annotations } });
  const items = (...requests: Any[]) => [azureRequest("one"), ...requests, subscription("any", "ns-one"), ids];
  const withEnv = (env: readonly Any[]) =>
    makeOperators(azureIdentity(), [
      azureRequest("one"),
      subscription("any", "ns-one", { spec: { config: { env } } }),
      ids,
    ]);

  it("are an error where two requests have different managed identities, not where both need the same tenant", () => {
    const made = makeOperators(azureIdentity(), items(two()));
    expect(expectFinding(made, "error", "variable-shared")).toBe(
      'CredentialsRequest "openshift-cloud-credential-operator/one" and CredentialsRequest "openshift-cloud-credential-operator/two" both use the variable "CLIENTID". In one of them, set the annotation "credentials.openshift.io/role-arns-vars" to the variable from which the operator reads that managed identity, or to an empty value if the operator gets the managed identity in another way.',
    );
  });

  it("are those of the annotation, which may list those of the cluster", () => {
    const made = makeOperators(azureIdentity(), items(two({ [vars]: "NODE_CLIENTID,TENANTID,SUBSCRIPTIONID" })));
    expectClean(made);
    expect(envOf(passed(made, 3)[2])).toEqual([
      { name: "CLIENTID", value: idOne },
      ...ofCluster,
      { name: "NODE_CLIENTID", value: idTwo },
    ]);
  });

  it("are none where the annotation is empty", () => {
    const alone = azureRequest("one", { annotations: { [vars]: "" } });
    const made = makeOperators(azureIdentity(), [alone, subscription("any", "ns-one"), ids]);
    expectClean(made);
    expect(envOf(passed(made, 2)[1])).toBeUndefined();
  });

  it("may be the one from which the SDK of Azure reads a managed identity", () => {
    const alone = azureRequest("one", { annotations: { [vars]: "AZURE_CLIENT_ID" } });
    const made = makeOperators(azureIdentity(), [alone, subscription("any", "ns-one"), ids]);
    expectClean(made);
    expect(envOf(passed(made, 2)[1])).toEqual([{ name: "AZURE_CLIENT_ID", value: idOne }, ...ofCluster]);
  });

  it.each([
    "AZURE_TENANT_ID",
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_AUTHORITY_HOST",
    "AZURE_CLIENT_SECRET",
    "AZURE_CLIENT_ID_X",
    "IDENTITY_ENDPOINT",
    "IDENTITY_HEADER",
    "MSI_ENDPOINT",
    "MSI_SECRET",
    "IMDS_ENDPOINT",
  ])("are an error where one is %s, which is for something else", (name) => {
    const alone = azureRequest("one", { annotations: { [vars]: name } });
    const made = makeOperators(azureIdentity(), [alone, subscription("any", "ns-one"), ids]);
    expect(expectFinding(made, "error", "variable-invalid")).toContain(
      `names "${name}", which programs and libraries use for another purpose; name the variable in which the operator expects its managed identity.`,
    );
  });

  it("are checked before the client ID is known", () => {
    const alone = azureRequest("one", { annotations: { [vars]: "AZURE_TENANT_ID" } });
    const made = makeOperators(azureIdentity(), [alone, subscription("any", "ns-one")]);
    expectFinding(made, "error", "variable-invalid");
  });

  it.each<[before: string, message: string]>([
    [idOther, `was "${idOther}"`],
    ["hunter2", "had another value"],
  ])("are replaced with a warning, which shows only IDs: %s", (value, was) => {
    expect(expectFinding(withEnv([{ name: "CLIENTID", value }]), "warning", "variable-replaced")).toBe(
      `the variable "CLIENTID" ${was}; it is now "${idOne}", the managed identity of its request.`,
    );
  });

  it.each([
    ["TENANTID", azureTenant, "tenant"],
    ["SUBSCRIPTIONID", azureSubscription, "subscription"],
  ])("say what each value is: %s", (name, value, what) => {
    expect(expectFinding(withEnv([{ name, value: idOther }]), "warning", "variable-replaced")).toBe(
      `the variable "${name}" was "${idOther}"; it is now "${value}", the ${what} of this cluster.`,
    );
  });

  it("are reported where no request uses them", () => {
    expect(expectFinding(withEnv([{ name: "OLD", value: idTwo.toUpperCase() }]), "warning", "variable-stale")).toBe(
      `the variable "OLD" names "${idTwo.toUpperCase()}", a managed identity of this cluster, but no request uses this variable. Remove the entry, or correct the request.`,
    );
  });

  it("warn of automatic updates in the cloud's words", () => {
    const config = azureIdentity({ spec: { operators: { installPlanApproval: "Automatic" } } });
    expect(expectFinding(makeOperators(config, items()), "warning", "install-plan-automatic")).toContain(
      "a new version may need permissions that its managed identity lacks.",
    );
  });
});

describe("the fields of a request on Azure", () => {
  const withProvider = (provider: Any) =>
    makeOperators(azureIdentity(), [azureRequest("one", { provider }), subscription("any", "ns-one"), ids]);

  it.each([
    { azureClientID: "${CLIENTID}", azureTenantID: "<tenant>" },
    { azureSubscriptionID: "" },
    { azureRegion: "<region>" },
    { azureRegion: "${AZURE_REGION}" },
  ])("may be placeholders: %j", (provider) => {
    const made = withProvider(provider);
    expectClean(made);
    expect(passed(made, 1)[0].spec.providerSpec).toMatchObject({ azureClientID: idOne, azureRegion: "westeurope" });
  });

  it("stay as they are where they differ only in case", () => {
    const provider = {
      azureClientID: idOne.toUpperCase(),
      azureTenantID: azureTenant,
      azureSubscriptionID: azureSubscription,
      azureRegion: "westeurope",
    };
    const made = withProvider(provider);
    expectClean(made);
    expect(passed(made, 1)[0].spec.providerSpec).toMatchObject(provider);
  });

  it.each([
    ["azureTenantID", idOther, azureTenant],
    ["azureSubscriptionID", idOther, azureSubscription],
    ["azureRegion", "northeurope", "westeurope"],
  ])("are replaced with a warning: %s", (field, before, after) => {
    const made = withProvider({ [field]: before });
    expect(expectFinding(made, "warning", "managed-identity-replaced")).toBe(
      `"spec.providerSpec.${field}" was "${before}" and is replaced with "${after}"; check which one is intended.`,
    );
    expect(passed(made, 1)[0].spec.providerSpec[field]).toBe(after);
  });

  it("must not name another identity, until the package was rendered", () => {
    const given = azureRequest("one", { provider: { azureClientID: idOther } });
    const items = [given, subscription("any", "ns-one"), ids];
    const made = makeOperators(azureIdentity(), items);
    expect(expectFinding(made, "error", "operator-role-differs")).toBe(
      `"spec.providerSpec.azureClientID" is "${idOther}", but the package generates "${idOne}" for this request, and only one of them can be in its Secret. Remove the value: the render writes the managed identity of the package there. If the managed identity in the request must stay and is not in the subscription of this package, set "skip" to true in its override.`,
    );
    // Azure assigns a new ID to an identity that is created again.
    const before = JSON.parse(withProvider({}).stdout).items.filter(({ kind }: Any) => kind !== "CredentialsRequest");
    const again = makeOperators(azureIdentity(), [given, ...before]);
    expectFinding(again, "warning", "operator-role-differs");
    expect(passed(again, 1)[0].spec.providerSpec.azureClientID).toBe(idOne);
  });

  it("are not compared with an ID that is not assigned yet", () => {
    const given = azureRequest("one", { provider: { azureClientID: idOther } });
    const made = makeOperators(azureIdentity(), [given, subscription("any", "ns-one")]);
    expect(expectFinding(made, "error", "operator-role-differs")).toContain("generates another managed identity for");
  });
});
