import type { JsonWebKey } from "node:crypto";
import { isMap, listAt, type Value } from "../core/resource.ts";
import { isPrivateJwk } from "./judge-key.ts";
import { isKeyProblem, readPublicKey } from "./public-key.ts";

/**
 * The keys of a JSON Web Key Set (RFC 7517) in PEM form, `PUBLIC KEY`, each with a newline at the end; or why one of them
 * cannot be published: a predicate. A key must have the ID that the Kubernetes API server writes into tokens, because its
 * ID is computed again.
 */
export function publicKeysOf(document: Value): readonly string[] | string {
  const keys = listAt(document, ["keys"]);
  if (keys.length === 0) return "contains no keys";
  const pems: string[] = [];
  for (const [index, key] of keys.entries()) {
    const pem = pemOf(key);
    if (typeof pem !== "object") return `contains a key (number ${index + 1}) that ${pem}`;
    pems.push(pem.pem);
  }
  return pems;
}

function pemOf(key: Value): { readonly pem: string } | string {
  if (!isMap(key)) return "is not a JSON Web Key";
  if (isPrivateJwk(key)) return "is private; treat it as compromised, and create a new key pair";
  const { createPublicKey } = process.getBuiltinModule("node:crypto");
  let pem: string;
  try {
    // The type of Node's own keys has fewer types of values.
    pem = createPublicKey({ key: key as JsonWebKey, format: "jwk" })
      .export({ type: "spki", format: "pem" })
      .toString();
  } catch {
    return "cannot be read";
  }
  const read = readPublicKey(pem);
  if (isKeyProblem(read)) return read.problem;
  const { kid } = key;
  return kid === undefined || kid === read.jwk.kid
    ? { pem }
    : `has another ID than Kubernetes computes for it (${read.jwk.kid})`;
}
