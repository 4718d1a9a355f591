// One call, from its arguments to its result.
import { STATUS_CODES } from "node:http";
import { ask } from "../arm/api.mjs";
import { placeOf, readPublic, writeBlob } from "../arm/blobs.mjs";
import { accountKey } from "../arm/storage.mjs";
import { parsed, Usage } from "./cli.mjs";

/**
 * @import { Call, How, Value } from "./types.ts"
 * @import { World } from "../arm/types.ts"
 * @typedef {{
 *   args: string[], environment: Record<string, string>, how: () => How | undefined,
 *   read: (name: string) => string, write: (name: string, text: string) => void,
 * }} Request
 * @typedef {{ status: number, stdout: string, stderr: string, kill: boolean }} Answer
 */

/** az ends with an error. */
class Failure extends Error {
  /** @param {string} said @param {number} [status] */
  constructor(said, status = 1) {
    super(said);
    this.status = status;
  }
}

const lostAnswer = [
  "ERROR: The command failed with an unexpected error. Here is the traceback:",
  "ERROR: ('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))",
  "Traceback (most recent call last):",
  '  File "/usr/lib/python3/dist-packages/urllib3/connectionpool.py", line 703, in urlopen',
  "http.client.RemoteDisconnected: Remote end closed connection without response",
  "To check existing issues, please visit: https://github.com/Azure/azure-cli/issues",
  "To open a new issue, please run `az feedback`",
  "",
].join("\n");

/** @type {Record<string, [number, string, string]>} */
const refusals = {
  refused: [403, "AuthorizationFailed", "The client does not have authorization to perform this action."],
  throttled: [429, "TooManyRequests", "The request is being throttled."],
  unavailable: [503, "ServiceUnavailable", "The service is unavailable."],
};

/** @param {Request} request @param {World} world @param {Call} call that is filled in. @returns {Answer} */
export function execute(request, world, call) {
  const answer = failing(request, world, call);
  call.status = answer.status;
  return answer;
}

/** @param {Request} request @param {World} world @param {Call} call @returns {Answer} */
function failing(request, world, call) {
  const fail = (/** @type {string} */ stderr, status = 1) => ({ status, stdout: "", stderr, kill: false });
  try {
    const { command, flags } = parsed(request.args);
    describe(command, flags, request, call);
    // Only now it is known whether the call changes something.
    const how = request.how();
    if (how === "killed-before") return { ...fail(""), kill: true };
    if (how === "reset") return fail(lostAnswer);
    if (typeof how === "object") return fail(`ERROR: ${how.error}\n`);
    const [http, code, message] = refusals[how ?? ""] ?? [];
    if (http !== undefined) {
      call.http = http;
      return fail(`ERROR: ${STATUS_CODES[http]}(${JSON.stringify({ error: { code, message } })})\n`);
    }
    const stdout = carriedOut(command, flags, request, world, call);
    if (how === "lost") return fail(lostAnswer);
    return { status: 0, stdout, stderr: "", kill: how === "killed-after" };
  } catch (error) {
    if (error instanceof Usage) return fail(`ERROR: ${error.message}\n`, 2);
    if (error instanceof Failure) return fail(`ERROR: ${error.message}\n`, error.status);
    // This must not look like a message of az.
    const text = error instanceof Error ? error.stack : String(error);
    return { status: 70, stdout: "", stderr: `az stand-in: ${text}\n`, kill: false };
  }
}

/** @param {string} command @param {Record<string, string>} flags @param {Request} request @param {Call} call */
function describe(command, flags, request, call) {
  const { output: _, "only-show-errors": _only, ...rest } = flags;
  Object.assign(call, { command, flags: rest });
  if (command === "rest") {
    call.method = (flags["method"] ?? "get").toUpperCase();
    call.path = (flags["url"] ?? "").replace(/\?.*/s, "");
    const body = contentOf(flags["body"], request);
    call.body = body === undefined || body === "" ? undefined : JSON.parse(body);
    call.changes = !["GET", "HEAD"].includes(call.method) && !/\/(?:listKeys|checkNameAvailability)$/i.test(call.path);
  }
  call.changes ||= command === "storage blob upload";
}

/** The value of an option, which may name a file. @param {string | undefined} value @param {Request} request */
function contentOf(value, { read }) {
  if (value === undefined || !value.startsWith("@")) return value;
  return read(value.slice(1));
}

/**
 * @param {string} command @param {Record<string, string>} flags
 * @param {Request} request @param {World} world @param {Call} call @returns {string} what it prints.
 */
function carriedOut(command, flags, request, world, call) {
  const print = (/** @type {Value} */ value) => {
    const output = flags["output"] ?? request.environment["AZURE_CORE_OUTPUT"] ?? "json";
    if (output === "none") return "";
    if (output !== "json") throw new Error(`not covered: --output ${output}`);
    return `${JSON.stringify(sorted(value), null, 2)}\n`;
  };
  if (command === "version") return print({ "azure-cli": "2.45.0", "azure-cli-core": "2.45.0", extensions: {} });
  if (command === "account show") return print(accountOf(world));
  if (command === "storage blob upload") return print(uploaded(flags, request, world, call));
  return rest(flags, request, world, call, print);
}

