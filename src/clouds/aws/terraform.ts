import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../core/resource.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { terraformOf } from "../fields.ts";
import {
  attributeOf,
  contentOf,
  Expression,
  labelOf,
  md5Of,
  renamed,
  secretsOf,
  type TerraformBody,
  type TerraformMapping,
  type TerraformOutput,
  type TerraformResource,
  textsAt,
} from "../terraform.ts";
import { readIamArn } from "./cluster/resource-names.ts";
import { accessControlFields } from "./kinds/access-control.ts";
import { roleFields } from "./kinds/role.ts";
import { discoveryFile, roleFiles } from "./rendered/facts.ts";
import { awsResources, kinds, type ResourceFacts } from "./resources.ts";

/** The versions of the provider that have the attributes below. */
const provider = { name: "aws", source: "hashicorp/aws", version: ">= 6.25.0, < 7.0.0" } as const;

/** What the resources of a package have in common. */
interface Context {
  readonly facts: ResourceFacts;
  /** The Secrets of roles, by the ARNs of these. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly hasDistribution: boolean;
}

/** The resources of a package for AWS, for the provider aws. A provider that the package only names is not one of them. */
export const awsTerraform: TerraformMapping = (files) => {
  const { facts, wanted } = awsResources(files);
  const context: Context = {
    facts,
    secrets: secretsOf(
      files,
      wanted.filter(({ kind }) => kind === kinds.role),
    ),
    hasDistribution: wanted.some(({ kind }) => kind === kinds.distribution),
  };
  const resources = wanted.filter(({ shared }) => !shared).flatMap((one) => resourcesOf(one, context));
  const roles = resources.filter(({ type }) => type === "aws_iam_role");
  const arns = roles.map((one) => [one.label, attributeOf(one, "arn")]);
  const { issuer = "" } = JSON.parse(files.get(`aws/issuer/${discoveryFile}`) ?? "{}");
  const url = issuer || (facts.provider === undefined ? "" : `https://${readIamArn(facts.provider)?.providerUrl}`);
  const domain: Readonly<Record<string, TerraformOutput>> = context.hasDistribution
    ? {
        distribution_domain: {
          description: "The domain that CloudFront assigned, for ccf set.",
          value: attributeOf(distribution, "domain_name"),
        },
      }
    : {};
  return {
    provider,
    wanted,
    resources,
    data: { aws_caller_identity: {}, aws_partition: {} },
    account: accountOf(facts),
    outputs: {
      issuer_url: { description: "The URL of the issuer.", value: url },
      ...domain,
      role_arns: { description: "The ARNs of the roles.", value: Object.fromEntries(arns) },
    },
  };
};

function accountOf({ accountId, partition }: ResourceFacts) {
  const [account, name] = [accountId, partition].map((text) => JSON.stringify(text));
  return {
    condition: new Expression(
      `data.aws_caller_identity.current.account_id == ${account} && data.aws_partition.current.partition == ${name}`,
    ),
    message: `The package is for the account ${accountId} in the partition ${partition}. Configure the provider for it.`,
  };
}

const distribution = { type: "aws_cloudfront_distribution", label: "issuer" } as const;
const accessControl = { type: "aws_cloudfront_origin_access_control", label: "issuer" } as const;

type Mapped = Omit<TerraformResource, "wanted">;
type Mapping = (wanted: WantedResource, context: Context) => readonly Mapped[];

function resourcesOf(wanted: WantedResource, context: Context): TerraformResource[] {
  const map = mappings[wanted.kind];
  if (map === undefined) throw new Error(`no Terraform resource for a ${wanted.kind}`);
  return map(wanted, context).map((one) => ({ wanted, ...one }));
}

const issuerPart = { label: "issuer", file: "issuer" } as const;

const mappings: Readonly<Record<string, Mapping>> = {
  [kinds.bucket]: ({ name: bucket, body }, { facts: { region } }) => {
    const block = valueAt(body, ["PublicAccessBlockConfiguration"]) as ValueMap;
    // The provider would look in its own region otherwise (AWS provider, "Enhanced Region Support").
    const importId = `${bucket}@${region}`;
    return [
      {
        ...{ type: "aws_s3_bucket", ...issuerPart, isProtected: true, importId },
        body: { region, bucket, tags: tagsOf(listAt(body, ["Tagging", "TagSet"])) },
      },
      {
        ...{ type: "aws_s3_bucket_public_access_block", ...issuerPart, importId },
        body: {
          ...{ region, bucket },
          ...renamed(block, {
            BlockPublicAcls: "block_public_acls",
            IgnorePublicAcls: "ignore_public_acls",
            BlockPublicPolicy: "block_public_policy",
            RestrictPublicBuckets: "restrict_public_buckets",
          }),
        },
      },
    ];
  },
  [kinds.bucketPolicy]: ({ name: bucket }, { facts: { region }, hasDistribution }) => {
    const policy = contentOf("aws/issuer/bucket-policy.json");
    return [
      {
        ...{ type: "aws_s3_bucket_policy", ...issuerPart, importId: `${bucket}@${region}` },
        body: { region, bucket, policy: hasDistribution ? withDistribution(policy) : policy },
      },
    ];
  },
  [kinds.document]: ({ body, source }, { facts: { region } }) => {
    const [bucket, key] = [textAt(body, ["Bucket"]), textAt(body, ["Key"])];
    const name = key.slice(key.lastIndexOf("/") + 1);
    const file = `${source}/${name}`;
    return [
      {
        ...{ type: "aws_s3_object", label: name.replace(/\.json$/, ""), file: "issuer", isProtected: true },
        body: {
          ...{ region, bucket, key, content: contentOf(file) },
          content_type: textAt(body, ["ContentType"]),
          server_side_encryption: textAt(body, ["ServerSideEncryption"]),
          // The ETag of an object with this encryption is its MD5, so Terraform notices another content.
          etag: md5Of(file),
        },
        importId: `${bucket}/${key}@${region}`,
      },
    ];
  },
  [kinds.accessControl]: ({ body }) => [
    {
      ...{ ...accessControl, file: "issuer" },
      body: terraformOf(accessControlFields, valueAt(body, ["OriginAccessControlConfig"]) as ValueMap),
    },
  ],
  [kinds.distribution]: ({ body }) => [
    {
      ...{ ...distribution, file: "issuer", isProtected: true },
      body: distributionBody(valueAt(body, ["DistributionConfigWithTags"]) ?? {}),
    },
  ],
  [kinds.provider]: ({ id, body }) => [
    {
      ...{ type: "aws_iam_openid_connect_provider", ...issuerPart, isProtected: true, importId: id },
      body: {
        ...renamed(body, { Url: "url", ClientIDList: "client_id_list", ThumbprintList: "thumbprint_list" }),
        tags: tagsOf(listAt(body, ["Tags"])),
      },
    },
  ],
  [kinds.role]: ({ id, name, source, body }, { secrets }) => [
    {
      ...{ type: "aws_iam_role", label: labelOf(secrets.get(id) ?? ""), file: "identities", importId: name },
      body: {
        name,
        ...terraformOf(roleFields, body),
        assume_role_policy: contentOf(`${source}/${roleFiles.trust}`),
        tags: tagsOf(listAt(body, ["Tags"])),
      },
    },
  ],
  [kinds.inlinePolicy]: ({ part = "", source, body }, { secrets }) => {
    const [role, name] = [textAt(body, ["RoleName"]), textAt(body, ["PolicyName"])];
    return [
      {
        ...{ type: "aws_iam_role_policy", label: labelOf(secrets.get(part) ?? ""), file: "identities" },
        body: { role, name, policy: contentOf(`${source}/${roleFiles.permissions}`) },
        importId: `${role}:${name}`,
      },
    ];
  },
  [kinds.attachedPolicy]: ({ part = "", body }, { secrets }) => {
    const [role, arn] = [textAt(body, ["RoleName"]), textAt(body, ["PolicyArn"])];
    const label = labelOf(secrets.get(part) ?? "", arn.slice(arn.indexOf(":policy/") + ":policy/".length));
    return [
      {
        ...{ type: "aws_iam_role_policy_attachment", label, file: "identities" },
        body: { role, policy_arn: arn },
        importId: `${role}/${arn}`,
      },
    ];
  },
};

/** The policy of the bucket ends the ARN of the distribution with its ID, which AWS assigns. */
function withDistribution(policy: Expression): Expression {
  const id = `\${${attributeOf(distribution, "id").text}}`;
  return new Expression(String.raw`replace(${policy.text}, ":distribution/\"", ":distribution/${id}\"")`);
}

function distributionBody(body: Value): TerraformBody {
  const config = valueAt(body, ["DistributionConfig"]) as ValueMap;
  const origin = valueAt(config, ["Origins", "Items", "0"]) as ValueMap;
  const aliases = textsAt(config, ["Aliases", "Items"]);
  const behavior = valueAt(config, ["DefaultCacheBehavior"]) as ValueMap;
  return {
    ...renamed(config, { Enabled: "enabled", Comment: "comment" }),
    ...(aliases.length === 0 ? {} : { aliases }),
    origin: {
      ...renamed(origin, { Id: "origin_id", DomainName: "domain_name" }),
      origin_access_control_id: attributeOf(accessControl, "id"),
    },
    default_cache_behavior: {
      ...renamed(behavior, {
        TargetOriginId: "target_origin_id",
        ViewerProtocolPolicy: "viewer_protocol_policy",
        Compress: "compress",
        CachePolicyId: "cache_policy_id",
      }),
      allowed_methods: textsAt(behavior, ["AllowedMethods", "Items"]),
      cached_methods: textsAt(behavior, ["AllowedMethods", "CachedMethods", "Items"]),
    },
    restrictions: { geo_restriction: { restriction_type: "none" } },
    viewer_certificate: renamed(valueAt(config, ["ViewerCertificate"]) as ValueMap, {
      CloudFrontDefaultCertificate: "cloudfront_default_certificate",
      ACMCertificateArn: "acm_certificate_arn",
      SSLSupportMethod: "ssl_support_method",
      MinimumProtocolVersion: "minimum_protocol_version",
    }),
    tags: tagsOf(listAt(body, ["Tags", "Items"])),
  };
}

function tagsOf(tags: readonly Value[]): TerraformBody {
  return Object.fromEntries(tags.map((tag) => [textAt(tag, ["Key"]), textAt(tag, ["Value"])]));
}
