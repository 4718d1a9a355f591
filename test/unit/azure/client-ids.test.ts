import { describe, expect, it } from "vitest";
import { configureOperators } from "../../../functions/configure-operators/function.ts";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generators } from "../../../functions/generators.ts";
import { azureConfig, azureRequest, azureSubscription, clientId, clientIds } from "../../helpers/azure-cluster.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  type Made,
  make,
  makeCredentials,
  makeIssuer,
  makeOperators,
  subscription,
} from "../../helpers/cluster.ts";

const field = "spec.platform.azure.identities";
const requests = [azureRequest("one"), azureRequest("two")];
const known = clientIds(["ns-one/credentials", "ns-two/credentials"]);
const said = ({ results }: Made) =>
  results.filter((each) => each.severity !== "info").map((each) => [each.tags.code, each.field?.path, each.message]);
const secrets = ({ objects }: Made) => Object.keys(objects).filter((path) => path.startsWith("manifests/"));

describe("a request whose client ID is not known yet", () => {
  it("gets everything but its Secret, and a warning that says how to get that", () => {
    const made = makeCredentials(azureConfig(), [...requests, clientIds(["ns-two/credentials"])]);
    expect(made.exitCode).toBe(0);
    expect(Object.keys(made.objects)).toEqual([
      "azure/identities/ns-one-credentials.yaml",
      "azure/identities/ns-two-credentials.yaml",
      "manifests/ns-two-credentials-credentials.yaml",
    ]);
    expect(expectFinding(made, "warning", "client-id-unknown")).toBe(
      'its managed identity has no client ID in the package yet, so its Secret is not generated. Apply the package with "ccf apply", which stores the ID and renders again.',
    );
    expect(made.results.find(({ tags }) => tags.code === "client-id-unknown").resourceRef).toMatchObject({
      kind: "CredentialsRequest",
      name: "one",
    });
  });

  it("has the same bundle before and after, but for the client ID", () => {
    const bundle = (items: readonly Any[]) =>
      makeCredentials(azureConfig(), items).bundle("azure/identities/ns-one-credentials.yaml");
    const secret = "ns-one/credentials";
    expect(bundle(requests)["identity.json"]).toEqual({ secret });
    const after = { ...bundle(requests), "identity.json": { secret, clientID: clientId(1) } };
    expect(bundle([...requests, known])).toEqual(after);
  });

  it("gets its Secret from an override, with or without the ConfigMap", () => {
    const overrides = { "ns-one/credentials": { clientID: clientId(1).toUpperCase() } };
    for (const items of [requests, [...requests, known]]) {
      const made = makeCredentials(azureConfig({ azure: { overrides } }), items);
      expect(made.exitCode).toBe(0);
      expect(made.objects["manifests/ns-one-credentials-credentials.yaml"].stringData.azure_client_id).toBe(
        clientId(1),
      );
    }
  });

  it("is of no concern to the function of the issuer", () => expectClean(makeIssuer(azureConfig(), requests)));
});

