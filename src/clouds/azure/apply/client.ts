import {
  createDefaultHttpClient,
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
  decompressResponsePolicy,
  type Pipeline,
  type PipelinePolicy,
  type PipelineResponse,
  proxyPolicy,
  RestError,
  retryPolicy,
} from "@azure/core-rest-pipeline";
import { DefaultAzureCredential } from "@azure/identity";
import { checkProxies, strangeAnswer } from "../../../apply/lost-answers.ts";
import {
  type Answer,
  allPages,
  CloudError,
  endpointIn,
  maxAnswer,
  pace,
  pathOf,
  pause,
  Turns,
  tooLong,
} from "../../../apply/requests.ts";
import { Once } from "../../../apply/state-reader.ts";
import { isMap, listAt, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import { connectionProblem } from "../../../network/connection-problems.ts";
import { keepProxyPasswords, keepSecret, keepSecretFile } from "../../../network/secrets.ts";
import { type Asked, codeOf, lost, refused } from "./answers.ts";
import { page, removal, resource } from "./forms.ts";
import { type FailedLogin, noToken } from "./no-token.ts";

/*
 * The only module that imports the client libraries of Azure: credentials, endpoints, repeats, and the forms of
 * answers. It never prints, and its errors contain no headers and no tokens.
 */

/** Where requests go, and who makes them. */
export interface Connection {
  /** Of Azure Resource Manager, without a trailing slash. */
  readonly arm: string;
  /** The resource that access tokens for it are for. */
  readonly audience: string;
  /** Overrides the endpoint of a storage account, for private endpoints and tests; may contain `{storageAccount}`. */
  readonly blobs: string | undefined;
  /** Resolves to an access token for a resource of Azure. */
  token(resource: string): Promise<string>;
}

/** The endpoints of a cloud: Azure documentation, "Compare Azure Government and global Azure", "Azure China developer guide". */
const clouds: Readonly<Record<string, { readonly arm: string; readonly login: string }>> = {
  AzurePublicCloud: { arm: "https://management.azure.com", login: "https://login.microsoftonline.com" },
  AzureUSGovernmentCloud: { arm: "https://management.usgovcloudapi.net", login: "https://login.microsoftonline.us" },
  AzureChinaCloud: { arm: "https://management.chinacloudapi.cn", login: "https://login.chinacloudapi.cn" },
};

/** The environment variables that replace endpoints. */
const variables = { arm: "CCF_AZURE_ARM_ENDPOINT", blobs: "CCF_AZURE_BLOB_ENDPOINT" } as const;

/** What stands for the name of the storage account in {@link Connection.blobs}. */
export const placeholder = "{storageAccount}";

/** Connects with the library's own chain of credentials: environment, workload identity, managed identity, `az login`. */
export function connect(cloud: string, tenantId: string, environment: NodeJS.ProcessEnv): Connection {
  const { arm, login } = clouds[cloud] ?? { arm: "", login: "" };
  const authorityHost = environment["AZURE_AUTHORITY_HOST"] ?? login;
  checkProxies(environment);
  keepSecrets(environment);
  let failed: FailedLogin | undefined;
  const policy = loginPolicy(authorityHost, (one) => {
    failed = one;
  });
  const additionalPolicies = [{ policy, position: "perRetry" as const }];
  const credential = new DefaultAzureCredential({ tenantId, authorityHost, additionalPolicies });
  const tokens = new Map<string, { token: string; expiresOnTimestamp: number }>();
  return {
    arm: endpointIn(variables.arm, environment) ?? arm,
    audience: arm,
    blobs: endpointIn(variables.blobs, environment, placeholder),
    async token(resource) {
      const known = tokens.get(resource);
      if (known !== undefined && known.expiresOnTimestamp > Date.now() + 300_000) return known.token;
      try {
        const found = await credential.getToken(`${resource}/.default`, { tenantId });
        keepSecret(found.token);
        tokens.set(resource, found);
        return found.token;
      } catch (error) {
        throw noToken(tenantId, error, failed);
      }
    },
  };
}

/** Hears of each request to Microsoft Entra whether it failed: the library's errors do not say why no answer arrived. */
function loginPolicy(authorityHost: string, heard: (failed: FailedLogin | undefined) => void) {
  const sendRequest: PipelinePolicy["sendRequest"] = async (request, next) => {
    // Before a login at another host, the library asks the usual one about it.
    const isLogin = request.url.startsWith(authorityHost) || request.url.includes("/common/discovery/instance?");
    const url = pathOf(request.url);
    try {
      const response = await next(request);
      const { status, headers } = response;
      const isPage = headers.get("content-type")?.includes("html") === true;
      if (isLogin) heard(status === 407 || isPage ? { url, status, isPage } : undefined);
      return response;
    } catch (error) {
      if (isLogin) heard({ url, error });
      throw error;
    }
  };
  return { name: "what a login lacks", sendRequest };
}

/** The secrets that the library reads from the environment. */
function keepSecrets(environment: NodeJS.ProcessEnv): void {
  keepProxyPasswords(environment);
  const names = ["AZURE_CLIENT_SECRET", "AZURE_CLIENT_CERTIFICATE_PASSWORD", "IDENTITY_HEADER", "MSI_SECRET"];
  for (const name of names) keepSecret(environment[name]);
  keepSecretFile(environment["AZURE_FEDERATED_TOKEN_FILE"]);
}

/** How long one request may take, in seconds, without repeats. */
const timeout = 60;
/** How often a request is repeated that Azure limited, that a server failed at, or whose answer did not arrive. */
const maxRetries = 8;
/** How long an error is repeated that a new resource causes, in seconds: Azure documents minutes. */
const settling = 240;

// Azure documentation, "Troubleshoot Azure RBAC", "Resolve errors for resource not found", "Important considerations and
// restrictions for federated identity credentials".
const unsettled =
  /^(PrincipalNotFound|RoleDefinitionDoesNotExist|ParentResourceNotFound|ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity|AnotherOperationInProgress|StorageAccountOperationInProgress|ContainerBeingDeleted)$/;

/** What does not exist. A subscription that does not exist is an error, and so is a 404 of anything but Azure. */
export const absent =
  /^(NotFound|ResourceNotFound|ResourceGroupNotFound|ParentResourceNotFound|ContainerNotFound|RoleAssignmentNotFound|RoleDefinitionDoesNotExist)$/;

/** Sends requests to Azure. The lists that it read are kept, so that several packages read them once. */
export class AzureClient {
  readonly connection: Connection;
  readonly #http = createDefaultHttpClient();
  readonly #once = new Once();
  /** Creations of managed identities, by subscription: Azure documentation, "Managed identities: limits", two a second. */
  readonly creations = new Turns(2);

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Reads a resource; undefined if Azure says that this ID does not exist. */
  async read(url: string): Promise<ValueMap | undefined> {
    const { status, value } = await this.arm("GET", url, undefined, { expect: absent });
    return status === 404 ? undefined : (value as ValueMap);
  }

  /** Reads all pages of a list. A page that cannot be read makes the whole list unknown. */
  list(url: string): Promise<readonly ValueMap[]> {
    const form = page(pathOf(url));
    return allPages(`GET ${pathOf(url)}`, async (from: string = url) => {
      const { value } = await this.arm("GET", from, undefined, { form });
      const link = textAt(value, ["nextLink"]);
      // The access token must not go elsewhere.
      if (link !== "" && !link.startsWith(`${this.connection.arm}/`))
        throw new CloudError(`Azure's list at ${pathOf(url)} continues on another host.`);
      return { entries: listAt(value, ["value"]).filter(isMap), next: link || undefined };
    });
  }

  /** The same, read only once in the life of the client. */
  listOnce(url: string): Promise<readonly ValueMap[]> {
    return this.#once.get(url.toLowerCase(), () => this.list(url));
  }

  /**
   * A request to Azure Resource Manager. The answer must be the resource of the URL, unless another form is given.
   *
   * @param url relative to its endpoint, or a link of an answer.
   */
  arm(
    method: Asked["method"],
    url: string,
    body?: ValueMap,
    {
      form = method === "DELETE" ? removal : resource(pathOf(url)),
      ...more
    }: Partial<Pick<Asked, "form" | "expect" | "repeat">> = {},
  ): Promise<Answer> {
    const absolute = url.startsWith("/") ? `${this.connection.arm}${url}` : url;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { "content-type": "application/json" };
    const { audience } = this.connection;
    return this.send({ method, url: absolute, body: text, headers, audience, answers: "json", form, ...more });
  }

  /** @throws CloudError that names the request, and the code, the message and the ID of Azure's answer. */
  async send(asked: Asked): Promise<Answer> {
    for (let waited = 0, tries = 0; ; tries++) {
      const answer = await this.#attempt(asked);
      const code = codeOf(answer);
      if (answer.status < 300 && !asked.form(answer))
        throw strangeAnswer(`${asked.method} ${pathOf(asked.url)}`, "Azure", {
          url: asked.url,
          isRead: !changes(asked),
        });
      if (answer.status < 300 || (code !== "" && asked.expect?.test(code))) return answer;
      const mayRepeat = asked.method !== "GET" && (unsettled.test(code) || asked.repeat?.test(code));
      if (!mayRepeat || waited >= (asked.repeat?.test(code) ? 600 : settling)) throw refused(asked, answer, code);
      const seconds = Math.min(2 ** tries, 15);
      waited += seconds;
      await pause(seconds);
    }
  }

  async #attempt({ method, url, body, headers, audience, answers }: Asked): Promise<Answer> {
    const token = audience === undefined ? {} : { authorization: `Bearer ${await this.connection.token(audience)}` };
    const request = createPipelineRequest({
      url,
      method,
      headers: createHttpHeaders({ ...headers, ...token }),
      allowInsecureConnection: url.startsWith("http:"),
      ...(body === undefined ? {} : { body }),
    });
    try {
      return answerOf(await pipelines[answers].sendRequest(this.#http, request), answers === "json");
    } catch (error) {
      throw lost({ method, url }, error);
    }
  }
}

/** The documents in blobs may have any content, also what is not JSON. */
const pipelines = { json: pipeline(true), text: pipeline(false) };

function pipeline(isJson: boolean): Pipeline {
  const one = createEmptyPipeline();
  one.addPolicy(proxyPolicy());
  one.addPolicy(decompressResponsePolicy());
  one.addPolicy(retryPolicy([{ name: "repeats", retry }], { maxRetries }), { phase: "Retry" });
  one.addPolicy({ name: "late answers", sendRequest: inTime }, { afterPhase: "Retry" });
  if (isJson) one.addPolicy({ name: "broken answers", sendRequest: whole }, { afterPhase: "Retry" });
  return one;
}

/** What is repeated: limited load, errors of servers, and requests without a complete answer. All of ours may be sent twice. */
function retry({
  retryCount,
  response,
  responseError,
}: {
  retryCount: number;
  response?: PipelineResponse;
  responseError?: RestError;
}): { retryAfterInMs?: number; skipStrategy?: boolean } {
  const answered = response ?? responseError?.response;
  const mayRepeat =
    answered === undefined
      ? responseError !== undefined && !connectionProblem(responseError).isLasting
      : [408, 429, 500, 502, 503, 504].includes(answered.status);
  if (!mayRepeat) return { skipStrategy: true };
  const asked = Number(answered?.headers.get("retry-after") ?? Number.NaN);
  const seconds = Number.isFinite(asked) ? Math.min(Math.max(asked, 0), 120) : Math.min(2 ** retryCount, 30);
  return { retryAfterInMs: seconds * pace.second };
}

type Send = (request: Parameters<Pipeline["sendRequest"]>[1]) => Promise<PipelineResponse>;

/** An answer that did not arrive in time is an error that may be repeated. */
async function inTime(request: Parameters<Send>[0], next: Send): Promise<PipelineResponse> {
  // Not the library's own limit: after a lost connection, its timer keeps the process alive.
  request.abortSignal = AbortSignal.timeout(timeout * 1000);
  // The body as a stream, whatever the status.
  request.streamResponseStatusCodes = new Set([Number.POSITIVE_INFINITY]);
  try {
    const response = await next(request);
    const body = response.readableStreamBody ?? [];
    return { ...response, bodyAsText: await textOf(body as AsyncIterable<Buffer>, request) };
  } catch (error) {
    if (error instanceof CloudError || error instanceof RestError) throw error;
    const isLate = request.abortSignal.aborted;
    const { message, code } = error as Error & { code?: string };
    throw new RestError(isLate ? `no answer within ${timeout} seconds` : message, {
      code: isLate ? "ETIMEDOUT" : (code ?? ""),
    });
  } finally {
    // A signal that was used would end the next attempt, too.
    delete request.abortSignal;
  }
}

/** @throws CloudError if it is too long. */
async function textOf(body: AsyncIterable<Buffer>, { method, url }: Parameters<Send>[0]): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > maxAnswer) throw tooLong(`The answer to ${method} ${pathOf(url)}`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** JSON that is cut off is an error that may be repeated. */
async function whole(request: Parameters<Send>[0], next: Send): Promise<PipelineResponse> {
  const response = await next(request);
  if (response.headers.get("content-type")?.includes("json") && jsonOf(response.bodyAsText ?? "") === undefined)
    throw new RestError("the answer is cut off", { code: "PARSE_ERROR" });
  return response;
}

function answerOf({ status, headers, bodyAsText }: PipelineResponse, isJson: boolean): Answer {
  const text = bodyAsText ?? "";
  const value = isJson && headers.get("content-type")?.includes("json") ? (jsonOf(text) ?? null) : null;
  return { status, text, value, header: (name) => headers.get(name) ?? "" };
}

/** Whether a request changes something: keys are read with POST. */
function changes({ method, url }: Asked): boolean {
  return method !== "GET" && !/\/listKeys\b/.test(url);
}

function jsonOf(text: string): Value | undefined {
  if (text === "") return null;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Value;
  } catch {
    return undefined;
  }
}
