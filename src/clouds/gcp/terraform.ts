import { textAt, type ValueMap, valueAt } from "../../core/resource.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { terraformOf } from "../fields.ts";
import {
  attributeOf,
  contentOf,
  Expression,
  fieldsOf,
  labelOf,
  secretsOf,
  type TerraformMapping,
  type TerraformResource,
} from "../terraform.ts";
import { roleKind } from "./kinds/custom-role.ts";
import { poolKind } from "./kinds/pool.ts";
import { providerKind } from "./kinds/provider.ts";
import { accountKind } from "./kinds/service-account.ts";
import { type GcpClusterFile, gcpResources, kinds, nameOf } from "./resources.ts";

/** The versions of the provider that have the attributes below. */
const provider = { name: "google", source: "hashicorp/google", version: ">= 6.50.0, < 7.0.0" } as const;

/** The resources of a package for Google Cloud, for the provider google. */
export const gcpTerraform: TerraformMapping = (files) => {
  const { facts, wanted } = gcpResources(files);
  const secrets = secretsOf(
    files,
    wanted.filter(({ kind }) => kind === kinds.account || kind === kinds.role),
  );
  const resources = wanted.map((one) => resourceOf(one, facts, secrets.get(one.part ?? one.id) ?? ""));
  const accounts = resources.filter(({ wanted }) => wanted.kind === kinds.account);
  const emails = accounts.map((one) => [
    (secrets.get(one.wanted.id) ?? "").replace("/", "_"),
    attributeOf(one, "email"),
  ]);
  const { projectId, projectNumber } = facts;
  return {
    provider,
    wanted,
    resources,
    data: { google_project: { project_id: projectId } },
    account: {
      condition: new Expression(`data.google_project.current.number == ${JSON.stringify(projectNumber)}`),
      message: `The package is for the project ${projectId} with the number ${projectNumber}, but Google Cloud knows another number.`,
    },
    outputs: {
      issuer_url: { description: "The URL of the issuer.", value: facts.issuer },
      service_account_emails: { description: "The email addresses.", value: Object.fromEntries(emails) },
    },
  };
};

function resourceOf(wanted: WantedResource, facts: GcpClusterFile, secret: string): TerraformResource {
  const map = mappings[wanted.kind];
  if (map === undefined) throw new Error(`no Terraform resource for a ${wanted.kind}`);
  return { wanted, ...map(wanted, facts, secret) };
}

type Mapping = (wanted: WantedResource, facts: GcpClusterFile, secret: string) => Omit<TerraformResource, "wanted">;

const mappings: Readonly<Record<string, Mapping>> = {
  [kinds.bucket]: ({ name, body }, { projectId: project }) => ({
    ...{ type: "google_storage_bucket", label: "issuer", file: "issuer", isProtected: true },
    body: {
      ...{ project, name, ...fieldsOf(body, "location") },
      uniform_bucket_level_access: valueAt(body, ["iamConfiguration", "uniformBucketLevelAccess", "enabled"]) === true,
      public_access_prevention: textAt(body, ["iamConfiguration", "publicAccessPrevention"]),
      ...fieldsOf(body, "labels"),
    },
    importId: `${project}/${name}`,
  }),
  // The provider cannot import an object. Another content may replace it, which "prevent_destroy" would prevent.
  [kinds.document]: ({ name, body, part = "", source = "" }) => ({
    ...{ type: "google_storage_bucket_object", label: nameOf(name).replace(/\.json$/, ""), file: "issuer" },
    body: {
      ...{ bucket: nameOf(part), name, content: contentOf(`${source}/${nameOf(name)}`) },
      content_type: textAt(body, ["contentType"]),
      cache_control: textAt(body, ["cacheControl"]),
    },
  }),
  [kinds.pool]: ({ name, body }, { projectId: project }) => ({
    ...{ type: "google_iam_workload_identity_pool", label: "issuer", file: "issuer", isProtected: true },
    body: { project, workload_identity_pool_id: name, ...terraformOf(poolKind.fields, body) },
    importId: `projects/${project}/locations/global/workloadIdentityPools/${name}`,
  }),
  [kinds.provider]: ({ name, body }, { projectId: project, pool }) => ({
    ...{ type: "google_iam_workload_identity_pool_provider", label: "issuer", file: "issuer", isProtected: true },
    body: {
      project,
      workload_identity_pool_id: nameOf(pool),
      workload_identity_pool_provider_id: name,
      ...terraformOf(providerKind.fields, body),
    },
    importId: `projects/${project}/locations/global/workloadIdentityPools/${nameOf(pool)}/providers/${name}`,
  }),
  [kinds.account]: ({ id, name, body }, { projectId: project }, secret) => ({
    ...{ type: "google_service_account", label: labelOf(secret), file: "identities" },
    body: { project, account_id: name, ...terraformOf(accountKind.fields, body) },
    importId: id,
  }),
  [kinds.role]: ({ id, name, body }, { projectId: project }, secret) => ({
    ...{ type: "google_project_iam_custom_role", label: labelOf(secret), file: "identities" },
    body: { project, role_id: name, ...terraformOf(roleKind.fields, body) },
    importId: id,
  }),
  [kinds.member]: ({ body, part = "" }, _, secret) =>
    secret === "" ? bucketMember(nameOf(part), body) : accountMember(part, body, secret),
  [kinds.projectRole]: ({ body }, { projectId: project }, secret) => {
    const [role, member] = [textAt(body, ["role"]), textAt(body, ["member"])];
    // The ID of a custom role contains the names of the Secret.
    const label = role.startsWith("roles/")
      ? labelOf(secret, role.slice("roles/".length))
      : labelOf(secret, "custom_role");
    return {
      ...{ type: "google_project_iam_member", label, file: "identities" },
      body: { project, role, member },
      importId: `${project} ${role} ${member}`,
    };
  },
  [kinds.bucketRole]: ({ body }, _, secret) => {
    const [role, member] = [textAt(body, ["role"]), textAt(body, ["member"])];
    const bucket = nameOf(textAt(body, ["policy"]));
    return {
      ...{
        type: "google_storage_bucket_iam_member",
        label: labelOf(secret, bucket, role.replace(/^roles\//, "")),
        file: "identities",
      },
      body: { bucket, role, member },
      importId: `b/${bucket} ${role} ${member}`,
    };
  },
};

function bucketMember(bucket: string, body: ValueMap): Omit<TerraformResource, "wanted"> {
  const [role, member] = [textAt(body, ["role"]), textAt(body, ["member"])];
  return {
    ...{ type: "google_storage_bucket_iam_member", label: labelOf("issuer", member), file: "issuer" },
    body: { bucket, role, member },
    importId: `b/${bucket} ${role} ${member}`,
  };
}

function accountMember(account: string, body: ValueMap, secret: string): Omit<TerraformResource, "wanted"> {
  const [role, member] = [textAt(body, ["role"]), textAt(body, ["member"])];
  const serviceAccount = member.slice(member.lastIndexOf(":") + 1);
  return {
    ...{ type: "google_service_account_iam_member", label: labelOf(secret, serviceAccount), file: "identities" },
    body: { service_account_id: account, role, member },
    importId: `${account} ${role} ${member}`,
  };
}
