import { type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import type { FindingError } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { ProxiedAgent } from "../../network/agent.ts";
import { connectionProblem, invalidProxy } from "../../network/connection-problems.ts";
import { isLoopback } from "../../network/loopback.ts";
import { pace, pause } from "../../network/pace.ts";
import { keepProxyPasswords } from "../../network/secrets.ts";
import { imageError } from "../problem.ts";

/*
 * Requests over HTTP to registries: redirects, repeats, and limits of time. Not `fetch`, which ignores proxies on Node.js 20, and
 * undoes content encodings, so that the digest of a blob would differ.
 */

/** How long a server may be silent, in seconds. */
const maxSilence = 30;
/** How often a request is sent that was limited, that the server failed at, or whose answer did not arrive. */
export const maxAttempts = 5;
/** The longest wait that a server can ask for, in seconds. */
const maxWait = 60;
const maxRedirects = 5;

/** An answer that did not arrive, or not to its end. */
export class LostAnswer extends Error {
  readonly cure: string;
  /** Whether the same request fails again, such as with a certificate that is not trusted. */
  readonly isLasting: boolean;
  /** Whether the answer began to arrive. Otherwise, the request was already repeated. */
  readonly isCutOff: boolean;

  constructor(
    said: string,
    { cure, isLasting = false, isCutOff = false }: { cure: string; isLasting?: boolean; isCutOff?: boolean },
  ) {
    super(said);
    this.cure = cure;
    this.isLasting = isLasting;
    this.isCutOff = isCutOff;
  }
}

/** What a server answered. Its body must be read or discarded. */
export interface RegistryAnswer {
  readonly status: number;
  /** Where the answer is from, after redirects. */
  readonly url: URL;
  /** "" if there is none. */
  header(name: string): string;
  /** The body. @throws LostAnswer */
  parts(): AsyncGenerator<Uint8Array, void>;
  discard(): void;
}

/** A request. */
export interface RegistryRequest {
  readonly accept?: string;
  /** Sent only to the origin of the URL that is asked: never after a redirect to another host, port, or scheme. */
  readonly authorization?: string | undefined;
  /** The form that a POST sends. */
  readonly form?: URLSearchParams;
  /** How often the request is sent at most. */
  readonly attempts?: number;
}

/** Sends requests. */
export class Network {
  readonly #agent = new ProxiedAgent({ keepAlive: true });
  readonly #environment: NodeJS.ProcessEnv;

  /** @throws FindingError "registry-not-reached" if a variable for a proxy is not a URL. */
  constructor(environment: NodeJS.ProcessEnv) {
    const problem = invalidProxy(environment);
    if (problem !== undefined) throw imageError("registry-not-reached", problem);
    keepProxyPasswords(environment);
    this.#environment = environment;
  }

  /**
   * Sends a request, follows redirects, and repeats what may succeed later.
   *
   * @throws LostAnswer if no answer arrived.
   * @throws FindingError "registry-answer-invalid" for a redirect that must not be followed.
   */
  async ask(url: URL, wanted: RegistryRequest): Promise<RegistryAnswer> {
    let [at, authorization] = [url, wanted.authorization];
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#repeated(at, { ...wanted, authorization });
      if (![301, 302, 303, 307, 308].includes(answer.status)) return answer;
      answer.discard();
      if (redirects === maxRedirects) throw badRedirect(url, `more than ${maxRedirects} redirects`);
      const next = targetOf(answer, wanted);
      if (next.origin !== at.origin) authorization = undefined;
      at = next;
    }
  }

  async #repeated(url: URL, wanted: RegistryRequest): Promise<RegistryAnswer> {
    const { attempts = maxAttempts } = wanted;
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts;
      try {
        const answer = await this.#once(url, wanted);
        if (isLast || (answer.status !== 429 && answer.status < 500)) return answer;
        answer.discard();
        await pause(secondsUntil(answer.header("retry-after")) ?? waitAfter(attempt));
      } catch (error) {
        if (isLast || !(error instanceof LostAnswer) || error.isLasting) throw error;
        await pause(waitAfter(attempt));
      }
    }
  }

  #once(url: URL, { accept, authorization, form }: RegistryRequest): Promise<RegistryAnswer> {
    const lost = (error: unknown, isCutOff: boolean) => this.#lost(error, url, isCutOff);
    const body = form?.toString();
    const headers = {
      "user-agent": "ccf",
      // A registry would compress otherwise what its digest describes.
      "accept-encoding": "identity",
      ...(accept === undefined ? {} : { accept }),
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined
        ? {}
        : { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const send = url.protocol === "https:" ? overHttps : overHttp;
      const sent = send(url, { method: body === undefined ? "GET" : "POST", headers, agent: this.#agent });
      const timer = setTimeout(() => sent.destroy(silence()), maxSilence * pace.second);
      sent.on("response", (response) => {
        clearTimeout(timer);
        resolve(answerOf(response, url, (error) => lost(error, true)));
      });
      sent.on("error", (error) => {
        clearTimeout(timer);
        reject(lost(error, false));
      });
      sent.end(body);
    });
  }

  #lost(error: unknown, url: URL, isCutOff: boolean): LostAnswer {
    const { said, cure, isLasting } = connectionProblem(error, url.href, this.#environment);
    return new LostAnswer(said, { cure, isLasting, isCutOff });
  }
}

/** How long to wait after an attempt, in seconds. @param attempt from 1. */
export function waitAfter(attempt: number): number {
  return 2 ** (attempt - 1);
}

function answerOf(response: IncomingMessage, url: URL, lost: (error: unknown) => LostAnswer): RegistryAnswer {
  // An error after the body was discarded means nothing.
  response.on("error", () => undefined);
  return {
    status: response.statusCode ?? 0,
    url,
    header: (name) => [response.headers[name] ?? ""].flat().join(", "),
    parts: () => partsOf(response, lost),
    discard: () => response.destroy(),
  };
}

async function* partsOf(response: IncomingMessage, lost: (error: unknown) => LostAnswer) {
  const iterator = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      // Only the server's silence counts, not the time that the reader of the parts takes.
      const timer = setTimeout(() => response.destroy(silence()), maxSilence * pace.second);
      const { done, value } = await iterator
        .next()
        .catch((error: unknown) => Promise.reject(lost(error)))
        .finally(() => clearTimeout(timer));
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    response.destroy();
  }
}

function silence(): Error {
  return new Error(`timed out: no answer within ${maxSilence} s`);
}

function targetOf(answer: RegistryAnswer, { form }: RegistryRequest): URL {
  const location = answer.header("location");
  const { url } = answer;
  if (form !== undefined) throw badRedirect(url, "a redirect of a request with credentials");
  if (location === "" || !URL.canParse(location, url.href)) throw badRedirect(url, "a redirect without a valid target");
  const next = new URL(location, url);
  const isOpen = next.protocol === "http:" && url.protocol === "http:" && isLoopback(next.hostname);
  if (next.protocol !== "https:" && !isOpen)
    throw badRedirect(url, `a redirect to ${quoteWhole(next.origin)}, without TLS`);
  if (next.username !== "" || next.password !== "") throw badRedirect(url, "a redirect with a user name");
  return next;
}

function badRedirect({ host }: URL, what: string): FindingError {
  return imageError(
    "registry-answer-invalid",
    `${host} answered with ${what}, which is not followed. Report it to the operator of the registry.`,
  );
}

/** The seconds that a header Retry-After asks for (RFC 9110, section 10.2.3), up to the longest wait. */
function secondsUntil(text: string): number | undefined {
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), maxWait);
}