describe("client IDs that are wrong are an error in each function, and no Secret is generated", () => {
  const expected = { "azure-tenant": "tenantID", "azure-subscription": "subscriptionID" } as const;
  const ofAnnotation = (name: string, must: string, is: string) =>
    `the annotation "fn.cloudcredential.dev/${name}" of the ConfigMap "azure-identities" ${is}, but must be "${must}": the client IDs may belong to another cluster. If the package is a copy for another cluster, delete the ConfigMap, and render: Azure assigns new IDs when you apply the export. Otherwise, write the ConfigMap with "ccf set-identities".`;
  const id = "01234567-89ab-cdef-0123-456789abcdef";

  it.each<[string, Any, string]>([
    ...(["azure-tenant", "azure-subscription"] as const).flatMap((name): [string, Any, string][] => {
      const must = azureSubscription[expected[name]];
      const key = `fn.cloudcredential.dev/${name}`;
      return [
        [`of another ${name}`, { annotations: { [key]: id } }, ofAnnotation(name, must, `is "${id}"`)],
        [`without the ${name}`, { annotations: { [key]: undefined } }, ofAnnotation(name, must, "is missing")],
      ];
    }),
    [
      "of another prefix",
      { annotations: { "fn.cloudcredential.dev/resource-prefix": "other" } },
      ofAnnotation("resource-prefix", "demo", 'is "other"'),
    ],
    [
      "that are not UUIDs",
      { data: { "ns-two_credentials": "two" } },
      '"ns-two_credentials" in the ConfigMap "azure-identities" must be a client ID, a UUID. Write the ConfigMap with "ccf set-identities".',
    ],
    [
      "that are equal",
      { data: { "ns-two_credentials": clientId(1).toUpperCase() } },
      `the client ID "${clientId(1)}" belongs to both "ns-one/credentials" and "ns-two/credentials", but each request has its own managed identity; correct one.`,
    ],
    ...[
      ["the subscription", azureSubscription.subscriptionID, "the ID of the subscription"],
      ["the tenant", azureSubscription.tenantID.toUpperCase(), "the ID of the tenant"],
      ["nothing", "00000000-0000-0000-0000-000000000000", "not an ID: it contains only zeros"],
    ].map(([name = "", id = "", what]): [string, Any, string] => [
      `of ${name}`,
      { data: { "ns-two_credentials": id } },
      `the client ID of "ns-two/credentials" is "${id.toLowerCase()}", which is ${what}; write the client ID of its managed identity.`,
    ]),
  ])("%s", (_, changes, message) => {
    const items = [...requests, clientIds(["ns-one/credentials", "ns-two/credentials"], changes)];
    for (const made of [makeCredentials(azureConfig(), items), makeIssuer(azureConfig(), items)]) {
      expect(said(made)).toEqual([["client-ids-invalid", field, message]]);
      expect(made.exitCode).toBe(1);
      expect(made.objects).toEqual({});
    }
  });

  it("in two ConfigMaps of the name", () => {
    const made = makeCredentials(azureConfig(), [...requests, known, clientIds([])]);
    expect(expectFinding(made, "error", "client-ids-invalid")).toBe(
      'the ConfigMap "azure-identities" with the client IDs appears 2 times in the package; remove all but one.',
    );
  });

  it("if an override says something else", () => {
    const overrides = { "ns-one/credentials": { clientID: clientId(7) } };
    const made = makeCredentials(azureConfig({ azure: { overrides } }), [...requests, known]);
    expect(said(made)).toEqual([
      [
        "client-ids-invalid",
        "spec.platform.azure.overrides.ns-one/credentials",
        `"clientID" in "spec.platform.azure.overrides" for "ns-one/credentials" is "${clientId(7)}", but the ConfigMap "azure-identities" contains "${clientId(1)}"; remove the wrong one.`,
      ],
    ]);
  });

  it("if an override names the tenant", () => {
    const overrides = { "ns-one/credentials": { clientID: azureSubscription.tenantID } };
    const made = makeCredentials(azureConfig({ azure: { overrides } }), requests);
    expect(said(made)).toContainEqual([
      "client-ids-invalid",
      "spec.platform.azure.overrides.ns-one/credentials",
      `the client ID of "ns-one/credentials" is "${azureSubscription.tenantID}", which is the ID of the tenant; write the client ID of its managed identity.`,
    ]);
  });

  it("but not if their case or that of an annotation differs", () => {
    const annotations = { "fn.cloudcredential.dev/azure-tenant": azureSubscription.tenantID.toUpperCase() };
    expectClean(
      makeCredentials(azureConfig(), [
        ...requests,
        clientIds(["ns-one/credentials", "ns-two/credentials"], { annotations }),
      ]),
    );
  });

  it("and a generated object of that name is not read", () => {
    const generated = clientIds(["ns-one/credentials"], {
      annotations: { "fn.cloudcredential.dev/generated-by": "generate-cloud-credentials/other" },
    });
    const made = makeCredentials(azureConfig(), [azureRequest("one"), generated]);
    expectFinding(made, "warning", "client-id-unknown");
  });
});

describe("client IDs that are lost", () => {
  const first = make(generators, azureConfig(), [...requests, known]);
  const rendered = JSON.parse(first.stdout).items.slice(3);
  const message = (where: string) =>
    `the Secret "ns-one/credentials"${where} would be removed, because the ID that the cloud assigned to its identity is missing from the package. Restore the ID from Git, or store it again with "ccf set-identities".`;
  const path = ', rendered in "manifests/ns-one-credentials-credentials.yaml",';
  const misspelt = clientIds(["ns-oen/credentials", "ns-two/credentials"]);
  const allowed = azureConfig({ metadata: { annotations: { "fn.cloudcredential.dev/allow": "removal" } } });

  it("are an error for each Secret that was rendered, and nothing is removed", () => {
    expect(first.exitCode, first.stderr).toBe(0);
    for (const [ids, count] of [
      [[], 2],
      [[misspelt], 1],
    ] as const) {
      const items = [...requests, ...ids, ...rendered];
      const made = makeCredentials(azureConfig(), items);
      expect(made.exitCode).toBe(1);
      const lost = made.results.filter(({ tags }) => tags.code === "secret-lost");
      expect(lost.map(({ severity }) => severity)).toEqual(Array(count).fill("error"));
      expect(lost[0].message).toContain(message(path));
      expect(lost[0].message).toMatch(/add "--allow removal:[a-z-]+\/[a-z-]+" to "ccf render"/);
      expect(JSON.parse(made.stdout).items).toEqual(items);
    }
  });

  it("are an error also in objects without paths, as kustomize passes them", () => {
    const bare = rendered.map((item: Any) => {
      const kept = Object.entries(item.metadata.annotations).filter(([key]) => !key.includes("kubernetes.io/path"));
      const annotations = Object.fromEntries(kept);
      return { ...item, metadata: { ...item.metadata, annotations } };
    });
    const made = makeCredentials(azureConfig(), [...requests, misspelt, ...bare]);
    expect(expectFinding(made, "error", "secret-lost")).toContain(message(""));
  });

  it("are a warning if that is allowed, and the Secret is removed", () => {
    const made = makeCredentials(allowed, [...requests, misspelt, ...rendered]);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(expectFinding(made, "warning", "secret-lost")).toContain('This run allows it ("removal").');
    const left = JSON.parse(made.stdout).items.filter(
      ({ kind, metadata }: Any) => kind === "Secret" && metadata.namespace.startsWith("ns-"),
    );
    expect(left.map(({ metadata }: Any) => metadata.namespace)).toEqual(["ns-two"]);
  });

  it("are allowed by the name of the Secret, which is named only once", () => {
    const named = azureConfig({
      metadata: { annotations: { "fn.cloudcredential.dev/allow": "removal:ns-one/credentials" } },
    });
    const made = makeCredentials(named, [...requests, misspelt, ...rendered]);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(expectFinding(made, "warning", "secret-lost")).toContain("This run allows it by name.");
    expect(made.results.map(({ tags }) => tags.code)).not.toContain("object-lost");
    const both = makeCredentials(named, [...requests, ...rendered]).results;
    expect(both.flatMap(({ severity, tags }) => (tags.code === "secret-lost" ? [severity] : []))).toEqual([
      "error",
      "warning",
    ]);
  });

  it("are restored without a finding", () => {
    expectClean(makeCredentials(azureConfig(), [...requests, known, ...rendered]));
  });

  it("do not matter to a Secret that an override or the release removes", () => {
    const spec = { overrides: { "ns-one/credentials": { skip: true } } };
    const made = makeCredentials(azureConfig({ spec }), [...requests, misspelt, ...rendered]);
    expect(made.results.map(({ tags }) => tags.code)).not.toContain("secret-lost");
  });
});

