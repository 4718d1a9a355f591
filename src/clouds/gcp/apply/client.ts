import { type AuthClient, GoogleAuth, gaxios, Impersonated } from "google-auth-library";
import { checkProxies, strangeAnswer } from "../../../apply/lost-answers.ts";
import {
  allPages,
  CloudError,
  endpointIn,
  type Form,
  maxAnswer,
  otherAccount,
  pathOf,
  pause,
  tooLong,
} from "../../../apply/requests.ts";
import type { Access } from "../../../apply/resource.ts";
import { Once } from "../../../apply/state-reader.ts";
import { isMap, listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { connectionProblem } from "../../../network/connection-problems.ts";
import { keepProxyPasswords, keepSecret, keepSecretFile } from "../../../network/secrets.ts";
import { hosts } from "../kinds/requests.ts";
import { type Answer, type Asked, lost, noToken, refused } from "./answers.ts";

/*
 * The only module that imports the client library of Google: credentials, endpoints, repeats, and the forms of
 * answers. It never prints, and its errors contain no headers and no tokens.
 */

/** Where requests go, and who makes them. The endpoints have no trailing slash. */
export interface Connection {
  readonly iam: string;
  readonly resourceManager: string;
  readonly serviceUsage: string;
  readonly storage: string;
  /** Resolves to the credentials. @throws CloudError if there are none for this universe. */
  credentials(): Promise<Pick<AuthClient, "getRequestHeaders">>;
}

/** The environment variables that replace endpoints. */
const variables = {
  iam: "CCF_GCP_IAM_ENDPOINT",
  resourceManager: "CCF_GCP_RESOURCE_MANAGER_ENDPOINT",
  serviceUsage: "CCF_GCP_SERVICE_USAGE_ENDPOINT",
  storage: "CCF_GCP_STORAGE_ENDPOINT",
  /** Only to impersonate a service account. */
  iamCredentials: "CCF_GCP_IAM_CREDENTIALS_ENDPOINT",
} as const;

/** How long one request may take, in milliseconds, without repeats. */
const timed = { timeout: 60_000 };

const scopes = ["https://www.googleapis.com/auth/cloud-platform"];

/** Connects with Application Default Credentials, or as a service account that they may impersonate. */
export function connect(
  projectId: string,
  universe: string,
  { environment, impersonate }: Pick<Access, "environment" | "impersonate">,
): Connection {
  const endpoint = (name: keyof typeof variables, host: string) =>
    endpointIn(variables[name], environment) ?? `https://${host}.${universe}`;
  checkProxies(environment);
  keepProxyPasswords(environment);
  let known: Promise<AuthClient> | undefined;
  return {
    iam: endpoint("iam", hosts.iam),
    resourceManager: endpoint("resourceManager", hosts.resourceManager),
    serviceUsage: endpoint("serviceUsage", "serviceusage"),
    storage: endpoint("storage", hosts.storage),
    credentials() {
      known ??= login(projectId, universe, impersonate, endpoint("iamCredentials", "iamcredentials"));
      return known;
    },
  };
}

async function login(
  projectId: string,
  universe: string,
  impersonate: string | undefined,
  endpoint: string,
): Promise<AuthClient> {
  muteLookupWarning();
  // Without a project, the library would ask for it with requests of its own.
  const auth = new GoogleAuth({ projectId, scopes, clientOptions: { transporterOptions: timed } });
  let [found, client]: [string, AuthClient | undefined] = ["", undefined];
  try {
    client = await auth.getClient();
    keepSecretsOf(auth.jsonContent);
    found = await auth.getUniverseDomain();
  } catch (error) {
    throw noToken(error);
  }
  if (found !== universe) throw otherAccount(`The credentials are for the universe ${found}`, universe);
  if (impersonate === undefined) return client;
  const target = { targetPrincipal: impersonate, targetScopes: scopes, endpoint };
  return new Impersonated({ sourceClient: client, ...target, transporterOptions: timed });
}

let isMuted = false;

/** Google's library prints a warning if it finds no metadata server in an unexpected way. The error says what to do. */
function muteLookupWarning(): void {
  if (isMuted) return;
  isMuted = true;
  const print: (...warning: never[]) => void = process.emitWarning;
  process.emitWarning = (...warning: unknown[]) => {
    if (warning[1] !== "MetadataLookupWarning") print(...(warning as never[]));
  };
}

/** The secrets in a file with credentials, and in the file that it names. */
function keepSecretsOf(content: GoogleAuth["jsonContent"]): void {
  for (const field of ["private_key", "client_secret", "refresh_token"]) keepSecret(textAt(content as Value, [field]));
  keepSecretFile(textAt(content as Value, ["credential_source", "file"]));
}

/** What does not exist. A 404 of anything but Google has no code. */
export const absent = /^(NOT_FOUND|notFound|NoSuchKey|NoSuchBucket)$/;

/** How long a login may take, in milliseconds: up to three requests, which the library repeats. */
const loginTimeout = 180_000;
/** How often a request is repeated that Google limited, that a server failed at, or whose answer did not arrive. */
const maxRetries = 8;
/** How long an error is repeated that something new causes, in seconds (cloud-credential-operator: 24 times 10 seconds). */
const settling = 240;

/** Sends requests to Google. */
export class GcpClient {
  readonly connection: Connection;
  /** What it read once, so that several packages of one project read it once. */
  readonly once = new Once();
  readonly #locks = new Map<string, Promise<unknown>>();
  readonly #http = new gaxios.Gaxios();

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Reads a resource; undefined if Google says that it does not exist. */
  async read(url: string, form: Form, more: Pick<Asked, "repeat"> = {}): Promise<ValueMap | undefined> {
    const expected = more.repeat ? more : { expect: absent };
    const { status, value } = await this.send({ method: "GET", url, form, ...expected });
    return status === 404 ? undefined : (value as ValueMap);
  }

  /** Reads all pages of a list. @param field that contains it. @param form of a page. @param expect errors that mean an empty list. */
  async list(url: string, field: string, form: Form, expect?: RegExp): Promise<readonly ValueMap[]> {
    return allPages(`GET ${pathOf(url)}`, async (token?: string) => {
      const next =
        token === undefined ? url : `${url}${url.includes("?") ? "&" : "?"}pageToken=${encodeURIComponent(token)}`;
      const { status, value } = await this.send({ method: "GET", url: next, form, ...(expect && { expect }) });
      if (status >= 400) return { entries: [], next: undefined };
      const entries = listAt(value, [field]).filter(isMap);
      return { entries, next: textAt(value, ["nextPageToken"]) || undefined };
    });
  }

  /** Does things that must not happen at the same time, one after the other, also those of other packages. */
  locked<T>(key: string, work: () => Promise<T>): Promise<T> {
    const next = (this.#locks.get(key) ?? Promise.resolve()).then(work, work);
    this.#locks.set(key, next);
    return next;
  }

  /** @throws CloudError that names the request, and the code and the message of Google's answer. */
  async send(asked: Asked): Promise<Answer> {
    for (let tries = 0, waited = 0; ; tries++) {
      const answer = await this.#attempt(asked).catch((error: unknown) => {
        if (error instanceof CloudError || connectionProblem(error).isLasting || tries >= maxRetries)
          throw lost(asked, error);
        return undefined;
      });
      const isLimited = answer === undefined || [408, 429, 500, 502, 503, 504].includes(answer.status);
      if (!isLimited && answer.status < 300 && !asked.form(answer))
        throw strangeAnswer(`${asked.method} ${pathOf(asked.url)}`, "Google", {
          url: asked.url,
          isRead: !changes(asked),
        });
      if (!isLimited && (answer.status < 300 || isExpected(asked, answer))) return answer;
      const isYoung = !isLimited && asked.repeat?.test(`${answer.code}: ${answer.message}`) === true;
      if (answer !== undefined && (isLimited ? tries >= maxRetries : !isYoung || waited >= settling))
        throw refused(asked, answer);
      const seconds = retryAfter(answer) ?? Math.min(2 ** tries, 15);
      waited += seconds;
      await pause(seconds);
    }
  }

  async #attempt({ method, url, body, text, anonymous }: Asked): Promise<Answer> {
    const type = text?.type ?? (body === undefined ? undefined : "application/json");
    const told = anonymous ? new Headers() : new Headers(await this.#login());
    if (type !== undefined) told.set("content-type", type);
    const content = text?.content ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = this.#http.request<string>({
      ...{ method, url, headers: told, retry: false, redirect: "manual", responseType: "text", ...timed },
      ...{ size: maxAnswer, validateStatus: () => true },
      ...(content === undefined ? {} : { body: content }),
    });
    const { status, headers, data } = await request.catch((error: unknown) => {
      throw isTooLong(error) ? tooLong(`The answer to ${method} ${pathOf(url)}`) : error;
    });
    return answerOf(status, headers, typeof data === "string" ? data : "", url.includes("alt=media"));
  }

  /** The header with an access token. The library repeats its own requests, so a failure is final. */
  async #login(): Promise<Headers> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("No answer arrived in time.")), loginTimeout);
    });
    try {
      const client = await this.connection.credentials();
      const headers = await Promise.race([client.getRequestHeaders(), late]);
      const [, token = ""] = /^Bearer (.+)$/.exec(new Headers(headers).get("authorization") ?? "") ?? [];
      if (token === "" || token === "undefined") throw new Error("The answer to the login contains no access token.");
      keepSecret(token);
      return headers;
    } catch (error) {
      throw error instanceof CloudError ? error : noToken(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether the library stopped reading at the size that it was given. */
function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    (error as { type?: unknown }).type === "max-size" || /over limit/.test(error.message) || isTooLong(error.cause)
  );
}

