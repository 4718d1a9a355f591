// The AWS CLI's own notation for mappings: `Key=a,Value=b`, `Items=[a,b]`, `Tags={Key=a}`.
import { isMapping } from "../amazon/parameters.mjs";

/**
 * @import { Value } from "../amazon/types.ts"
 * @import { Shape } from "../amazon/parameters.mjs"
 */

/** @param {string} text @returns {Record<string, Value>} */
export function parseShorthand(text) {
  return new Parser(text).mapping("");
}

const key = /[A-Za-z0-9_.\-#/:]+(?==)/y;

class Parser {
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @param {string} end the brace that ends it, or nothing. @returns {Record<string, Value>} */
  mapping(end) {
    /** @type {Record<string, Value>} */
    const mapping = {};
    do {
      key.lastIndex = this.#at;
      const name = key.exec(this.#text)?.[0];
      if (name === undefined) throw this.#expected("=");
      this.#at += name.length + 1;
      mapping[name] = this.#value(end);
    } while (this.#take(","));
    if (end === "" ? this.#at < this.#text.length : !this.#take(end)) throw this.#expected(end || ",");
    return mapping;
  }

  /** A value of a mapping: more than one, separated by commas, are a list. @param {string} end @returns {Value} */
  #value(end) {
    const next = this.#text[this.#at];
    if (next === "[" || next === "{") return this.#nested();
    const values = [this.#scalar(end)];
    while (this.#text[this.#at] === "," && !this.#keyFollows()) {
      this.#at += 1;
      if (this.#at < this.#text.length) values.push(this.#scalar(end));
    }
    return values.length === 1 ? values[0] : values;
  }

  /** @returns {Value} */
  #nested() {
    if (this.#take("{")) return this.mapping("}");
    this.#at += 1;
    const list = [];
    while (!this.#take("]")) {
      const next = this.#text[this.#at];
      list.push(next === "[" || next === "{" ? this.#nested() : this.#scalar("]"));
      if (!this.#take(",") && this.#text[this.#at] !== "]") throw this.#expected(",");
    }
    return list;
  }

  #keyFollows() {
    key.lastIndex = this.#at + 1;
    return key.test(this.#text);
  }

  /** @param {string} end */
  #scalar(end) {
    const quote = this.#text[this.#at];
    if (quote === '"' || quote === "'") return this.#quoted(quote);
    let value = "";
    while (this.#at < this.#text.length && this.#text[this.#at] !== "," && this.#text[this.#at] !== end) {
      if (this.#text[this.#at] === "\\" && this.#text[this.#at + 1] === ",") this.#at += 1;
      value += this.#text[this.#at];
      this.#at += 1;
    }
    // Only at the end, the CLI accepts an empty value.
    if (value === "" && end !== "") throw this.#expected(",");
    return value.trim();
  }

  /** @param {string} quote */
  #quoted(quote) {
    let value = "";
    for (this.#at += 1; this.#text[this.#at] !== quote; this.#at += 1) {
      if (this.#at >= this.#text.length) throw this.#expected(quote);
      if (this.#text[this.#at] === "\\") this.#at += 1;
      value += this.#text[this.#at] ?? "";
    }
    this.#at += 1;
    return value;
  }

  /** @param {string} what */
  #take(what) {
    const there = this.#text.startsWith(what, this.#at);
    if (there) this.#at += what.length;
    return there;
  }

  /** @param {string} what */
  #expected(what) {
    const received = this.#text[this.#at] ?? "EOF";
    return new SyntaxError(`Expected: '${what}', received: '${received}' for input:\n${this.#text}`);
  }
}

/** Texts of the notation as the types that the parameter has. @param {Value} value @param {Shape | undefined} shape @returns {Value} */
export function typed(value, shape) {
  if (shape === undefined) return value;
  if (shape.type === "list") {
    const list = Array.isArray(value) ? value : [value];
    return list.map((value) => typed(value, shape.item));
  }
  if (shape.type === "structure" && isMapping(value)) {
    const members = Object.entries(value).map(([name, one]) => [name, typed(one, shape.members?.get(name))]);
    return Object.fromEntries(members);
  }
  if (shape.type === "int" && typeof value === "string") return Number(value);
  if (shape.type === "bool" && typeof value === "string") return value.toLowerCase() === "true";
  return value;
}
