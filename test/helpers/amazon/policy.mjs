// Whether an identity policy allows what a call needs.

/**
 * @import { Need, Value } from "./types.ts"
 * @typedef {Record<string, string | string[]>} Keys
 */

/** @param {Value} document @param {Need} need @param {Keys} keys the condition keys that every request has. */
export function allowed(document, need, keys) {
  const all = lowered({ ...keys, ...need.keys });
  const matching = [document.Statement].flat().filter((value) => applies(value, need, all));
  return matching.some(({ Effect }) => Effect === "Allow") && !matching.some(({ Effect }) => Effect === "Deny");
}

/** Condition keys are case-insensitive, except for the key of a tag. @param {Keys} keys @returns {Keys} */
function lowered(keys) {
  return Object.fromEntries(Object.entries(keys).map(([name, value]) => [keyName(name), value]));
}

/** @param {string} name */
function keyName(name) {
  const [first = "", ...rest] = name.split("/");
  return [first.toLowerCase(), ...rest].join("/");
}

/** @param {Value} statement @param {Need} need @param {Keys} keys */
function applies(statement, need, keys) {
  const { Action, NotAction, Resource, NotResource, Condition = {} } = statement;
  const action = (/** @type {string} */ pattern) => matches(pattern.toLowerCase(), need.action.toLowerCase());
  const resource = (/** @type {string} */ pattern) => matches(withVariables(pattern, keys), need.resource);
  return (
    (NotAction === undefined ? list(Action).some(action) : !list(NotAction).some(action)) &&
    (NotResource === undefined ? list(Resource).some(resource) : !list(NotResource).some(resource)) &&
    Object.entries(Condition).every(([operator, tests]) => {
      const held = Object.entries(/** @type {Value} */ (tests)).map(([key, values]) =>
        holds(operator, key, list(values), keys),
      );
      // An undecidable condition must not allow, but must deny.
      return held.every((one) => one ?? statement.Effect === "Deny");
    })
  );
}

/** @param {Value} value @returns {string[]} */
function list(value) {
  return value === undefined ? [] : [value].flat().map(String);
}

/** @param {string} pattern @param {string} text */
function matches(pattern, text) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "su").test(text);
}

/** @param {string} text @param {Keys} keys */
function withVariables(text, keys) {
  return text.replace(/\$\{([^}]+)\}/g, (whole, name) => {
    const value = keys[keyName(name)];
    return typeof value === "string" ? value : whole;
  });
}

/** @type {Record<string, (pattern: string, value: string) => boolean>} */
const operators = {
  StringEquals: (pattern, value) => pattern === value,
  StringEqualsIgnoreCase: (pattern, value) => pattern.toLowerCase() === value.toLowerCase(),
  StringLike: matches,
  ArnEquals: matches,
  ArnLike: matches,
  Bool: (pattern, value) => pattern.toLowerCase() === value.toLowerCase(),
};

/** @param {string} operator @param {string} name @param {string[]} patterns @param {Keys} keys @returns {boolean | undefined} */
function holds(operator, name, patterns, keys) {
  const [, quantifier, not, bare = "", ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(?=[A-Z])((?:String|Arn)Not)?(.+?)(IfExists)?$/.exec(operator) ?? [];
  const key = keys[keyName(name)];
  if (bare === "Null") return patterns.some((pattern) => (pattern === "true") === (key === undefined));
  const test = operators[not === undefined ? bare : not.replace("Not", "") + bare];
  if (test === undefined) return undefined;
  const values = key === undefined ? [] : [key].flat();
  const one = (/** @type {string} */ value) =>
    patterns.some((pattern) => test(withVariables(pattern, keys), value)) === (not === undefined);
  if (quantifier === "ForAllValues") return values.every(one);
  if (quantifier === "ForAnyValue") return values.some(one);
  // A missing key differs from every value.
  if (key === undefined) return ifExists !== undefined || not !== undefined;
  return values.some(one);
}
