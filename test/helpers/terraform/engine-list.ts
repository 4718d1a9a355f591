import { expect } from "vitest";
import { type Account, type Attributes, assigned, idOf } from "./assigned.ts";

/** A resource that Terraform asked a provider to create, with evaluated attributes. */
export interface AskedResource {
  readonly type: string;
  readonly attributes: Attributes;
}

/** What the engine would create: the fields of a wanted resource that decide it. */
export interface EngineResource {
  readonly kind: string;
  readonly id: string;
  readonly body: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every kind
type Any = any;

/**
 * The engine's list of what Terraform asked for: the way back of the mapping, written from the documentation of the providers and
 * of the APIs of the clouds.
 */
export function engineList(asked: readonly AskedResource[], account: Account): EngineResource[] {
  const found = asked.flatMap(({ type, attributes }) => {
    const back = backTo[type];
    if (back === undefined) throw new Error(`unexpected resource ${type}`);
    // The project of service accounts is in their email addresses, which the bindings contain.
    if (attributes["project"] !== undefined || /^google_(?:iam|storage_bucket$)/.test(type))
      expect(attributes["project"]).toBe(account.project);
    return back(withoutUnset(attributes), account, asked);
  });
  return sorted(found);
}

/** Sorted by ID. The order of tags and of texts in lists means nothing to a cloud, and Terraform keeps sets and maps in its own. */
function sorted(resources: readonly EngineResource[]): EngineResource[] {
  return resources.map((one) => ({ ...one, body: inOrder(one.body) })).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function inOrder(value: Any): Any {
  if (Array.isArray(value)) {
    const isUnordered = value.every((one) => typeof one === "string" || one?.Key !== undefined);
    return isUnordered ? value.toSorted((a, b) => ((a.Key ?? a) < (b.Key ?? b) ? -1 : 1)) : value.map(inOrder);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inOrder(one)]));
}

/** The same of the engine's own list. What Terraform cannot be asked for is omitted, and why. */
export function comparable(wanted: readonly Any[], account: Account): EngineResource[] {
  return sorted(
    wanted
      .filter(({ shared, kind }) => !(shared && kind === "provider"))
      .map(({ kind, id, body, part }) => ({
        ...{ kind, id },
        body: comparableBody(kind, structuredClone(body), part, wanted, account),
      })),
  );
}

function comparableBody(
  kind: string,
  body: Any,
  part: string | undefined,
  wanted: readonly Any[],
  account: Account,
): Any {
  // The precondition of the module compares the account once for all.
  delete body.ExpectedBucketOwner;
  const config = body.DistributionConfigWithTags?.DistributionConfig;
  if (config !== undefined) {
    // The provider chooses the reference of the caller, and states these defaults itself.
    delete config.CallerReference;
    delete config.DefaultRootObject;
    const [origin] = config.Origins.Items;
    delete origin.OriginPath;
    delete origin.S3OriginConfig;
    origin.OriginAccessControlId = idOf("aws_cloudfront_origin_access_control", { name: origin.Id }, account);
  }
  const distribution = wanted.find((one) => one.kind === "distribution");
  if (kind === "bucket policy" && distribution !== undefined) {
    const comment = distribution.body.DistributionConfigWithTags.DistributionConfig.Comment;
    const equals = body.Policy.Statement[0].Condition.StringEquals;
    equals["AWS:SourceArn"] += idOf("aws_cloudfront_distribution", { comment }, account);
  }
  if (kind === "role assignment")
    body.properties.principalId = assigned(
      "azurerm_user_assigned_identity",
      groupAndName(part),
      "principal_id",
      account,
    );
  return body;
}

function groupAndName(id = ""): Attributes {
  const [, resource_group_name, name] = /resourceGroups\/([^/]+)\/.*\/([^/]+)$/.exec(id) ?? [];
  return { resource_group_name, name };
}

function withoutUnset(value: Any): Any {
  if (Array.isArray(value)) return value.map(withoutUnset);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined)
      .map(([key, one]) => [key, withoutUnset(one)]),
  );
}

