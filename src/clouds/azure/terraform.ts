import { textAt, type ValueMap, valueAt } from "../../core/resource.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import {
  addressOf,
  attributeOf,
  contentOf,
  Expression,
  fieldsOf,
  labelOf,
  md5Of,
  type TerraformBody,
  type TerraformMapping,
  type TerraformResource,
  textsAt,
} from "../terraform.ts";
import { clientIdKey } from "./cluster/client-ids.ts";
import { subscriptionOf } from "./cluster/resource-names.ts";
import {
  type AzureClusterFile,
  azureResources,
  builtInRoleName,
  kinds,
  nameOf,
  scopeOf,
  terraformOutput,
} from "./resources.ts";

/** The versions of the provider that have the attributes below. Version 5 names the parent of a federated credential otherwise. */
const provider = { name: "azurerm", source: "hashicorp/azurerm", version: ">= 4.55.0, < 5.0.0" } as const;

/** The resources of a package for Azure, for the provider azurerm. */
export const azureTerraform: TerraformMapping = (files) => {
  const { facts, wanted } = azureResources(files);
  const labels = new Labels(wanted);
  const resources: TerraformResource[] = [];
  for (const one of wanted) resources.push(resourceOf(one, facts, labels, resources));
  const identities = resources.filter(({ type }) => type === types[kinds.identity]);
  const clientIds = identities.map((one) => [
    clientIdKey(textAt(one.wanted.assigned ?? {}, ["secret"])),
    attributeOf(one, "client_id"),
  ]);
  return {
    provider,
    wanted,
    resources,
    data: { azurerm_client_config: {} },
    account: accountOf(facts),
    outputs: {
      issuer_url: { description: "The URL of the issuer.", value: facts.issuer },
      [terraformOutput]: {
        description: "The client IDs, for ccf set-identities.",
        value: Object.fromEntries(clientIds),
      },
    },
  };
};

function accountOf({ subscriptionID, tenantID }: AzureClusterFile) {
  const config = "data.azurerm_client_config.current";
  const [subscription, tenant] = [subscriptionID, tenantID].map((id) => JSON.stringify(id.toLowerCase()));
  return {
    condition: new Expression(
      `lower(${config}.subscription_id) == ${subscription} && lower(${config}.tenant_id) == ${tenant}`,
    ),
    message: `The package is for the subscription ${subscriptionID} in the tenant ${tenantID}. Configure the provider for them.`,
  };
}

const types: Readonly<Record<string, string>> = {
  [kinds.group]: "azurerm_resource_group",
  [kinds.account]: "azurerm_storage_account",
  [kinds.container]: "azurerm_storage_container",
  [kinds.document]: "azurerm_storage_blob",
  [kinds.role]: "azurerm_role_definition",
  [kinds.identity]: "azurerm_user_assigned_identity",
  [kinds.credential]: "azurerm_federated_identity_credential",
  [kinds.assignment]: "azurerm_role_assignment",
};

/** The names of resources in the module, by the Secrets of the identities that they belong to. */
class Labels {
  readonly #secrets: ReadonlyMap<string, string>;

  constructor(wanted: readonly WantedResource[]) {
    this.#secrets = new Map(wanted.map(({ id, assigned = {} }) => [id, textAt(assigned, ["secret"])]));
  }

