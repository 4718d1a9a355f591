import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import * as cloudFront from "@aws-sdk/client-cloudfront";
import * as iam from "@aws-sdk/client-iam";
import * as s3 from "@aws-sdk/client-s3";
import * as sts from "@aws-sdk/client-sts";
import { fromNodeProviderChain, fromTemporaryCredentials } from "@aws-sdk/credential-providers";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { Agent } from "agent-base";
import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";
import { CloudError, endpointIn, pause } from "../../../apply/requests.ts";
import type { Access } from "../../../apply/resource.ts";
import { textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { ResourceFacts } from "../resources.ts";

/*
 * The only module that imports the client library of AWS: credentials, endpoints, proxies, repeats, and the forms of errors.
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
  const requestHandler = handler();
  const clientConfig = { region, requestHandler };
  const chain = fromNodeProviderChain({ clientConfig });
  const roleArn = assumeRole?.startsWith("arn:") ? assumeRole : `arn:${partition}:iam::${accountId}:role/${assumeRole}`;
  const credentials = withErrors(
    assumeRole === undefined
      ? chain
      : fromTemporaryCredentials({
          masterCredentials: chain,
          params: { RoleArn: roleArn, RoleSessionName: "ccf", ...(externalId ? { ExternalId: externalId } : {}) },
          clientConfig,
        }),
    assumeRole === undefined ? loginCure : `Check whether the credentials may assume the role ${roleArn}.`,
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

/** Sends through the proxy of HTTPS_PROXY and HTTP_PROXY, unless NO_PROXY names the host: the SDK knows none of them. */
class ProxiedAgent extends Agent {
  readonly #direct = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  readonly #proxies = new Map<string, HttpsProxyAgent<string>>();

  override async connect(_: unknown, { host = "", port, secureEndpoint }: Parameters<Agent["connect"]>[1]) {
    const scheme = secureEndpoint ? "https" : "http";
    const url = getProxyForUrl(`${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`);
    if (url === "") return this.#direct[scheme];
    const proxy = this.#proxies.get(url) ?? new HttpsProxyAgent(url, { keepAlive: true });
    this.#proxies.set(url, proxy);
    return proxy;
  }
}

/** @throws CloudError if a request would go to an endpoint without TLS: an endpoint may also be in the AWS configuration. */
function handler(): NodeHttpHandler {
  const agent = new ProxiedAgent({ keepAlive: true });
  const one = new NodeHttpHandler({ ...timeouts, httpAgent: agent as HttpAgent, httpsAgent: agent as HttpsAgent });
  const handle = one.handle.bind(one);
  one.handle = (request, options) => {
    const { protocol, hostname } = request;
    if (protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname))
      throw new CloudError(
        `The endpoint ${protocol}//${hostname} must be an https URL; only on this machine it may be http.`,
      );
    return handle(request, options);
  };
  return one;
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

const loginCure =
  "Log in, for example with: aws sso login. The SDK reads environment variables, profiles, web identity, and the metadata of the instance.";

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Credentials that all services share, until five minutes before they expire. */
function withErrors(provider: () => Promise<Credentials>, cure: string): () => Promise<Credentials> {
  let known: Promise<Credentials> | undefined;
  let until = 0;
  return async () => {
    if (known === undefined || Date.now() > until) {
      until = Number.POSITIVE_INFINITY;
      known = provider();
    }
    try {
      const found = await known;
      until = (found.expiration?.getTime() ?? Number.POSITIVE_INFINITY) - 300_000;
      return found;
    } catch (error) {
      known = undefined;
      if (error instanceof CloudError) throw error;
      throw new CloudError(`There are no credentials for AWS: ${firstLine(error)} ${cure}`, "credentials");
    }
  };
}

function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : "").split("\n");
  return line.replace(/\.?$/, ".");
}

/** What a caller expects of a request. */
export interface Expected {
  /** The codes that are answers: the result is undefined. */
  readonly expect?: RegExp;
  /** Codes and messages that something new causes for a while: repeated for some minutes. */
  readonly repeat?: RegExp;
}

/** How long an error is repeated that something new causes, in seconds: IAM documents no limit, minutes are seen. */
const settling = 240;
/** What another change of the same resource causes. */
const busy = /^(ConcurrentModification|OperationAborted|ConditionalRequestConflict)\b/;

/** Sends requests to AWS. What it read once is kept, so that several packages of an account read it once. */
export class AwsClient {
  readonly connection: AwsConnection;
  readonly #once: Map<string, Promise<unknown>>;

  /** @param once what was read of the account, for the clients of all its regions. */
  constructor(connection: AwsConnection, once = new Map<string, Promise<unknown>>()) {
    this.connection = connection;
    this.#once = once;
  }

