// What the services share.
import { createHash } from "node:crypto";
import { AwsError } from "./errors.mjs";

/** @import { Need, Situation, Tag } from "./types.ts" */

/** The time of every event: no test is about time. */
export const date = "2024-01-01T00:00:00Z";

/** An ID that is the same in every run. @param {string} prefix @param {string} of @param {number} length */
export function idOf(prefix, of, length) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bytes = createHash("sha256").update(of).digest();
  const id = Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
  return `${prefix}${id}`.slice(0, length);
}

/** Condition keys of the tags in a request. @param {Tag[]} tags @returns {NonNullable<Need["keys"]>} */
export function requestTags(tags) {
  const each = tags.map(({ Key, Value }) => [`aws:RequestTag/${Key}`, Value]);
  return { ...Object.fromEntries(each), "aws:TagKeys": tags.map(({ Key }) => Key) };
}

/** Condition keys of the tags of a resource. @param {Tag[]} tags @returns {NonNullable<Need["keys"]>} */
export function resourceTags(tags, prefix = "aws") {
  return Object.fromEntries(tags.map(({ Key, Value }) => [`${prefix}:ResourceTag/${Key}`, Value]));
}

/** Merges tags: the value of an existing key changes in place. @param {Tag[]} tags @param {Tag[]} more */
export function tagged(tags, more, same = (/** @type {string} */ key) => key) {
  const result = tags.map((tag) => more.find(({ Key }) => same(Key) === same(tag.Key)) ?? tag);
  const added = more.filter(({ Key }) => !tags.some((tag) => same(tag.Key) === same(Key)));
  return [...result, ...added].map(({ Key, Value = "" }) => ({ Key, Value }));
}

/** @param {Tag[]} tags @param {string} code of the error. */
export function checkTags(tags, code, same = (/** @type {string} */ key) => key) {
  const keys = tags.map(({ Key }) => same(Key));
  if (new Set(keys).size < keys.length) {
    throw new AwsError(code, "Duplicate tag keys found. Please note that Tag keys are case insensitive.");
  }
  for (const { Key, Value = "" } of tags) {
    if (/^aws:/i.test(Key)) throw new AwsError(code, "Tag keys that start with aws: are reserved for system use");
    if ([...Key].length > 128 || [...Value].length > 256) throw new AwsError(code, "A tag is too long");
    if (!/^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(Key + Value)) {
      throw new AwsError(code, `A tag has characters that are not allowed: ${Key}=${Value}`);
    }
  }
  if (tags.length > 50) throw new AwsError("LimitExceeded", "The number of tags has reached the maximum limit.");
}

/** A policy's document, read. @param {string} text @param {string} code of the error. */
export function policyDocument(text, code) {
  try {
    const document = JSON.parse(text);
    const statements = [document.Statement].flat();
    const whole = statements.every(
      (statement) => ["Allow", "Deny"].includes(statement?.Effect) && (statement.Action ?? statement.NotAction),
    );
    if (document.Version !== undefined && !/^20(08-10|12-10)-17$/.test(document.Version))
      throw new Error("its version");
    if (whole) return document;
  } catch {
    // Said below.
  }
  throw new AwsError(code, "Syntax errors in policy.");
}

/** @param {Situation} situation @param {string} service @param {string} rest @param {boolean} global of no region and account. */
export function arn({ state }, service, rest, global = false) {
  return `arn:${state.partition}:${service}::${global ? "" : state.account}:${rest}`;
}

/** @template T @param {Record<string, T>} map @param {string} name @returns {T | undefined} */
export function own(map, name) {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