/** Whether an error is an answer. One without a code is not Google's, but for example a proxy's. */
function isExpected({ expect }: Asked, { code, message }: Answer): boolean {
  return code !== "" && expect?.test(code) === true && !policyViolation.test(message);
}

/** Cloud Storage gives a violation of an organization policy the code of a conflict. */
const policyViolation = /public access prevention|belong to a permitted customer/i;

/** How long Google asks to wait, in seconds: it names seconds or a date. At most 2 minutes. */
function retryAfter(answer: Answer | undefined): number | undefined {
  const text = answer?.header("retry-after") ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 120) : undefined;
}

/** @param isMedia the content of an object, which is not JSON for us. */
function answerOf(status: number, headers: Headers, text: string, isMedia: boolean): Answer {
  const isJson = headers.get("content-type")?.includes("json") === true && !(isMedia && status < 300);
  const value = isJson && text !== "" ? (JSON.parse(text) as Value) : null;
  const error = valueAt(value, ["error"]) ?? null;
  const [first = null] = listAt(error, ["errors"]);
  const code = textAt(error, ["status"]) || textAt(first, ["reason"]) || (/<Code>(\w+)</.exec(text)?.[1] ?? "");
  const message = textAt(error, ["message"]) || (/<Message>([^<]*)/.exec(text)?.[1] ?? "");
  const details = listAt(error, ["details"]);
  const requestId = details.map((one) => textAt(one, ["requestId"])).find((one) => one !== "");
  const constraint = /"(constraints\/[\w.]+)"/.exec(text)?.[1];
  return {
    requestId: requestId ?? headers.get("x-guploader-uploadid") ?? "",
    ...{ status, value, text, header: (name) => headers.get(name) ?? "" },
    // Cloud Storage answers to a request for content in plain text.
    code: status < 300 ? "" : code || (isMedia && status === 404 ? "notFound" : ""),
    message: constraint === undefined || message.includes(constraint) ? message : `${message} (${constraint})`,
  };
}

/** Whether a request changes something: Google reads policies with POST. */
function changes({ method, url }: Asked): boolean {
  return method !== "GET" && !/:getIamPolicy\b/.test(url);
}
