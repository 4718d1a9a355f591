// The ways in which gcloud fails, and what it says.

/**
 * @import { Response, Value } from "../google/types.ts"
 */

/** gcloud says what Google refused. */
export class Failure extends Error {
  /** @param {Response} response @param {string} said after the name of the command. @param {string} [before] lines before it. */
  constructor(response, said, before = "") {
    super(said);
    this.response = response;
    this.before = before;
  }
}

/** gcloud refuses its arguments, and sends nothing. */
export class Usage extends Error {}

/** The exit code and the line of an error of gcloud's own. */
export class Own extends Error {}

const who =
  "This command is authenticated as tester@example.com which is the active account specified by the [core/account] property.";

/** @param {string} message */
export function authenticated(message) {
  return `${message}${/[.?!]$/.test(message) ? "" : "."} ${who}`;
}

/** What gcloud prints of an error of most APIs. @param {Response} response */
export function plain({ body }) {
  const { code, status, message, details } = body.error;
  const said = `${status}: ${message}`;
  return (code === 403 || code === 404 ? authenticated(said) : said) + detailsOf(details);
}

/** The conflict of a request, in the words of most commands. @param {string} resource @param {Response} response */
export function conflict(resource, { body }) {
  return `${resource} is the subject of a conflict: ${body.error.message}`;
}

/** Details, which gcloud prints as YAML. @param {Value[] | undefined} details */
function detailsOf(details) {
  if (details === undefined) return "";
  return details
    .map((one) => `\n- '@type': ${one["@type"]}\n  violations:${one.violations.map(violation).join("")}`)
    .join("");
}

/** @param {Record<string, string>} fields */
function violation(fields) {
  const lines = Object.keys(fields).sort();
  return lines.map((name, index) => `\n  ${index === 0 ? "-" : " "} ${name}: ${fields[name]}`).join("");
}

/** Lines of a command that goes on after an error: without the name of the command. */
export class Lines extends Error {}