  /** Does something only once in the life of the account's clients. */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#once.get(key) ?? read();
    this.#once.set(key, known);
    return known as Promise<T>;
  }

  /**
   * Resolves to plain values: dates are texts.
   *
   * @throws CloudError that names the request, and the code, the message and the ID of AWS's answer.
   */
  async send(call: Call, input: ValueMap, { repeat }: Pick<Expected, "repeat"> = {}): Promise<ValueMap> {
    for (let tries = 0, waited = 0; ; tries++) {
      try {
        return JSON.parse(
          JSON.stringify(await this.connection.send(call, input as Record<string, unknown>)),
        ) as ValueMap;
      } catch (error) {
        const refused = refusedBy(call, input, error);
        const said = `${refused.code}: ${refused.message}`;
        if (!(busy.test(said) || repeat?.test(said)) || waited >= settling) throw refused;
        const seconds = Math.min(2 ** tries, 15);
        waited += seconds;
        await pause(seconds);
      }
    }
  }

  /** Undefined if the code of the answer is expected: something does not exist, or exists already. */
  async ask(call: Call, input: ValueMap, { expect = /^$/, ...more }: Expected): Promise<ValueMap | undefined> {
    try {
      return await this.send(call, input, more);
    } catch (error) {
      if (error instanceof CloudError && error.code !== "" && expect.test(error.code)) return undefined;
      throw error;
    }
  }

  /**
   * Reads all pages of a list. A page that cannot be read makes the whole list unknown.
   *
   * @param path of the list in an answer; its parent says whether there is more.
   * @param next the fields of the next request, and those of the answer that contain their values.
   */
  async list(
    call: Call,
    input: ValueMap,
    path: readonly string[],
    next: Readonly<Record<string, string>> = { Marker: "Marker" },
  ): Promise<Value[]> {
    const items: Value[] = [];
    let token: ValueMap | undefined = {};
    for (let page = 0; token !== undefined; page++) {
      const answer = await this.send(call, { ...input, ...token });
      const parent = valueAt(answer, path.slice(0, -1)) ?? {};
      const [isMore, list = []] = [valueAt(parent, ["IsTruncated"]), valueAt(answer, path)];
      // An answer of another form must not look like a list without items: that would mean that nothing exists.
      if (!Array.isArray(list) || page > 1000 || (isMore ?? valueAt(answer, path)) === undefined)
        throw new CloudError(`AWS's answer to ${nameOf(call)} is not a list.`);
      items.push(...list);
      token = undefined;
      if (isMore !== true) break;
      const entries = Object.entries(next).map(([field, from]) => [field, textAt(parent, [from])] as const);
      token = Object.fromEntries(entries.filter(([, text]) => text !== ""));
      if (Object.keys(token).length === 0) throw new CloudError(`AWS's answer to ${nameOf(call)} is cut off.`);
    }
    return items;
  }
}

function nameOf(call: string): string {
  return call.replace(":", " ");
}

const cures: readonly (readonly [RegExp, string])[] = [
  [
    /block public|BlockPublic|public polic/i,
    'Block Public Access is enabled for the whole account or organization, so its buckets cannot be public. Set spec.platform.aws.issuerHosting.type to "S3CloudFront", and render again.',
  ],
  [
    /^BucketAlreadyExists/,
    "Names of buckets are shared by all accounts. Set spec.platform.aws.issuerHosting.bucket to another name, and render again.",
  ],
  [/^CNAMEAlreadyExists/, "Another distribution serves this domain. Remove the domain from it first."],
  [/^(AccessDenied|403$)/, "admin-policy.json of the export contains the permissions that are needed."],
  [/^LimitExceeded|^TooMany/, "Ask AWS for a larger quota of the account, or remove what is not used."],
];

const badCredentials =
  /^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId|SignatureDoesNotMatch|RequestExpired|AuthFailure|InvalidToken)/;

/** An error of the SDK. Names of errors are with or without "Exception" at the end. */
function refusedBy(call: string, input: ValueMap, error: unknown): CloudError {
  if (error instanceof CloudError) return error;
  const {
    name = "",
    message = "",
    $metadata = {},
  } = error as {
    name?: string;
    message?: string;
    $metadata?: { httpStatusCode?: number; requestId?: string };
  };
  const { httpStatusCode: status = 0, requestId } = $metadata;
  const what = [nameOf(call), aboutIn(input)].filter((part) => part !== "").join(" ");
  const [line = ""] = message.split("\n");
  // Nothing is known from an answer that is cut off, either.
  if (status < 300) {
    const said = [name, line].filter((part) => part !== "" && part !== "Error").join(" ");
    return new CloudError(
      `${what} failed: ${said.replace(/\.?$/, ".")} Nothing is known about its effect. Run the same command again.`,
    );
  }
  const code = name.replace(/Exception$/, "");
  const isLogin = badCredentials.test(code);
  const cure = isLogin
    ? loginCure
    : cures.find(([form]) => form.test(`${code} ${line}`) || form.test(String(status)))?.[1];
  const said = [`${status}`, code, line === code ? "" : line].filter((part) => part !== "").join(" ");
  const id = requestId === undefined ? "" : ` Request ID ${requestId}.`;
  const text = `${what}: ${said.replace(/\.?$/, ".")}${id}${cure === undefined ? "" : ` ${cure}`}`;
  return new CloudError(text, isLogin ? "credentials" : code, status);
}

/** The resource of a request, for messages. */
function aboutIn(input: ValueMap): string {
  const names = ["RoleName", "OpenIDConnectProviderArn", "Url", "Bucket", "Key", "Id", "Resource"];
  return names.flatMap((name) => (typeof input[name] === "string" ? [input[name]] : [])).join(" ");
}
