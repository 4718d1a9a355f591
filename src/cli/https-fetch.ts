import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { checkServerIdentity, rootCertificates } from "node:tls";
import { decodeUtf8 } from "../core/text.ts";

/** A server's response. */
export interface Fetched {
  readonly status: number;
  /** The target of a redirect, if any. */
  readonly location: string | undefined;
  /** The document; empty if the status is not 200. */
  readonly text: string;
}

/** Why there is no response. */
export interface NotFetched {
  readonly reason: "timeout" | "certificate" | "untrusted" | "no TLS" | "not UTF-8" | "too large" | "unreachable";
  /** The error code or message of the system. */
  readonly detail: string;
}

/** A server: a name or an address, without brackets, and a port. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

/** How to fetch. */
export interface FetchOptions {
  /** In milliseconds, for the whole response. */
  readonly timeout: number;
  /** Authorities in addition to Node's. */
  readonly ca: string | undefined;
  /** The server to connect to instead of the URL's host. Its certificate must still be for the URL's host. */
  readonly server: Server | undefined;
}

/** Far more than any document of an issuer needs. */
const maxBytes = 1 << 20;

/** Fetches a document once, anonymously: over TLS, without credentials, cookies or proxies. Does not follow redirects. */
export function fetchOnce(url: string, { timeout, ca, server }: FetchOptions): Promise<Fetched | NotFetched> {
  // A host that begins with "xn--": see readUrl.
  if (!URL.canParse(url))
    return Promise.resolve({ reason: "unreachable", detail: "this version of Node.js cannot read the host" });
  const { host, hostname } = new URL(url);
  return new Promise((resolve) => {
    const asked = request(url, {
      agent: false,
      // TLS takes the server name from this header. An IP address is not a valid server name, so it is compared below.
      headers: { host, accept: "application/json", "user-agent": "ccf-check-issuer" },
      ...(server === undefined ? {} : { hostname: server.host, port: server.port }),
      checkServerIdentity: (_, certificate) => checkServerIdentity(withoutBrackets(hostname), certificate),
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    });
    const timer = setTimeout(
      () => end({ reason: "timeout", detail: `no complete response within ${timeout / 1000} s` }),
      timeout,
    );
    const end = (result: Fetched | NotFetched) => {
      clearTimeout(timer);
      asked.destroy();
      resolve(result);
    };
    asked.on("response", (response) => collect(response, end));
    asked.on("error", (error: NodeJS.ErrnoException) => end(problemOf(error)));
    asked.end();
  });
}

/** Removes the brackets that an IPv6 address has in a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

function collect(response: IncomingMessage, end: (result: Fetched | NotFetched) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) end({ reason: "too large", detail: `more than ${maxBytes} bytes` });
    else chunks.push(chunk);
  });
  response.on("end", () => {
    const [status, bytes] = [response.statusCode ?? 0, Buffer.concat(chunks)];
    // Only the status of a response without the document matters.
    const text = status === 200 ? decodeUtf8(bytes) : "";
    if (text === undefined) end({ reason: "not UTF-8", detail: "invalid UTF-8 bytes" });
    else end({ status, location: response.headers.location, text });
  });
  response.on("error", (error: NodeJS.ErrnoException) => end(problemOf(error)));
}

const untrusted = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function problemOf({ code = "", message }: NodeJS.ErrnoException): NotFetched {
  if (untrusted.has(code)) return { reason: "untrusted", detail: code };
  if (code.startsWith("CERT_") || code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return { reason: "certificate", detail: code };
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return { reason: "no TLS", detail: code };
  return { reason: "unreachable", detail: code === "" ? message : code };
}