/** @param {World} world */
function accountOf({ state }) {
  return {
    environmentName: state.cloud,
    homeTenantId: state.tenant,
    id: state.subscription,
    isDefault: true,
    managedByTenants: [],
    name: "demo",
    state: "Enabled",
    tenantId: state.tenant,
    user: { name: "tester@example.com", type: "user" },
  };
}

/** @param {Record<string, string>} flags @param {Request} request @param {World} world @param {Call} call @param {(value: Value) => string} print */
function rest(flags, request, world, call, print) {
  const url = flags["url"] ?? "";
  const isArm = !url.includes("://") || url.toLowerCase().startsWith(`${world.address.toLowerCase()}/`);
  if (!isArm) return anonymous(url, flags, request, world, call);
  if (flags["skip-authorization-header"] !== undefined) throw new Error("not covered: a request without a token");
  const { pathname, searchParams } = new URL(url, world.address);
  const path = decodeURIComponent(pathname);
  const [, subscription] = /\/subscriptions\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i.exec(path) ?? [];
  if (subscription !== undefined && !world.state.subscriptions.includes(subscription.toLowerCase())) {
    throw new Failure(`Subscription '${subscription}' not found. Check the spelling and casing and try again.`);
  }
  const query = Object.fromEntries([...searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const { status, body } = ask(world, { method: call.method, path, query, body: call.body });
  call.http = status;
  const text = body === undefined ? "" : JSON.stringify(body);
  return handed(status, STATUS_CODES[status] ?? "", text, flags, request, () => print(body));
}

/** @param {string} url @param {Record<string, string>} flags @param {Request} request @param {World} world @param {Call} call */
function anonymous(url, flags, request, world, call) {
  const place = placeOf(url);
  if (place === undefined || call.method !== "GET" || flags["skip-authorization-header"] === undefined) {
    throw new Error(`not covered: ${call.method} ${url}`);
  }
  const read = readPublic(world.state, place);
  call.http = "body" in read ? 200 : read.status;
  if ("body" in read) {
    return handed(200, "OK", read.body, flags, request, () => {
      throw new Error("not covered: a document without --output-file");
    });
  }
  // az does not show the byte order mark.
  return handed(read.status, read.reason, read.text.replace("\uFEFF", ""), flags, request, () => "");
}

/** What `az rest` does with an answer. @param {number} status @param {string} reason @param {string} text @param {Record<string, string>} flags @param {Request} request @param {() => string} print */
function handed(status, reason, text, flags, { write }, print) {
  if (status >= 400) throw new Failure(text === "" ? reason : `${reason}(${text})`);
  const file = flags["output-file"];
  if (file === undefined) return text === "" ? "" : print();
  write(file, text);
  return "";
}

/** az sorts names. @param {Value} value @returns {Value} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name])]));
}

const noPermission = `
You do not have the required permissions needed to perform this operation.
Depending on your operation, you may need to be assigned one of the following roles:
    "Storage Blob Data Owner"
    "Storage Blob Data Contributor"
    "Storage Blob Data Reader"
    "Storage Queue Data Contributor"
    "Storage Queue Data Reader"
    "Storage Table Data Contributor"
    "Storage Table Data Reader"

If you want to use the old authentication method and allow querying for the right account key, please use the "--auth-mode" parameter and "key" value.
                    `;

/** @param {Record<string, string>} flags @param {Request} request @param {World} world @param {Call} call */
function uploaded(flags, { read, environment }, world, call) {
  const needed = ["blob-endpoint", "container-name", "name", "file", "content-type", "overwrite", "auth-mode"];
  const missing = needed.find((name) => flags[name] === undefined);
  if (missing !== undefined) throw new Error(`not covered: storage blob upload without --${missing}`);
  const place = placeOf(`${flags["blob-endpoint"]}/${flags["container-name"]}/${flags["name"]}`);
  if (place === undefined) throw new Error(`not covered: --blob-endpoint ${flags["blob-endpoint"]}`);
  const mode = flags["auth-mode"] === "key" ? "key" : "login";
  if (mode === "key" && environment["AZURE_STORAGE_KEY"] !== accountKey)
    throw new Error("the key is not the account's");
  const content = { body: read(flags["file"] ?? ""), contentType: flags["content-type"] ?? "" };
  const written = writeBlob(world, place, content, mode);
  call.http = "status" in written ? written.status : 201;
  if (!("status" in written)) {
    return {
      client_request_id: null,
      content_md5: null,
      date: "2026-01-01T00:00:00+00:00",
      encryption_key_sha256: null,
      encryption_scope: null,
      etag: '"0x8D0000000000000"',
      lastModified: "2026-01-01T00:00:00+00:00",
      request_id: "00000000-0000-4000-8000-000000000000",
      request_server_encrypted: true,
      version: "2021-08-06",
      version_id: null,
    };
  }
  const { code, reason } = written;
  if (code === "AuthorizationPermissionMismatch") throw new Failure(noPermission);
  const id = "00000000-0000-4000-8000-000000000000";
  const said = `${reason}\nRequestId:${id}\nTime:2026-01-01T00:00:00.0000000Z\nErrorCode:${code}`;
  throw new Failure(said, written.status === 404 ? 3 : 1);
}