  /** @param parts what distinguishes resources of one type and one identity. */
  of({ id, part = "" }: WantedResource, ...parts: readonly string[]): string {
    return labelOf(this.#secrets.get(part) ?? this.#secrets.get(id) ?? "", ...parts);
  }
}

function resourceOf(
  wanted: WantedResource,
  facts: AzureClusterFile,
  labels: Labels,
  before: readonly TerraformResource[],
): TerraformResource {
  const type = types[wanted.kind];
  const map = mappings[wanted.kind];
  if (type === undefined || map === undefined) throw new Error(`no Terraform resource for a ${wanted.kind}`);
  return { type, wanted, ...map(wanted, facts, labels, before) };
}

type Mapped = Omit<TerraformResource, "type" | "wanted">;
type Mapping = (
  wanted: WantedResource,
  facts: AzureClusterFile,
  labels: Labels,
  before: readonly TerraformResource[],
) => Mapped;

const mappings: Readonly<Record<string, Mapping>> = {
  [kinds.group]: ({ id, body, kept }) => ({
    ...{ label: kept === undefined ? "identities" : "cluster", file: "issuer", importId: id, isProtected: true },
    body: { name: nameOf(id), ...fieldsOf(body, "location", "tags") },
    // As in the engine, an existing group is used as it is: others tag it, too.
    ignored: ["location", "tags"],
  }),
  [kinds.account]: ({ id, body }) => ({
    ...{ label: "issuer", file: "issuer", importId: id, isProtected: true },
    body: accountBody(id, body),
  }),
  [kinds.container]: ({ id, body }) => ({
    ...{ label: "issuer", file: "issuer", importId: id, isProtected: true },
    body: {
      name: nameOf(id),
      storage_account_id: id.replace(/\/blobServices\/.*$/, ""),
      container_access_type: textAt(body, ["properties", "publicAccess"]).toLowerCase(),
    },
  }),
  // Another content replaces a blob, which "prevent_destroy" would prevent.
  [kinds.document]: ({ id, body, name, source = "" }, { storageAccount = "", container = "" }) => ({
    ...{ label: nameOf(source).replace(/\.json$/, ""), file: "issuer", importId: id },
    body: {
      ...{ name, storage_account_name: storageAccount, storage_container_name: container, type: "Block" },
      content_type: textAt(body, ["contentType"]),
      source_content: contentOf(source),
      content_md5: md5Of(source),
    },
  }),
  [kinds.role]: (wanted, _, labels) => ({
    ...{ label: labels.of(wanted), file: "identities", importId: `${wanted.id}|${subscriptionOf(wanted.id)}` },
    body: roleBody(wanted),
  }),
  [kinds.identity]: (wanted, _, labels) => ({
    ...{ label: labels.of(wanted), file: "identities", importId: wanted.id },
    body: {
      name: nameOf(wanted.id),
      resource_group_name: groupOf(wanted.id),
      ...fieldsOf(wanted.body, "location", "tags"),
    },
  }),
  [kinds.credential]: (wanted, _, labels, before) => ({
    ...{ label: labels.of(wanted, nameOf(wanted.id)), file: "identities", importId: wanted.id },
    body: {
      name: nameOf(wanted.id),
      resource_group_name: groupOf(wanted.id),
      parent_id: wanted.part ?? "",
      ...fieldsOf(valueAt(wanted.body, ["properties"]) as ValueMap, "issuer", "subject"),
      audience: textsAt(wanted.body, ["properties", "audiences"]),
    },
    ...afterCredential(wanted, before),
  }),
  [kinds.assignment]: (wanted, _, labels, before) => ({
    ...{ label: labels.of(wanted, ...assignmentParts(wanted)), file: "identities", importId: wanted.id },
    body: {
      name: nameOf(wanted.id),
      scope: scopeOf(wanted.id),
      role_definition_id: textAt(wanted.body, ["properties", "roleDefinitionId"]),
      principal_id: principalOf(wanted, before),
      principal_type: textAt(wanted.body, ["properties", "principalType"]),
    },
  }),
};

function accountBody(id: string, body: ValueMap): TerraformBody {
  const properties = valueAt(body, ["properties"]) ?? {};
  const is = (name: string) => valueAt(properties, [name]) === true;
  const [tier = "", replication = ""] = textAt(body, ["sku", "name"]).split("_");
  return {
    name: nameOf(id),
    resource_group_name: groupOf(id),
    ...fieldsOf(body, "location"),
    account_kind: textAt(body, ["kind"]),
    account_tier: tier,
    account_replication_type: replication,
    allow_nested_items_to_be_public: is("allowBlobPublicAccess"),
    shared_access_key_enabled: is("allowSharedKeyAccess"),
    min_tls_version: textAt(properties, ["minimumTlsVersion"]),
    public_network_access_enabled: textAt(properties, ["publicNetworkAccess"]) === "Enabled",
    https_traffic_only_enabled: is("supportsHttpsTrafficOnly"),
    network_rules: { default_action: textAt(properties, ["networkAcls", "defaultAction"]) },
    ...fieldsOf(body, "tags"),
  };
}

function roleBody({ id, body }: WantedResource): TerraformBody {
  const properties = ["properties"];
  const permissions = [...properties, "permissions", "0"];
  return {
    role_definition_id: nameOf(id),
    name: textAt(body, [...properties, "roleName"]),
    scope: subscriptionOf(id),
    description: textAt(body, [...properties, "description"]),
    permissions: {
      actions: textsAt(body, [...permissions, "actions"]),
      not_actions: textsAt(body, [...permissions, "notActions"]),
      data_actions: textsAt(body, [...permissions, "dataActions"]),
      not_data_actions: textsAt(body, [...permissions, "notDataActions"]),
    },
    assignable_scopes: textsAt(body, [...properties, "assignableScopes"]),
  };
}

/** Microsoft Entra refuses parallel writes of the credentials of one identity. */
function afterCredential(
  { part }: WantedResource,
  before: readonly TerraformResource[],
): Pick<TerraformResource, "after"> {
  const other = before.findLast(({ wanted }) => wanted.kind === kinds.credential && wanted.part === part);
  return other === undefined ? {} : { after: addressOf(other) };
}

/** The role and the scope: `Contributor_demo_3f2a91c0`. Groups of other subscriptions can have the same name. */
function assignmentParts({ id, body }: WantedResource): string[] {
  const role = nameOf(textAt(body, ["properties", "roleDefinitionId"]));
  const known = builtInRoleName(role);
  return [known === role ? "role" : known, nameOf(scopeOf(id)), nameOf(id).slice(0, 8)];
}

function principalOf({ part }: WantedResource, before: readonly TerraformResource[]): Expression {
  const identity = before.find(({ wanted }) => wanted.id === part);
  if (identity === undefined) throw new Error("a role assignment before its managed identity");
  return attributeOf(identity, "principal_id");
}

function groupOf(id: string): string {
  return /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)/i.exec(id)?.[1] ?? "";
}
