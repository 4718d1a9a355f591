import type { Agent as HttpAgent } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import { pipeline, type Readable, Transform } from "node:stream";
import * as cloudFront from "@aws-sdk/client-cloudfront";
import * as iam from "@aws-sdk/client-iam";
import * as s3 from "@aws-sdk/client-s3";
import * as sts from "@aws-sdk/client-sts";
import { fromNodeProviderChain, fromTemporaryCredentials } from "@aws-sdk/credential-providers";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { checkProxies } from "../../../apply/lost-answers.ts";
import { CloudError, endpointIn, maxAnswer, tooLong } from "../../../apply/requests.ts";
import type { Access } from "../../../apply/resource.ts";
import { ProxiedAgent } from "../../../network/agent.ts";
import { isLoopback } from "../../../network/loopback.ts";
import { keepProxyPasswords, keepSecret, keepSecretFile } from "../../../network/secrets.ts";
import type { ResourceFacts } from "../resources.ts";
import { noCredentials } from "./no-credentials.ts";

/*
 * The only module that imports the client library of AWS: credentials, endpoints, proxies, and repeats.
 * It never prints, and its errors contain no headers and no credentials.
 */

/** Sends requests with credentials. */
export interface AwsConnection {
  /**
   * One request, with the input and the output of the SDK; the body of an object is a text. Rejects with an error of the SDK.
   *
   * @param call the service and the operation: `iam:GetRole`.
   */
  send(call: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Reads a URL without credentials; missing if nothing can be read so. */
  fetch?(url: string): Promise<{ readonly status: number; readonly text: string }>;
}

// An explicit list, so that the program contains nothing else of the services.
const commands = {
  "sts:GetCallerIdentity": sts.GetCallerIdentityCommand,
  "iam:AddClientIDToOpenIDConnectProvider": iam.AddClientIDToOpenIDConnectProviderCommand,
  "iam:AttachRolePolicy": iam.AttachRolePolicyCommand,
  "iam:CreateOpenIDConnectProvider": iam.CreateOpenIDConnectProviderCommand,
  "iam:CreateRole": iam.CreateRoleCommand,
  "iam:DeleteOpenIDConnectProvider": iam.DeleteOpenIDConnectProviderCommand,
  "iam:DeleteRole": iam.DeleteRoleCommand,
  "iam:DeleteRolePermissionsBoundary": iam.DeleteRolePermissionsBoundaryCommand,
  "iam:DeleteRolePolicy": iam.DeleteRolePolicyCommand,
  "iam:DetachRolePolicy": iam.DetachRolePolicyCommand,
  "iam:GetAccountAuthorizationDetails": iam.GetAccountAuthorizationDetailsCommand,
  "iam:GetOpenIDConnectProvider": iam.GetOpenIDConnectProviderCommand,
  "iam:GetRole": iam.GetRoleCommand,
  "iam:GetRolePolicy": iam.GetRolePolicyCommand,
  "iam:ListAttachedRolePolicies": iam.ListAttachedRolePoliciesCommand,
  "iam:ListRolePolicies": iam.ListRolePoliciesCommand,
  "iam:ListRoles": iam.ListRolesCommand,
  "iam:PutRolePermissionsBoundary": iam.PutRolePermissionsBoundaryCommand,
  "iam:PutRolePolicy": iam.PutRolePolicyCommand,
  "iam:RemoveClientIDFromOpenIDConnectProvider": iam.RemoveClientIDFromOpenIDConnectProviderCommand,
  "iam:TagOpenIDConnectProvider": iam.TagOpenIDConnectProviderCommand,
  "iam:TagRole": iam.TagRoleCommand,
  "iam:UntagOpenIDConnectProvider": iam.UntagOpenIDConnectProviderCommand,
  "iam:UntagRole": iam.UntagRoleCommand,
  "iam:UpdateAssumeRolePolicy": iam.UpdateAssumeRolePolicyCommand,
  "iam:UpdateOpenIDConnectProviderThumbprint": iam.UpdateOpenIDConnectProviderThumbprintCommand,
  "iam:UpdateRole": iam.UpdateRoleCommand,
  "s3:CreateBucket": s3.CreateBucketCommand,
  "s3:DeleteBucket": s3.DeleteBucketCommand,
  "s3:DeleteObject": s3.DeleteObjectCommand,
  "s3:GetBucketLifecycleConfiguration": s3.GetBucketLifecycleConfigurationCommand,
  "s3:GetBucketPolicy": s3.GetBucketPolicyCommand,
  "s3:GetBucketRequestPayment": s3.GetBucketRequestPaymentCommand,
  "s3:GetBucketTagging": s3.GetBucketTaggingCommand,
  "s3:GetObject": s3.GetObjectCommand,
  "s3:GetObjectLockConfiguration": s3.GetObjectLockConfigurationCommand,
  "s3:GetPublicAccessBlock": s3.GetPublicAccessBlockCommand,
  "s3:HeadBucket": s3.HeadBucketCommand,
  "s3:ListMultipartUploads": s3.ListMultipartUploadsCommand,
  "s3:ListObjectVersions": s3.ListObjectVersionsCommand,
  "s3:PutBucketPolicy": s3.PutBucketPolicyCommand,
  "s3:PutBucketRequestPayment": s3.PutBucketRequestPaymentCommand,
  "s3:PutBucketTagging": s3.PutBucketTaggingCommand,
  "s3:PutObject": s3.PutObjectCommand,
  "s3:PutPublicAccessBlock": s3.PutPublicAccessBlockCommand,
  "cloudfront:CreateDistributionWithTags": cloudFront.CreateDistributionWithTagsCommand,
  "cloudfront:CreateOriginAccessControl": cloudFront.CreateOriginAccessControlCommand,
  "cloudfront:DeleteDistribution": cloudFront.DeleteDistributionCommand,
  "cloudfront:DeleteOriginAccessControl": cloudFront.DeleteOriginAccessControlCommand,
  "cloudfront:GetDistribution": cloudFront.GetDistributionCommand,
  "cloudfront:GetOriginAccessControl": cloudFront.GetOriginAccessControlCommand,
  "cloudfront:ListDistributions": cloudFront.ListDistributionsCommand,
  "cloudfront:ListOriginAccessControls": cloudFront.ListOriginAccessControlsCommand,
  "cloudfront:ListTagsForResource": cloudFront.ListTagsForResourceCommand,
  "cloudfront:TagResource": cloudFront.TagResourceCommand,
  "cloudfront:UntagResource": cloudFront.UntagResourceCommand,
  "cloudfront:UpdateDistribution": cloudFront.UpdateDistributionCommand,
  "cloudfront:UpdateOriginAccessControl": cloudFront.UpdateOriginAccessControlCommand,
} as const;

/** A request that the engine makes. */
export type Call = keyof typeof commands;

/** How long a connection and a request may take, in milliseconds, without repeats. */
const timeouts = { connectionTimeout: 10_000, requestTimeout: 60_000, throwOnRequestTimeout: true };
/** How often a request is sent that AWS limited, that a server failed at, or whose answer did not arrive: some minutes. */
const maxAttempts = 10;

type Client = { send(command: unknown): Promise<Record<string, unknown>> };

/** Connects with the SDK's own chain of credentials, or as a role that they may assume in the account of the package. */
export function connect(
  { accountId, partition, region }: Pick<ResourceFacts, "accountId" | "partition" | "region">,
  { environment, assumeRole, externalId }: Pick<Access, "environment" | "assumeRole" | "externalId">,
): AwsConnection {
  const names = ["", "_IAM", "_S3", "_CLOUDFRONT", "_STS"].map((service) => `AWS_ENDPOINT_URL${service}`);
  const [all, , s3Endpoint = all] = names.map((name) => endpointIn(name, environment));
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";
  checkProxies(environment);
  keepSecrets(environment);
  const requestHandler = handler();
  const clientConfig = { region, requestHandler };
  const reasons: string[] = [];
  const chain = withErrors(fromNodeProviderChain({ clientConfig, logger: listener(reasons) }), (error) =>
    noCredentials(error, { reasons, environment }),
  );
  const roleArn = assumeRole?.startsWith("arn:") ? assumeRole : `arn:${partition}:iam::${accountId}:role/${assumeRole}`;
  const params = { RoleArn: roleArn, RoleSessionName: "ccf", ...(externalId ? { ExternalId: externalId } : {}) };
  const credentials =
    assumeRole === undefined
      ? chain
      : withErrors(fromTemporaryCredentials({ masterCredentials: chain, params, clientConfig }), (error) =>
          noCredentials(error, { reasons: [], environment, roleArn }),
        );
  const common = { region, requestHandler, credentials, maxAttempts, retryMode: "adaptive" };
  const isOther = s3Endpoint !== undefined;
  const clients: Readonly<Record<string, Client>> = {
    sts: new sts.STSClient(common) as Client,
    iam: new iam.IAMClient(common) as Client,
    s3: new s3.S3Client({ ...common, followRegionRedirects: true, forcePathStyle: isOther }) as Client,
    cloudfront: new cloudFront.CloudFrontClient(common) as Client,
  };
  return {
    async send(call, input) {
      const command = commands[call as Call] as (new (input: unknown) => unknown) | undefined;
      const client = clients[call.replace(/:.*$/, "")];
      if (command === undefined || client === undefined) throw new Error(`unknown request: ${call}`);
      const output = await client.send(new command(input));
      const { Body } = output as { Body?: { transformToString(): Promise<string> } };
      return Body === undefined ? output : { ...output, Body: await Body.transformToString() };
    },
    fetch(url) {
      // The bucket is where its requests go.
      const [, bucket, path] = /^https:\/\/([a-z0-9-]+)\.s3\.[^/]+\/(.*)$/.exec(url) ?? [];
      return read(requestHandler, isOther && bucket !== undefined ? `${s3Endpoint}/${bucket}/${path}` : url);
    },
  };
}

/** @throws CloudError if a request would go to an endpoint without TLS: an endpoint may also be in the AWS configuration. */
function handler(): NodeHttpHandler {
  const agent = new ProxiedAgent({ keepAlive: true });
  const one = new NodeHttpHandler({ ...timeouts, httpAgent: agent as HttpAgent, httpsAgent: agent as HttpsAgent });
  const handle = one.handle.bind(one);
  one.handle = (request, options) => {
    const { protocol, hostname, port } = request;
    if (protocol !== "https:" && !isLoopback(hostname))
      throw new CloudError(
        `The endpoint ${protocol}//${hostname} must be an https URL; only on this machine it may be http.`,
      );
    // The error of a lost answer does not say where the request went.
    return handle(request, options).then(bounded, (error: unknown) => {
      if (error instanceof Error && !(error instanceof CloudError))
        Object.assign(error, { url: `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}` });
      throw error;
    });
  };
  return one;
}

/** An answer whose body ends with an error if it is too long. */
function bounded(handled: Awaited<ReturnType<NodeHttpHandler["handle"]>>): typeof handled {
  const { response } = handled;
  let length = 0;
  const limit = new Transform({
    transform(part: Buffer, _, done) {
      length += part.length;
      done(length > maxAnswer ? tooLong("An answer of AWS") : null, part);
    },
  });
  // The error of either stream is one of the result.
  response.body = pipeline(response.body as Readable, limit, () => undefined);
  return handled;
}

async function read(one: NodeHttpHandler, url: string): Promise<{ status: number; text: string }> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const request = { protocol, hostname, ...(port === "" ? {} : { port: Number(port) }), path: pathname };
  const asked = { ...request, method: "GET", query: {}, headers: { host: new URL(url).host } };
  const { response } = await one.handle(asked as unknown as Parameters<NodeHttpHandler["handle"]>[0]);
  const parts: Buffer[] = [];
  for await (const part of response.body as AsyncIterable<Buffer>) {
    if (parts.reduce((sum, { length }) => sum + length, part.length) > 1_000_000) throw new Error("it is too long");
    parts.push(part);
  }
  return { status: response.statusCode, text: Buffer.concat(parts).toString("utf8") };
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Credentials that all services share, until five minutes before they expire. */
function withErrors(
  provider: () => Promise<Credentials>,
  problem: (error: unknown) => CloudError,
): () => Promise<Credentials> {
  let known: Promise<Credentials> | undefined;
  let until = 0;
  return async () => {
    if (known === undefined || Date.now() > until) {
      until = Number.POSITIVE_INFINITY;
      known = provider();
    }
    try {
      const found = await known;
      keepSecret(found.secretAccessKey);
      keepSecret(found.sessionToken);
      until = (found.expiration?.getTime() ?? Number.POSITIVE_INFINITY) - 300_000;
      return found;
    } catch (error) {
      known = undefined;
      throw problem(error);
    }
  };
}

/** Hears why each provider of the SDK gave no credentials: the SDK's own error does not say it. Without it, the SDK would print warnings. */
function listener(reasons: string[]) {
  const ignored = () => undefined;
  const debug = (text: unknown) => {
    const [, reason] = /^@smithy\/property-provider \S+ (.*)/.exec(String(text)) ?? [];
    if (reason !== undefined) reasons.push(reason);
  };
  return { debug, trace: ignored, info: ignored, warn: ignored, error: ignored };
}

/** The secrets that the SDK reads from the environment. */
function keepSecrets(environment: NodeJS.ProcessEnv): void {
  keepProxyPasswords(environment);
  const names = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN"];
  for (const name of names) keepSecret(environment[name]);
  for (const name of ["AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"])
    keepSecretFile(environment[name]);
}
