import { describe, expect, it } from "vitest";
import { azureExchange } from "../../../src/clouds/azure/tokens/exchange.ts";
import { unknownIssuer } from "../../../src/clouds/rendered.ts";
import { readToken } from "../../../src/oidc/token.ts";
import {
  azureClaims,
  azureClient,
  azureExport,
  azureIdentities,
  azureIdentity,
  azureIdentityId,
  azureIssuer,
  azureShown,
  azureSubscription,
  azureTenant,
  azureTrusting,
  renderedAzure,
} from "../../helpers/azure-exchange.ts";
import type { Any } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { rsaSigner, tokenOf } from "../../helpers/token.ts";

const signer = rsaSigner();
const { files, manifests } = azureExport(azureIdentity([signer]));
const named = (name: string) => manifests.find(({ metadata }) => metadata.name === name);
const [secret, webhook] = [named("credentials"), named("azure-credentials")];
const authentication = manifests.find(({ kind }) => kind === "Authentication");
const all = [secret, webhook, authentication, azureIdentities()];
const other = "55555555-5555-4555-8555-555555555555";

const withTexts = (changes: Any): Any => ({ ...secret, stringData: { ...secret.stringData, ...changes } });

/** What differs in the manifests, for a token. */
function wrong(items: readonly Any[], { claims = {}, shown, isAlone = false }: Any = {}): string[] {
  const cluster = isAlone ? undefined : renderedAzure(files);
  const identity = azureTrusting({ files, items, shown });
  const { token } = readToken(tokenOf(signer, azureClaims(claims)), azureExchange.limits);
  const asked = { id: azureIdentityId, identity, issuer: unknownIssuer, cluster };
  return azureExchange
    .advise({ ...asked, items: items.map((value) => resourceOf(value)), token, ids: [azureIdentityId] })
    .filter(({ fits }) => !fits)
    .map(({ about, text }) => `${about}: ${text}`);
}

const differs = (name: string, has: string, must: string) =>
  `secret: in the Secret "ns-one/credentials", "${name}" is ${has}, but must be "${must}"; render again`;
const encoded = { ...secret, stringData: undefined, data: {} as Any };
for (const [name, text] of Object.entries<string>(secret.stringData))
  encoded.data[name] = Buffer.from(text).toString("base64");
const rest = [webhook, authentication, azureIdentities()];
const webhookName = '"openshift-cloud-credential-operator/azure-credentials"';

describe("what must fit beside the exchange", () => {
  it.each<[string, Any[], Any, string[]]>([
    ["everything fits", all, {}, []],
    ["data in place of stringData", [encoded, ...rest], {}, []],
    ["UUIDs in another case", [withTexts({ azure_client_id: azureClient.toUpperCase() }), ...rest], {}, []],
    ["without the package's facts", all, { isAlone: true }, []],
    [
      "no Secret",
      rest,
      {},
      [
        'secret: the Secret "ns-one/credentials" is missing: run `ccf apply`, which stores the client ID and renders the package',
      ],
    ],
    [
      "no Secret, without the package's facts",
      rest,
      { isAlone: true },
      ["secret: no Secret contains the client ID of the managed identity"],
    ],
    [
      "another client ID",
      [withTexts({ azure_client_id: other }), ...rest],
      {},
      [differs("azure_client_id", `"${other}"`, azureClient)],
    ],
    [
      "values of another form, which are not shown",
      [withTexts({ azure_client_id: "hunter2", azure_region: "hunter2!" }), ...rest],
      {},
      [
        differs("azure_client_id", "(a value that is not shown)", azureClient),
        differs("azure_region", "(a value that is not shown)", "westeurope"),
      ],
    ],
    [
      "no client ID",
      [withTexts({ azure_client_id: undefined }), ...rest],
      {},
      [differs("azure_client_id", "missing", azureClient)],
    ],
    [
      "an identity that was created again",
      all,
      { shown: azureShown({ clientId: other }) },
      [differs("azure_client_id", `"${azureClient}"`, other)],
    ],
    [
      "another tenant, subscription and region",
      [withTexts({ azure_tenant_id: other, azure_subscription_id: other, azure_region: "eastus" }), ...rest],
      {},
      [
        differs("azure_tenant_id", `"${other}"`, azureTenant),
        differs("azure_subscription_id", `"${other}"`, azureSubscription),
        differs("azure_region", '"eastus"', "westeurope"),
      ],
    ],
    [
      "another token file",
      [withTexts({ azure_federated_token_file: "/x" }), ...rest],
      {},
      [
        'token file: "azure_federated_token_file" is "/x", but the pod mounts its token at "/var/run/secrets/openshift/serviceaccount/token"',
      ],
    ],
    [
      "another namespace",
      all,
      { claims: { sub: "system:serviceaccount:other:one-operator" } },
      [
        'namespace: the Secret "ns-one/credentials" is not in the subject\'s namespace "other", where its pod looks for it',
      ],
    ],
    [
      "a Secret of no identity",
      [...all, { ...secret, metadata: { ...secret.metadata, namespace: "gone" } }],
      {},
      ['secret: the Secret "gone/credentials" belongs to no managed identity of the package; render again'],
    ],
    [
      "no webhook Secret",
      [secret, authentication, azureIdentities()],
      {},
      [
        `webhook: the Secret ${webhookName} is missing, so the cloud-credential-operator does not deploy the webhook that gives pods their tokens; render again`,
      ],
    ],
    [
      "a webhook Secret of another tenant",
      [secret, { ...webhook, stringData: { azure_tenant_id: other } }, authentication, azureIdentities()],
      {},
      [
        `webhook: in the Secret ${webhookName}, "azure_tenant_id" is "${other}", but must be "${azureTenant}"; render again`,
      ],
    ],
    [
      "another issuer",
      all,
      { claims: { iss: "https://x.example" } },
      [`authentication: the Authentication names "${azureIssuer}", but the token's issuer is "https://x.example"`],
    ],
  ])("%s", (_, items, options, expected) => {
    expect(wrong(items, options)).toEqual(expected);
  });
});

describe("the command that asks Microsoft Entra", () => {
  const asked = { id: azureIdentityId, issuer: unknownIssuer };
  const word = (text: string) => `<${text}>`;

  it("names the cloud, and quotes what comes from files", () => {
    const cluster: Any = { cliCloud: "AzureUSGovernment" };
    const identity = azureTrusting({ files, items: all });
    expect(azureExchange.command({ ...asked, identity, cluster }, "a b", word)).toBe(
      `(AZURE_CONFIG_DIR=$(mktemp -d) && export AZURE_CONFIG_DIR && trap 'rm -rf "$AZURE_CONFIG_DIR"' EXIT && az cloud set --name <AzureUSGovernment> && az login --service-principal -u <${azureClient}> -t <${azureTenant}> --allow-no-subscriptions --federated-token "$(cat <a b>)" --output none && echo accepted)`,
    );
  });

  it("has placeholders for what is unknown", () => {
    const command = azureExchange.command({ ...asked, cluster: undefined }, "token", word);
    expect(command).toContain(" -u <CLIENT_ID> -t <TENANT_ID> ");
    expect(command).not.toContain("az cloud set");
  });
});
