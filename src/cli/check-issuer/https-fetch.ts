import type { IncomingMessage } from "node:http";
import { decodeUtf8 } from "../../yaml/decode.ts";

/** What a server answered. */
export interface Fetched {
  readonly status: number;
  /** Where it sends whoever asks, if it does. */
  readonly location: string | undefined;
  /** The document; empty where the status is not 200. */
  readonly text: string;
}

/** Why there is no answer. */
export interface NotFetched {
  readonly reason: "timeout" | "certificate" | "untrusted" | "no TLS" | "not UTF-8" | "too large" | "unreachable";
  /** The code or words of the system. */
  readonly detail: string;
}

/** A server: a name or an address, without brackets, and a port. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

/** How to fetch. */
export interface FetchOptions {
  /** In milliseconds, for the whole answer. */
  readonly timeout: number;
  /** Authorities beside those of Node. */
  readonly ca: string | undefined;
  /** The server that is asked, whichever the URL names; which name it must have is said by the URL all the same. */
  readonly server: Server | undefined;
}

/** No document of an issuer comes near to it. */
const maxBytes = 1 << 20;

/** Fetches a document once, as anybody could: over TLS, without credentials, cookies or proxies, following no redirect. */
export function fetchOnce(url: string, { timeout, ca, server }: FetchOptions): Promise<Fetched | NotFetched> {
  const { request } = process.getBuiltinModule("node:https");
  const { checkServerIdentity, rootCertificates } = process.getBuiltinModule("node:tls");
  const { host, hostname } = new URL(url);
  return new Promise((resolve) => {
    const asked = request(url, {
      agent: false,
      // TLS takes the server's name from this host. An address is no such name, and is compared below.
      headers: { host, accept: "application/json", "user-agent": "ccf-check-issuer" },
      ...(server === undefined ? {} : { hostname: server.host, port: server.port }),
      checkServerIdentity: (_, certificate) => checkServerIdentity(withoutBrackets(hostname), certificate),
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    });
    const timer = setTimeout(
      () => end({ reason: "timeout", detail: `no whole answer within ${timeout / 1000} s` }),
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

/** The host of a URL, an IPv6 address without the brackets that it has there. */
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
    // Of an answer that is not the document only the status is looked at.
    const text = status === 200 ? decodeUtf8(bytes) : "";
    if (text === undefined) end({ reason: "not UTF-8", detail: "a byte that no text in UTF-8 has" });
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
