import { canonicalJson } from "../core/json.ts";
import type { Value } from "../core/resource.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import { isLoopback } from "../network/loopback.ts";
import { pace, pause } from "../network/pace.ts";
import { redacted } from "../network/secrets.ts";

export { pace, pause };

/*
 * What the clients of all clouds share: errors, waiting, and endpoints.
 */

/** A request that failed, or an answer that cannot be right. */
export class CloudError extends Error {
  /** The cloud's own code, such as `AuthorizationFailed`; "" if there was no answer. */
  readonly code: string;
  readonly status: number;

  /** @param message names the request, what the cloud said, its request ID, and the cure if it is known. Secrets in it are replaced. */
  constructor(message: string, code = "", status = 0) {
    super(redacted(message));
    this.code = code;
    this.status = status;
  }
}

/** An error for credentials that are for another account than the package's. @param found what they are for: a beginning. */
export function otherAccount(found: string, wanted: string): CloudError {
  return new CloudError(`${found}, but the package is for ${wanted}. Nothing was changed.`, "account");
}

/** An error for files that cannot be what was rendered: credentials must not go elsewhere. */
export function invalidPackage(problem: string): CloudError {
  return new CloudError(`The package is not valid: ${problem}. Render or export it again.`);
}

/** What an API over HTTP answered. */
export interface Answer {
  readonly status: number;
  /** The JSON of the answer; null if it has none. */
  readonly value: Value;
  readonly text: string;
  header(name: string): string;
}

/** Whether a successful answer is one that the cloud gives to a request. */
export type Form = (answer: Answer) => boolean;

/** One request to an API over HTTP. */
export interface Asked {
  /** What a successful answer must have to count. */
  readonly form: Form;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  /** The codes of errors that are answers. */
  readonly expect?: RegExp;
  /** Errors that something new causes for a while: repeated for minutes. */
  readonly repeat?: RegExp;
}

/** A URL as messages name it. */
export function pathOf(url: string): string {
  return url.replace(/\?.*$/, "");
}

/** What a cloud says of an error; "" for what it does not say. */
export interface Said {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

/**
 * The error of an answer: it names the request, and the code, the message and the ID of the answer.
 *
 * @param what the request.
 * @param fix what the user can do, if it is known: a sentence.
 */
export function refusedRequest(what: string, said: Said, fix: string | undefined, code = said.code): CloudError {
  const [line = ""] = said.message.split("\n");
  const parts = [`${said.status}`, said.code, line === said.code ? "" : line].filter((part) => part !== "");
  const id = said.requestId === "" ? "" : ` Request ID ${said.requestId}.`;
  const text = `${what}: ${sentence(parts.join(" "))}${id}${fix === undefined ? "" : ` ${fix}`}`;
  return new CloudError(text, code, said.status);
}

/** How long an answer may be, in bytes: what is longer would use up the memory. The largest page of a list has some megabytes. */
export const maxAnswer = 64 * 1024 * 1024;

/** The error of an answer that is longer. @param what the request, if it is known. */
export function tooLong(what: string): CloudError {
  return new CloudError(`${what} is longer than ${maxAnswer / 1024 / 1024} MiB, and is not read.`);
}

/** One page of a list. */
export interface ListPage<Entry, Marker> {
  readonly entries: readonly Entry[];
  /** Where the next page begins; undefined on the last page. */
  readonly next: Marker | undefined;
}

/** How many entries a list may have, and how many pages: what is longer would use up the memory, or never end. */
const maxEntries = 200_000;
const maxPages = 1000;

/**
 * Reads all pages of a list. A page that cannot be read makes the whole list unknown.
 *
 * @param what the list, for messages.
 * @param isEnough whether what was read of it is sufficient, so that the rest is not read.
 * @throws CloudError also if a page begins where an earlier one began, or if the list is longer than any that is expected.
 */
export async function allPages<Entry, Marker extends Value>(
  what: string,
  read: (from: Marker | undefined) => Promise<ListPage<Entry, Marker>>,
  isEnough: (page: readonly Entry[]) => boolean = () => false,
): Promise<Entry[]> {
  const all: Entry[] = [];
  const markers = new Set<string>();
  for (let from: Marker | undefined; ; ) {
    const { entries, next } = await read(from);
    for (const entry of entries) all.push(entry);
    if (all.length > maxEntries || markers.size >= maxPages)
      throw new CloudError(
        `${what}: the list is longer than ${maxEntries} entries or ${maxPages} pages, and is not read.`,
      );
    if (next === undefined || isEnough(entries)) return all;
    const marker = canonicalJson(next);
    if (markers.has(marker))
      throw new CloudError(`${what}: the list does not end, because a page refers to an earlier one. ${reported}`);
    markers.add(marker);
    from = next;
  }
}

const reported =
  "Run the same command again. If that does not help, report the request to the operator of the endpoint.";

/** Where that helps. */
const again = " Run the same command again.";

/** A text with a period at its end. */
export function sentence(text: string): string {
  return text.replace(/\.?$/, ".");
}

/** Runs something for each of a list, at most so many at a time; the results are in the order of the list. */
export async function inParallel<A, B>(list: readonly A[], width: number, each: (one: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  const waiting = list.entries();
  const worker = async () => {
    for (const [index, one] of waiting) results[index] = await each(one);
  };
  await Promise.all(Array.from({ length: Math.min(width, list.length) }, worker));
  return results;
}

/** Waits for minutes. @param otherwise what is wrong if it does not become true: a sentence. @throws CloudError that begins with it. */
export async function until(otherwise: () => string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    if (await isTrue()) return;
    await pause(Math.min(2 ** tries, 10));
  }
  throw new CloudError(`${sentence(otherwise().replace(again, ""))}${again}`);
}

/** Spaces requests that a cloud limits to so many a second. */
export class Turns {
  readonly #perSecond: number;
  readonly #next = new Map<string, number>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Resolves when the next request may be sent. @param what is limited: each text has a limit of its own. */
  async wait(what: string): Promise<void> {
    const now = Date.now();
    const at = Math.max(now, this.#next.get(what) ?? 0);
    this.#next.set(what, at + pace.second / this.#perSecond);
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }
}

/** Remembers which packages of a run have which resource prefix: two clusters with one prefix would own each other's resources. */
export class Prefixes {
  readonly #wanted = new Map<string, string>();
  readonly #owners = new Map<string, string>();