describe("client IDs of OLM operators that are lost", () => {
  const emitting = azureConfig({ spec: { operators: { emitSecrets: true } } });
  const operator = [azureRequest("one"), subscription("any", "ns-one")];
  const ids = clientIds(["ns-one/credentials"]);

  it("are an error where the Secret is rendered", () => {
    const first = makeOperators(emitting, [...operator, ids]);
    expect(first.exitCode, first.stderr).toBe(0);
    expect(secrets(first)).toEqual(["manifests/ns-one-credentials-credentials.yaml"]);
    const items = [...operator, ...Object.values(first.objects)];
    const made = makeOperators(emitting, items);
    expectFinding(made, "error", "secret-lost");
    expect(JSON.parse(made.stdout).items).toEqual(items);
  });

  it("are a warning where it is not", () => {
    const made = makeOperators(emitting, operator);
    expect(made.exitCode).toBe(0);
    expectFinding(made, "warning", "client-id-unknown");
    expect(secrets(made)).toEqual([]);
  });

  it("are an error in the function whose Secret the operator takes over", () => {
    const first = makeCredentials(emitting, [azureRequest("one"), ids]);
    expect(first.exitCode).toBe(0);
    const items = [...operator, ...Object.values(first.objects)];
    expectFinding(make([generateCloudCredentials], emitting, items), "error", "secret-lost");
    const both = [generateCloudCredentials, configureOperators];
    const moved = make(both, emitting, [...operator, ids, ...Object.values(first.objects)]);
    expect(moved.exitCode, moved.stderr).toBe(0);
    const [secret] = JSON.parse(moved.stdout).items.filter(({ kind }: Any) => kind === "Secret");
    expect(secret.metadata.annotations["fn.cloudcredential.dev/generated-by"]).toBe("configure-operators/demo");
  });
});

it("a client ID that is not the one of the last rendering is a warning", () => {
  const first = make(generators, azureConfig(), [azureRequest("one"), clientIds(["ns-one/credentials"])]);
  const rendered = JSON.parse(first.stdout).items.slice(3);
  const made = makeCredentials(azureConfig(), [
    azureRequest("one"),
    clientIds(["ns-two/credentials", "ns-one/credentials"]),
    ...rendered,
  ]);
  expect(made.exitCode, made.stderr).toBe(0);
  expect(expectFinding(made, "warning", "client-id-changed")).toMatch(
    /^the client ID of "ns-one\/credentials" is "[0-9a-f-]{36}", but the package was rendered with "[0-9a-f-]{36}"\. /,
  );
  expectClean(makeCredentials(azureConfig(), [azureRequest("one"), clientIds(["ns-one/credentials"]), ...rendered]));
});

it("an output that is applied as a whole must contain every Secret", () => {
  const made = makeCredentials(azureConfig({ metadata: { annotations: { "config.kubernetes.io/function": "x" } } }), [
    azureRequest("one"),
  ]);
  expect(made.exitCode).toBe(1);
  expect(expectFinding(made, "error", "secret-lost")).toContain(
    'the Secret "ns-one/credentials" is missing from the output, because the package does not contain the ID',
  );
});
