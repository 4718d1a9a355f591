// The parameters of requests: what is written of them in the tables of operations, and what botocore checks before it sends.
//
//   Name          a text                 Name!      must be there
//   Name:int      bool, int, map, blob   Name>20    at least as long (or, for lists, as many)
//   Name:[X]      a list                 Name:{…}   a mapping
/**
 * @import { Value } from "./types.ts"
 * @typedef {{ type: string, min: number, required: boolean, item?: Shape, members?: Map<string, Shape> }} Shape
 */

/** @type {Map<string, Shape>} */
const read = new Map();

/** @param {string} notation what is between the braces. @returns {Shape} */
export function shapeOf(notation) {
  const known = read.get(notation);
  if (known !== undefined) return known;
  const reader = new Reader(`{${notation}}`);
  const shape = reader.type(false, 0);
  read.set(notation, shape);
  return shape;
}

class Reader {
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text.replace(/\s+/g, "");
  }

  /** @param {string} what */
  #take(what) {
    const there = this.#text.startsWith(what, this.#at);
    if (there) this.#at += what.length;
    return there;
  }

  /** @param {RegExp} pattern one that is sticky. */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  /** @param {boolean} required @param {number} min @returns {Shape} */
  type(required, min) {
    if (this.#take("[")) {
      const item = this.#take("]") ? text : this.#item();
      return { type: "list", required, min, item };
    }
    if (this.#take("{")) return { type: "structure", required, min, members: this.#members() };
    return { type: this.#match(/[a-z]+/y) || "string", required, min };
  }

  #item() {
    const item = this.type(false, this.#min());
    if (!this.#take("]")) throw new Error(`no end of a list: ${this.#text.slice(this.#at)}`);
    return item;
  }

  #min() {
    return this.#take(">") ? Number(this.#match(/\d+/y)) : 0;
  }

  #members() {
    /** @type {Map<string, Shape>} */
    const members = new Map();
    while (!this.#take("}")) {
      const name = this.#match(/[A-Za-z0-9]+/y);
      if (name === "") throw new Error(`no name: ${this.#text.slice(this.#at)}`);
      const required = this.#take("!");
      const min = this.#min();
      members.set(name, this.#take(":") ? this.type(required, min) : { type: "string", required, min });
      this.#take(",");
    }
    return members;
  }
}

/** @type {Shape} */
const text = { type: "string", required: false, min: 0 };

/** What botocore says against parameters, a line each. @param {Value} parameters @param {Shape} shape @returns {string[]} */
export function wrongParameters(parameters, shape) {
  /** @type {string[]} */
  const wrong = [];
  check(parameters, shape, "", wrong);
  return wrong;
}

/** @param {Value} value @param {Shape} shape @param {string} at @param {string[]} wrong */
function check(value, shape, at, wrong) {
  const { type, min } = shape;
  if (!accepts(value, type)) {
    const types = `type: ${pythonType(value)}, valid types: ${pythonTypes[type] ?? "<class 'str'>"}`;
    wrong.push(`Invalid type for parameter ${at || "input"}, value: ${String(value)}, ${types}`);
  } else if ((type === "string" || type === "list") && value.length < min) {
    wrong.push(`Invalid length for parameter ${at}, value: ${value.length}, valid min length: ${min}`);
  } else if (type === "structure") {
    checkMembers(value, shape.members ?? new Map(), at, wrong);
  } else if (type === "list") {
    for (const [index, one] of value.entries()) check(one, shape.item ?? text, `${at}[${index}]`, wrong);
  }
}

/** @param {Value} value @param {Map<string, Shape>} members @param {string} at @param {string[]} wrong */
function checkMembers(value, members, at, wrong) {
  for (const [name, { required }] of members) {
    if (required && !Object.hasOwn(value, name)) {
      wrong.push(`Missing required parameter in ${at || "input"}: "${name}"`);
    }
  }
  for (const [name, one] of Object.entries(value)) {
    const member = members.get(name);
    if (member !== undefined) check(one, member, at === "" ? name : `${at}.${name}`, wrong);
    else {
      const known = [...members.keys()].join(", ");
      wrong.push(`Unknown parameter in ${at || "input"}: "${name}", must be one of: ${known}`);
    }
  }
}

/** @param {Value} value @param {string} type */
function accepts(value, type) {
  if (type === "list") return Array.isArray(value);
  if (type === "structure" || type === "map") return isMapping(value);
  if (type === "int") return Number.isInteger(value);
  if (type === "bool") return typeof value === "boolean";
  return typeof value === "string";
}

/** @param {Value} value */
export function isMapping(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @type {Record<string, string>} */
const pythonTypes = {
  list: "<class 'list'>, <class 'tuple'>",
  structure: "<class 'dict'>",
  map: "<class 'dict'>",
  int: "<class 'int'>",
  bool: "<class 'bool'>",
};

/** @param {Value} value */
function pythonType(value) {
  if (value === null) return "<class 'NoneType'>";
  if (Array.isArray(value)) return "<class 'list'>";
  if (typeof value === "number") return Number.isInteger(value) ? "<class 'int'>" : "<class 'float'>";
  if (typeof value === "boolean") return "<class 'bool'>";
  return typeof value === "string" ? "<class 'str'>" : "<class 'dict'>";
}
