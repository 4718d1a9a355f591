/** @import { Value } from "./types.ts" */

/** What a route gives if it is not just a body. */
export class Answer {
  /** @param {number} status @param {Value} [body] @param {Record<string, string>} [headers] */
  constructor(status, body, headers) {
    this.response = { status, body, ...(headers && { headers }) };
  }
}