  /**
   * @param home the account or project, as people call it: `account 123456789012`.
   * @param mark of the package: packages of teams have the prefix of their cluster.
   * @param wanted the resources of the package.
   * @throws CloudError if another package with other resources has the prefix and the mark there, or makes a resource of this one.
   */
  add(
    home: string,
    { prefix, mark }: { readonly prefix: string; readonly mark: string },
    wanted: readonly Pick<WantedResource, "kind" | "id" | "name" | "shared" | "body">[],
  ): void {
    const [key, content] = [`${home} ${prefix} ${mark}`, canonicalJson(wanted.map(({ body }) => body))];
    const twice = wanted.find(
      ({ id, shared }) => shared !== true && (this.#owners.get(`${home} ${id}`) ?? key) !== key,
    );
    if (twice !== undefined)
      throw new CloudError(
        `Another of these packages makes the ${twice.kind} ${twice.name} in the ${home}, too. Nothing was changed for this one. Rename one of the identities, or remove it from one of the packages.`,
      );
    for (const { id, shared } of wanted) if (shared !== true) this.#owners.set(`${home} ${id}`, key);
    if ((this.#wanted.get(key) ?? content) !== content)
      throw new CloudError(
        `Another of these packages has the resource prefix ${prefix} in the ${home}, too. Nothing was changed for this one. Give each cluster its own spec.resourcePrefix.`,
      );
    this.#wanted.set(key, content);
  }
}

/** What something returns, or why that is not known. */
export async function attempt<T>(read: () => Promise<T>): Promise<T | { readonly problem: string }> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return { problem: error.message };
  }
}

/**
 * The endpoint in an environment variable, without a trailing slash; undefined if it is not set.
 *
 * @param placeholder a text in it that is replaced with a name later; the form is checked with a name.
 * @throws CloudError if it is not an https URL: access tokens would go there unprotected.
 */
export function endpointIn(name: string, environment: NodeJS.ProcessEnv, placeholder?: string): string | undefined {
  const text = environment[name];
  if (text === undefined || text === "") return undefined;
  const named = placeholder === undefined ? text : text.replaceAll(placeholder, "name");
  const url = URL.canParse(named) ? new URL(named) : undefined;
  const isLocal = url !== undefined && isLoopback(url.hostname);
  if (url === undefined || (url.protocol !== "https:" && !(isLocal && url.protocol === "http:")) || url.search !== "")
    throw new CloudError(`${name} must be an https URL; only on this machine it may be http.`);
  return text.replace(/\/$/, "");
}
