// The blobs of storage accounts, which Azure serves at addresses of their own.
import { allows } from "./api.mjs";
import { own } from "./common.mjs";

/**
 * @import { Account, Blob, State, World } from "./types.ts"
 * @typedef {{ account: string, container: string, blob: string }} Place
 * @typedef {{ status: number, reason: string, code: string, text: string, type: string }} BlobResponse
 */

const read = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read";
const write = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write";

/** @type {Record<string, [number, string]>} */
const messages = {
  BlobNotFound: [404, "The specified blob does not exist."],
  ContainerNotFound: [404, "The specified container does not exist."],
  ResourceNotFound: [404, "The specified resource does not exist."],
  PublicAccessNotPermitted: [409, "Public access is not permitted on this storage account."],
  AuthorizationPermissionMismatch: [
    403,
    "This request is not authorized to perform this operation using this permission.",
  ],
  ConditionNotMet: [412, "The condition specified using HTTP conditional header(s) is not met."],
  BlobAlreadyExists: [409, "The specified blob already exists."],
  KeyBasedAuthenticationNotPermitted: [403, "Key based authentication is not permitted on this storage account."],
  AuthenticationFailed: [
    403,
    "Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.",
  ],
};

/** @param {string} code @returns {BlobResponse} */
function refusal(code) {
  const [status, reason] = messages[code] ?? [500, ""];
  const id = "00000000-0000-4000-8000-000000000000";
  const message = `${reason}\nRequestId:${id}\nTime:2026-01-01T00:00:00.0000000Z`;
  const text = `\uFEFF<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, reason, code, text, type: "application/xml" };
}

/** What an address of a blob names, at Azure or, with the account in the path, on loopback. @param {string} address @returns {Place | undefined} */
export function placeOf(address) {
  const url = new URL(address);
  const parts = decodeURIComponent(url.pathname).slice(1).split("/");
  const [, atAzure] =
    /^([a-z0-9]+)\.blob\.core\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)$/.exec(url.hostname) ?? [];
  const isLocal = /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname);
  const account = atAzure ?? (isLocal ? parts.shift() : undefined);
  if (account === undefined) return undefined;
  const [container = "", ...rest] = parts;
  return { account, container, blob: rest.join("/") };
}

/** A read without credentials. @param {State} state @param {Place} place @returns {BlobResponse | Blob} */
export function readPublic(state, { account, container, blob }) {
  const found = own(state.accounts, account);
  if (found === undefined) return refusal("ResourceNotFound");
  if (found.properties.allowBlobPublicAccess === false) return refusal("PublicAccessNotPermitted");
  const there = own(found.containers, container);
  if (there === undefined || there.publicAccess === "None") return refusal("ResourceNotFound");
  return there.blobs[blob] ?? refusal("BlobNotFound");
}

/** The version of a blob. @param {Blob} blob */
export const etagOf = ({ changes }) => `"0x${String(changes).padStart(16, "0")}"`;

/** Whether the caller may read or write. @param {World} world @param {Account} account @param {"login" | "key"} mode @param {string} action */
function refusedTo({ settings, used }, account, mode, action) {
  if (mode === "key") {
    return account.properties.allowSharedKeyAccess === false
      ? refusal("KeyBasedAuthenticationNotPermitted")
      : undefined;
  }
  if (!allows(settings.dataPermissions, action)) return refusal("AuthorizationPermissionMismatch");
  used.add(action);
  return undefined;
}

/** A read with the caller's token, or with a key. @param {World} world @param {Place} place @param {"login" | "key"} mode @returns {BlobResponse | Blob} */
export function readWithCredentials(world, { account, container, blob }, mode) {
  const found = own(world.state.accounts, account);
  if (found === undefined) return refusal("ResourceNotFound");
  const refused = refusedTo(world, found, mode, read);
  if (refused !== undefined) return refused;
  const there = own(found.containers, container);
  return there === undefined ? refusal("ContainerNotFound") : (there.blobs[blob] ?? refusal("BlobNotFound"));
}

/** The blobs of a container. @param {World} world @param {Place} place @param {"login" | "key" | "none"} mode @returns {BlobResponse | Blob} */
export function listOf(world, { account, container }, mode) {
  const found = own(world.state.accounts, account);
  if (found === undefined || mode === "none") return refusal("ResourceNotFound");
  const refused = refusedTo(world, found, mode, read);
  if (refused !== undefined) return refused;
  const there = own(found.containers, container);
  if (there === undefined) return refusal("ContainerNotFound");
  const names = Object.keys(there.blobs).map((name) => `<Blob><Name>${name.replaceAll("&", "&amp;")}</Name></Blob>`);
  const body = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="${container}"><Blobs>${names.join("")}</Blobs><NextMarker /></EnumerationResults>`;
  return { body, contentType: "application/xml", changes: 0 };
}

/**
 * A write with the caller's token, or with a key of the account.
 *
 * @param {World} world @param {Place} place @param {Omit<Blob, "changes">} content @param {"login" | "key"} mode
 * @param {{ match?: string | undefined, noneMatch?: string | undefined }} [condition]
 * @returns {BlobResponse | Blob}
 */
export function writeBlob({ state, settings, used }, { account, container, blob }, content, mode, condition = {}) {
  const found = own(state.accounts, account);
  if (found === undefined) return refusal("ResourceNotFound");
  if (mode === "key" && found.properties.allowSharedKeyAccess === false) {
    return refusal("KeyBasedAuthenticationNotPermitted");
  }
  if (mode === "login") {
    if (settings.hiddenDataRoles > 0 || !allows(settings.dataPermissions, write)) {
      settings.hiddenDataRoles--;
      return refusal("AuthorizationPermissionMismatch");
    }
    used.add(write);
  }
  const there = own(found.containers, container);
  if (there === undefined) return refusal("ContainerNotFound");
  const before = there.blobs[blob];
  if (condition.noneMatch === "*" && before !== undefined) return refusal("BlobAlreadyExists");
  if (condition.match !== undefined && (before === undefined || condition.match !== etagOf(before)))
    return refusal("ConditionNotMet");
  const written = { ...content, changes: (there.blobs[blob]?.changes ?? 0) + 1 };
  there.blobs[blob] = written;
  return written;
}
