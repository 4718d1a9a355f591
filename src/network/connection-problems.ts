import { proxiesIn } from "./secrets.ts";

/*
 * Why no answer arrived, or one that is not the server's, and what the user can do about it. Nothing here repeats the user name
 * or the password of a proxy.
 */

/** Why a connection failed. */
export interface ConnectionProblem {
  /** What failed: the end of a message, without a period. */
  readonly said: string;
  /** Sentences. */
  readonly cure: string;
  /** Whether the same request fails again, so that it is not repeated. */
  readonly isLasting: boolean;
}

/**
 * The codes of certificates that this machine does not trust (Node.js documentation, "X509 certificate error codes"), and
 * what to do.
 */
const certificates: readonly (readonly [RegExp, (environment: NodeJS.ProcessEnv) => string])[] = [
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    () => "Check the clock of this machine. If it is right, the certificate must be renewed.",
  ],
  [
    /^(UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)|(DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?|CERT_(UNTRUSTED|REJECTED|SIGNATURE_FAILURE)|INVALID_CA)$/,
    ({ NODE_EXTRA_CA_CERTS: file = "" }) =>
      file === ""
        ? "Set NODE_EXTRA_CA_CERTS to a file with the CA certificate of the endpoint, or of the proxy that intercepts the connection."
        : "NODE_EXTRA_CA_CERTS must name a readable file that contains the CA certificate of the endpoint, or of the proxy that intercepts the connection.",
  ],
];

const wrongName = "ERR_TLS_CERT_ALTNAME_INVALID";
/** Nothing listens there, or its name is unknown. */
const unreachable = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EPROTO|ERR_SSL_\w+)$/;

/**
 * Why no answer arrived.
 *
 * @param error of Node.js, or one that a client library made of it.
 * @param url of the request; "" if it is not known.
 */
export function connectionProblem(error: unknown, url = "", environment = process.env): ConnectionProblem {
  const { code, message } = rootOf(error);
  const certificate = certificates.find(([codes]) => codes.test(code))?.[1];
  if (certificate !== undefined) return { said: message, cure: certificate(environment), isLasting: true };
  const network = networkCure(url, environment);
  if (code === wrongName) return { said: message, cure: network, isLasting: true };
  if (unreachable.test(code)) return { said: message, cure: network, isLasting: false };
  const isNetwork =
    /^(E[A-Z]+|ERR_STREAM_PREMATURE_CLOSE)$/.test(code) ||
    /proxy connection|timed? ?out|no answer|aborted/i.test(message);
  const again = "Run the same command again.";
  return { said: message, cure: isNetwork ? `${network} ${again}` : again, isLasting: false };
}

/** Whether an error is one of a connection, not an answer. */
export function isConnectionError(error: unknown): boolean {
  const { code, message } = rootOf(error);
  const isCertificate = code === wrongName || certificates.some(([codes]) => codes.test(code));
  return (
    isCertificate ||
    unreachable.test(code) ||
    /^(ECONN|ETIMEDOUT|EPIPE)/.test(code) ||
    /proxy connection/i.test(message)
  );
}

/** Whether a message of V8 or JavaScriptCore is about a text that is not JSON. It can repeat the text, with a token. */
export function isBrokenJson(message: string): boolean {
  return /^(?:JSON Parse error|Unexpected (?:token|end|number|string|non-whitespace)|Expected .* in JSON|Unterminated string|Bad (?:control|escaped))/.test(
    message,
  );
}

/** Whether a message of V8 or JavaScriptCore is about an answer that a library could not read, and says nothing to a user. */
export function isUnreadAnswer(message: string): boolean {
  return (
    isBrokenJson(message) ||
    /^(?:Cannot (?:read|set|create) propert|(?:undefined|null) is not |Attempted to assign)/.test(message)
  );
}

/** What to do if a proxy demands a user name and a password: HTTP status 407. */
export function proxyLogin(environment = process.env): string {
  const [proxy] = proxiesIn(environment);
  if (proxy === undefined)
    return "A proxy demands a user name and a password. Set HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT.";
  const hasUser = /^[^/]*\/\/[^/]*@/.test(proxy.text);
  return hasUser
    ? `The proxy in ${named(proxy)} does not accept the user name and the password in this variable. Correct them; characters such as @, :, and / must be percent-encoded.`
    : `The proxy in ${named(proxy)} demands a user name and a password. Set ${proxy.name} to http://USER:PASSWORD@HOST:PORT.`;
}

/** What to do if something else answered for the server. @param url of the request; "" if it is not known. */
export function webPageCure(url = "", environment = process.env): string {
  return `A proxy or a login page of the network probably answered. ${networkCure(url, environment)}`;
}

/**
 * What is wrong with the variables for proxies, and what to do: one that contains no URL, because the libraries fail in ways that do
 * not show it.
 *
 * @returns undefined if nothing is wrong.
 */
export function invalidProxy(environment: NodeJS.ProcessEnv): string | undefined {
  const wrong = proxiesIn(environment).find(
    ({ text }) => !URL.canParse(/^\w+:\/\//.test(text) ? text : `http://${text}`),
  );
  return wrong === undefined
    ? undefined
    : `${wrong.name} is not a URL. Set it to a URL such as http://proxy.example.com:3128; in a user name and a password, characters such as @, :, and / must be percent-encoded.`;
}

/** Where the way to the server is set. */
function networkCure(url: string, environment: NodeJS.ProcessEnv): string {
  const host = URL.canParse(url) ? new URL(url).host : "";
  const endpoint = Object.entries(environment).find(
    ([name, text = ""]) =>
      /(?<!^IDENTITY|^MSI)_ENDPOINT|_AUTHORITY_HOST$/.test(name) &&
      host !== "" &&
      URL.canParse(text) &&
      new URL(text).host === host,
  )?.[0];
  const where = endpoint === undefined ? "" : `the endpoint in ${endpoint}, and `;
  const [proxy] = proxiesIn(environment);
  if (proxy === undefined) return `Check ${where}the network. If it requires a proxy, set HTTPS_PROXY.`;
  return `Check ${where}the proxy in ${named(proxy)}. If ${host === "" ? "the host" : new URL(url).hostname} needs no proxy, add it to NO_PROXY.`;
}

/** A variable with the address of its proxy, without its user and password. */
function named({ name, text }: { readonly name: string; readonly text: string }): string {
  const url = /^\w+:\/\//.test(text) ? text : `http://${text}`;
  return URL.canParse(url) ? `${name} (${new URL(url).host})` : name;
}

/** The code and the message of what failed first: libraries wrap it. */
function rootOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: "", message: "" };
  const { code } = error as { code?: unknown };
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const wrapped = inner instanceof Error ? rootOf(inner) : undefined;
  const [line = ""] = error.message.replace(/^.* failed, reason: /s, "").split("\n");
  const own = typeof code === "string" && /^[A-Z]/.test(code) ? code : "";
  return { code: own || (wrapped?.code ?? ""), message: line || (wrapped?.message ?? own) };
}
