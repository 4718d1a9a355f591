import { sha256 } from "../core/hash.ts";
import { canonicalJson, readJson } from "../core/json.ts";
import { listAt, textAt, type Value } from "../core/resource.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import { attempt, CloudError, pause } from "./requests.ts";
import type { Extra, Live, Reading, Refusal } from "./resource.ts";

/*
 * What the documents of issuers have in common, wherever a cloud keeps them.
 */

/** The content of a document in a plan: short, and different if the content is. */
export function contentDigest(text: string): string {
  return `sha256:${sha256(text).toString("hex").slice(0, 16)}, ${Buffer.byteLength(text)} bytes`;
}

/** The keys of a document, in its order; none if it is not one with keys. */
export function keysIn(text: string): readonly Value[] {
  const json = readJson(text || "{}");
  return "value" in json ? listAt(json.value, ["keys"]) : [];
}

/** Identifies a key: by its ID, or by its content if it has none. */
export function keyName(key: Value): string {
  return textAt(key, ["kid"]) || `without an ID, sha256:${sha256(canonicalJson(key)).toString("hex").slice(0, 16)}`;
}

/** The names of the keys of a document, in its order. */
export function keyNames(text: string): string[] {
  return keysIn(text).map(keyName);
}

/**
 * Why keys are refused that all are unknown: the owner mark names a prefix, and another repository may use the same.
 *
 * @param which the keys, for the message.
 */
export function strangeKeys(
  found: readonly string[],
  own: readonly string[],
  which = "the keys that it publishes",
): Refusal | undefined {
  if (found.length === 0 || found.some((kid) => own.includes(kid))) return undefined;
  return maybeOther(`none of ${which} is in the package (${found.join(", ")})`, "all keys", "replace-key");
}

/**
 * Why an identity is refused that trusts only issuers that are unknown here, as {@link strangeKeys} says.
 *
 * @param found the issuers, as the cloud names them.
 */
export function strangeIssuers(found: readonly string[], own: readonly (string | undefined)[]): Refusal | undefined {
  const [first] = found;
  if (first === undefined || found.some((one) => own.includes(one))) return undefined;
  return maybeOther(`it trusts only ${first}, which is not an issuer of this package`, "its issuer", "replace-issuer");
}

/**
 * Refuses what may be another cluster's, although it has the owner mark.
 *
 * @param found what shows it: the beginning of a sentence.
 * @param what the package may replace, and which value of `--allow` says that it does.
 */
export function maybeOther(found: string, what: string, allow: "replace-key" | "replace-issuer"): Refusal {
  const reason = `${found}, so it may be another cluster's; if the package replaces ${what}, use --allow ${allow}`;
  return { reason, allow };
}

/**
 * The reading of a document that was found.
 *
 * @param etag what makes a change conditional; "" if the cloud gave none.
 */
export function documentReading(
  { id, value, owner }: Pick<Live, "id" | "value" | "owner">,
  etag: string,
  refusal: Refusal | undefined,
): Reading {
  const found = etag === "" ? {} : { etag };
  const refused = refusal === undefined ? {} : { refusal };
  return { state: "present", live: { id, value, owner, ...found, ...refused } };
}

/** An error for something that is not what was written. @param what with its kind, if the name does not say it. */
export function changedMeanwhile(what: string): CloudError {
  return new CloudError(`${what} changed while it was written. Run the same command again to see a new plan.`);
}

/** What a reader without credentials gets. */
export interface PublicAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * A document that is right in its storage, but that everyone reads differently, or not at all; undefined if all read it.
 *
 * @param where everyone reads it, for messages: ` at https://issuer.example`, or "".
 * @param read sends one request without credentials. Rejects with a CloudError if its answer is not known.
 * @param hint what the reader must know of a wrong answer: the end of a sentence, or "".
 */
export async function hiddenDocument(
  wanted: WantedResource,
  where: string,
  read: () => Promise<PublicAnswer>,
  isRight: (text: string) => boolean,
  hint = "",
): Promise<Extra | undefined> {
  const answer = await attempt(read);
  if ("problem" in answer) return unreadDocument(wanted, where, answer.problem);
  const { status, text } = answer;
  if (status === 200 && isRight(text)) return undefined;
  const found = status === 200 ? "gets something else" : `gets status ${status}`;
  return { ...baseOf(wanted), kept: `everyone who reads it${where} without credentials ${found}${hint}` };
}

/** A document that could not be read as everyone. What the cloud reads is not known: a run goes on, and a status cannot tell. */
export function unreadDocument(wanted: WantedResource, where: string, problem: string): Extra {
  const said = problem.replace(/\.?( Run the same command again\.)?$/, "");
  const kept = `it could not be read${where} without credentials (${said}); to omit this check, use --no-fetch`;
  return { ...baseOf(wanted), kept, unread: true };
}

/**
 * A rule of the storage that takes the documents from their readers some day. Only a person can say what else it is for.
 *
 * @param storage the bucket or the storage account. @param rule its name. @param effect "deletes keys.json".
 */
export function hidingRule({ kind, id, name }: WantedResource, rule: string, effect: string): Extra {
  const kept = `its lifecycle rule ${rule} ${effect}, and then no token is accepted; remove the rule, or exclude the documents from it`;
  const live = { id, value: {}, owner: "own" } as const;
  return { kind, id: `${id}#lifecycle ${rule}`, name, live, needs: [], kept, breaksIssuer: true };
}

function baseOf({ kind, id, name }: WantedResource) {
  const live = { id, value: {}, owner: "own" } as const;
  return { kind, id: `${id}#public`, name, live, needs: [], breaksIssuer: true } as const;
}

/**
 * Waits until everyone reads what was written. Without an answer, it does not wait any longer: the next status says that it cannot
 * tell.
 *
 * @throws CloudError that names the document, and ends with the advice.
 */
export async function waitUntilServed(
  document: string,
  read: () => Promise<PublicAnswer>,
  isRight: (text: string) => boolean,
  tries: number,
  advice: string,
): Promise<void> {
  for (let left = tries; ; left--) {
    const answer = await attempt(read);
    if ("problem" in answer || (answer.status === 200 && isRight(answer.text))) return;
    if (left <= 0)
      throw new CloudError(`${document} was written, but everyone who reads it gets something else. ${advice}`);
    await pause(Math.min(2 ** (tries - left), 15));
  }
}