/** A block that occurs once, alone or in a list. */
const one = (block: Any) => (Array.isArray(block) ? block[0] : block) ?? {};
const given = (fields: Any) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const awsTags = (tags: Any = {}) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
const list = (items: readonly Any[] = []) => ({
  Quantity: items.length,
  ...(items.length === 0 ? {} : { Items: items }),
});

type Back = (of: Any, account: Account, asked: readonly AskedResource[]) => EngineResource[];

const backTo: Readonly<Record<string, Back>> = {
  aws_s3_bucket: ({ region, bucket, tags }, { partition }, asked) => {
    const block = asked.find(
      ({ type, attributes }) => type === "aws_s3_bucket_public_access_block" && attributes["bucket"] === bucket,
    )?.attributes;
    expect(block?.["region"]).toBe(region);
    return [
      {
        ...{ kind: "bucket", id: `arn:${partition}:s3:::${bucket}` },
        body: {
          Bucket: bucket,
          ...(region === "us-east-1" ? {} : { CreateBucketConfiguration: { LocationConstraint: region } }),
          Tagging: { TagSet: awsTags(tags) },
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: block?.["block_public_acls"],
            IgnorePublicAcls: block?.["ignore_public_acls"],
            BlockPublicPolicy: block?.["block_public_policy"],
            RestrictPublicBuckets: block?.["restrict_public_buckets"],
          },
        },
      },
    ];
  },
  aws_s3_bucket_public_access_block: () => [],
  aws_s3_bucket_policy: ({ region, bucket, policy }, { partition }, asked) => {
    expect(regionOf(asked, bucket)).toBe(region);
    const id = `arn:${partition}:s3:::${bucket}#policy`;
    return [{ kind: "bucket policy", id, body: { Bucket: bucket, Policy: JSON.parse(policy) } }];
  },
  aws_s3_object: (
    { region, bucket, key, content, content_type, server_side_encryption, etag },
    { partition },
    asked,
  ) => {
    expect(regionOf(asked, bucket)).toBe(region);
    expect(etag).toMatch(/^[0-9a-f]{32}$/);
    const body = { Bucket: bucket, Key: key, ContentType: content_type, ServerSideEncryption: server_side_encryption };
    return [{ kind: "document", id: `arn:${partition}:s3:::${bucket}/${key}`, body: { ...body, Body: content } }];
  },
  aws_cloudfront_origin_access_control: (of) => [
    {
      ...{ kind: "origin access control", id: `origin-access-control/${of.name}` },
      body: {
        OriginAccessControlConfig: {
          ...{ Name: of.name, Description: of.description, SigningProtocol: of.signing_protocol },
          ...{
            SigningBehavior: of.signing_behavior,
            OriginAccessControlOriginType: of.origin_access_control_origin_type,
          },
        },
      },
    },
  ],
  aws_cloudfront_distribution: (of) => {
    const [origin, behavior, certificate] = [of.origin, of.default_cache_behavior, of.viewer_certificate].map(one);
    expect(one(one(of.restrictions).geo_restriction).restriction_type).toBe("none");
    const methods = { ...list(behavior.allowed_methods), CachedMethods: list(behavior.cached_methods) };
    const DistributionConfig = {
      Aliases: list(of.aliases),
      Origins: list([
        {
          ...{ Id: origin.origin_id, DomainName: origin.domain_name },
          OriginAccessControlId: origin.origin_access_control_id,
        },
      ]),
      DefaultCacheBehavior: {
        ...{ TargetOriginId: behavior.target_origin_id, ViewerProtocolPolicy: behavior.viewer_protocol_policy },
        ...{ AllowedMethods: methods, Compress: behavior.compress, CachePolicyId: behavior.cache_policy_id },
      },
      ...{ Comment: of.comment, Enabled: of.enabled },
      ViewerCertificate: given({
        CloudFrontDefaultCertificate: certificate.cloudfront_default_certificate,
        ACMCertificateArn: certificate.acm_certificate_arn,
        SSLSupportMethod: certificate.ssl_support_method,
        MinimumProtocolVersion: certificate.minimum_protocol_version,
      }),
    };
    const body = { DistributionConfigWithTags: { DistributionConfig, Tags: { Items: awsTags(of.tags) } } };
    return [{ kind: "distribution", id: `distribution/${origin.origin_id}`, body }];
  },
  aws_iam_openid_connect_provider: (of, account) => [
    {
      ...{ kind: "provider", id: idOf("aws_iam_openid_connect_provider", of, account) },
      body: given({
        ...{ Url: of.url, ClientIDList: of.client_id_list, ThumbprintList: of.thumbprint_list },
        Tags: awsTags(of.tags),
      }),
    },
  ],
  aws_iam_role: (of, { id, partition }) => [
    {
      ...{ kind: "role", id: `arn:${partition}:iam::${id}:role${of.path}${of.name}` },
      body: given({
        ...{
          Path: of.path,
          RoleName: of.name,
          Description: of.description,
          MaxSessionDuration: of.max_session_duration,
        },
        ...{ PermissionsBoundary: of.permissions_boundary, Tags: awsTags(of.tags) },
        AssumeRolePolicyDocument: JSON.parse(of.assume_role_policy),
      }),
    },
  ],
  aws_iam_role_policy: ({ role, name, policy }, account, asked) => [
    {
      ...{ kind: "inline policy", id: `${roleArn(role, account, asked)}#${name}` },
      body: { RoleName: role, PolicyName: name, PolicyDocument: JSON.parse(policy) },
    },
  ],
  aws_iam_role_policy_attachment: ({ role, policy_arn }, account, asked) => [
    {
      ...{ kind: "attached policy", id: `${roleArn(role, account, asked)}#${policy_arn}` },
      body: { RoleName: role, PolicyArn: policy_arn },
    },
  ],
  azurerm_resource_group: ({ location, tags, ...of }, account) => [
    { kind: "resource group", id: idOf("azurerm_resource_group", of, account), body: { location, tags } },
  ],
  azurerm_storage_account: (of, account) => [
    {
      ...{ kind: "storage account", id: idOf("azurerm_storage_account", of, account) },
      body: {
        ...{ kind: of.account_kind, location: of.location, tags: of.tags },
        sku: { name: `${of.account_tier}_${of.account_replication_type}` },
        properties: {
          allowBlobPublicAccess: of.allow_nested_items_to_be_public,
          allowSharedKeyAccess: of.shared_access_key_enabled,
          minimumTlsVersion: of.min_tls_version,
          networkAcls: { defaultAction: one(of.network_rules).default_action },
          publicNetworkAccess: { true: "Enabled", false: "Disabled" }[String(of.public_network_access_enabled)],
          supportsHttpsTrafficOnly: of.https_traffic_only_enabled,
        },
      },
    },
  ],
  azurerm_storage_container: (of, account) => [
    {
      ...{ kind: "container", id: idOf("azurerm_storage_container", of, account) },
      body: { properties: { publicAccess: of.container_access_type?.replace(/^b/, "B") } },
    },
  ],
  azurerm_storage_blob: (of, account) => {
    expect(of).toMatchObject({ type: "Block", content_md5: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const body = { content: of.source_content, contentType: of.content_type };
    return [{ kind: "document", id: idOf("azurerm_storage_blob", of, account), body }];
  },
  azurerm_role_definition: (of) => {
    const permissions = one(of.permissions);
    const properties = {
      ...{ roleName: of.name, type: "CustomRole", description: of.description, assignableScopes: of.assignable_scopes },
      permissions: [
        {
          ...{ actions: permissions.actions, notActions: permissions.not_actions },
          ...{ dataActions: permissions.data_actions, notDataActions: permissions.not_data_actions },
        },
      ],
    };
    const id = `${of.scope}/providers/Microsoft.Authorization/roleDefinitions/${of.role_definition_id}`;
    return [{ kind: "custom role", id, body: { properties } }];
  },
  azurerm_user_assigned_identity: (of, account) => [
    {
      ...{ kind: "managed identity", id: idOf("azurerm_user_assigned_identity", of, account) },
      body: { location: of.location, tags: of.tags },
    },
  ],
  azurerm_federated_identity_credential: (of, account) => {
    expect(groupAndName(of.parent_id)["resource_group_name"]).toBe(of.resource_group_name);
    const properties = { issuer: of.issuer, subject: of.subject, audiences: of.audience };
    return [
      {
        kind: "federated credential",
        id: idOf("azurerm_federated_identity_credential", of, account),
        body: { properties },
      },
    ];
  },
  azurerm_role_assignment: (of, account) => [
    {
      ...{ kind: "role assignment", id: idOf("azurerm_role_assignment", of, account) },
      body: {
        properties: {
          ...{ roleDefinitionId: of.role_definition_id, principalType: of.principal_type },
          principalId: of.principal_id,
        },
      },
    },
  ],
  google_iam_workload_identity_pool: (of, { id }) => [
    { kind: "workload identity pool", id: poolName(of, id), body: described(of) },
  ],
  google_iam_workload_identity_pool_provider: (of, { id }) => {
    const oidc = one(of.oidc);
    return [
      {
        ...{ kind: "provider", id: `${poolName(of, id)}/providers/${of.workload_identity_pool_provider_id}` },
        body: given({
          ...described(of),
          ...{ attributeMapping: of.attribute_mapping, attributeCondition: of.attribute_condition },
          oidc: given({
            ...{ issuerUri: oidc.issuer_uri, allowedAudiences: oidc.allowed_audiences, jwksJson: oidc.jwks_json },
          }),
        }),
      },
    ];
  },
  google_service_account: (of, account) => [
    {
      ...{ kind: "service account", id: idOf("google_service_account", of, account) },
      body: { displayName: of.display_name, description: of.description },
    },
  ],
  google_project_iam_custom_role: (of, account) => [
    {
      ...{ kind: "custom role", id: idOf("google_project_iam_custom_role", of, account) },
      body: { title: of.title, description: of.description, stage: of.stage, includedPermissions: of.permissions },
    },
  ],
  google_project_iam_member: ({ project, role, member }) =>
    boundTo(`projects/${project}`, role, member).map((one) => ({ ...one, kind: "project role" })),
  google_service_account_iam_member: ({ service_account_id, role, member }) =>
    boundTo(service_account_id, role, member),
  google_storage_bucket_iam_member: ({ bucket, role, member }) => boundTo(`buckets/${bucket}`, role, member),
  google_storage_bucket: (of) => [
    {
      ...{ kind: "bucket", id: `buckets/${of.name}` },
      body: {
        location: of.location,
        iamConfiguration: {
          publicAccessPrevention: of.public_access_prevention,
          uniformBucketLevelAccess: { enabled: of.uniform_bucket_level_access },
        },
        labels: of.labels,
      },
    },
  ],
  google_storage_bucket_object: ({ bucket, name, content, content_type, cache_control }) => [
    {
      ...{ kind: "document", id: `buckets/${bucket}/${name}` },
      body: { content, contentType: content_type, cacheControl: cache_control },
    },
  ],
};

function boundTo(policy: string, role: string, member: string): EngineResource[] {
  return [{ kind: "policy member", id: `${policy}#${role}#${member}`, body: { policy, role, member } }];
}

function described({ display_name, description, disabled }: Any): Any {
  return { displayName: display_name, description, disabled };
}

function poolName({ workload_identity_pool_id }: Any, number: string): string {
  return `projects/${number}/locations/global/workloadIdentityPools/${workload_identity_pool_id}`;
}

function regionOf(asked: readonly AskedResource[], bucket: string): string | undefined {
  return asked.find(({ type, attributes }) => type === "aws_s3_bucket" && attributes["bucket"] === bucket)?.attributes[
    "region"
  ];
}

function roleArn(name: string, { id, partition }: Account, asked: readonly AskedResource[]): string {
  const role = asked.find(({ type, attributes }) => type === "aws_iam_role" && attributes["name"] === name);
  return `arn:${partition}:iam::${id}:role${role?.attributes["path"]}${name}`;
}
