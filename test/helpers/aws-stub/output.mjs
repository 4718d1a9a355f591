// What the AWS CLI prints of an answer.

/** @import { Value } from "../amazon/types.ts" */

/** @param {Value} answer */
export function asJson(answer) {
  const nothing = answer === undefined || (isMap(answer) && Object.keys(answer).length === 0);
  return nothing ? "" : `${JSON.stringify(answer, null, 4)}\n`;
}

/** @param {Value} answer */
export function asText(answer) {
  /** @type {string[]} */
  const lines = [];
  write(answer, lines, undefined, undefined);
  return lines.map((line) => `${line}\n`).join("");
}

/** @param {Value} item @param {string[]} lines @param {string | undefined} name @param {string[] | undefined} keys */
function write(item, lines, name, keys) {
  if (Array.isArray(item)) writeList(item, lines, name);
  else if (isMap(item)) writeMap(item, lines, name, keys);
  else lines.push(scalar(item));
}

/** @param {Value[]} list @param {string[]} lines @param {string | undefined} name */
function writeList(list, lines, name) {
  if (list.some(isMap)) {
    const maps = list.filter(isMap);
    const keys = maps.flatMap((value) => Object.keys(value).filter((key) => !isNested(value[key])));
    for (const value of list) write(value, lines, name, [...new Set(keys)].sort());
    return;
  }
  const scalars = list.filter((value) => !isNested(value)).map(scalar);
  if (scalars.length > 0 && name === undefined) lines.push(scalars.join("\t"));
  else for (const scalar of scalars) lines.push(`${name?.toUpperCase()}\t${scalar}`);
  for (const value of list.filter(isNested)) write(value, lines, name, undefined);
}

/** @param {Value} map @param {string[]} lines @param {string | undefined} name @param {string[] | undefined} keys */
function writeMap(map, lines, name, keys) {
  const own = Object.keys(map).sort();
  const scalars = (keys ?? own.filter((key) => !isNested(map[key]))).map((key) => (key in map ? scalar(map[key]) : ""));
  if (scalars.length > 0) lines.push([...(name === undefined ? [] : [name.toUpperCase()]), ...scalars].join("\t"));
  for (const key of own.filter((text) => (keys === undefined ? isNested(map[text]) : !keys.includes(text)))) {
    write(map[key], lines, key, undefined);
  }
}

// As Python writes them.
/** @param {Value} value */
function scalar(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

/** @param {Value} value */
function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {Value} value */
function isNested(value) {
  return typeof value === "object" && value !== null;
}
