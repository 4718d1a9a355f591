import { finding } from "../../core/finding.ts";
import { describe, type Resource, refOf } from "../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { isKeyProblem, readPublicKey } from "../../oidc/public-key.ts";
import { publicKeysOf } from "../../oidc/public-keys-of.ts";
import { readJsonFile } from "../files/input-file.ts";
import { readKey } from "../init/init-key.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { CcoctlDirectory } from "./ccoctl-directory.ts";
import { textsAt } from "./read-objects.ts";

/** Where the public keys of a cluster can be found. */
export interface KeySources {
  /** The files of `--public-key-file`. */
  readonly files: readonly string[];
  /** The file of `--jwks-file`. */
  readonly jwksFile: string | undefined;
  /** ConfigMap `bound-sa-token-signing-certs`. */
  readonly configMap: Resource | undefined;
  readonly ccoctl: CcoctlDirectory | undefined;
}

/**
 * The public keys of a cluster in PEM form, each once. Options replace what the input contains; the cluster's own keys
 * replace those that ccoctl published. Empty if nothing contains a key.
 *
 * @throws FindingsError if a key cannot be published.
 */
export function signingKeys({ files, jwksFile, configMap, ccoctl }: KeySources): readonly string[] {
  if (files.length > 0 || jwksFile !== undefined)
    return distinct([...files.map(readKey), ...(jwksFile === undefined ? [] : fromJwks(jwksFile))]);
  if (configMap !== undefined) return distinct(fromConfigMap(configMap));
  if (ccoctl?.publicKeyFile !== undefined) return [readKey(ccoctl.publicKeyFile)];
  if (ccoctl?.jwks === undefined) return [];
  const keys = publicKeysOf(ccoctl.jwks);
  if (typeof keys === "string") throw invalid(`keys.json of --from-ccoctl ${keys}.`);
  return distinct(keys);
}

function fromJwks(path: string): readonly string[] {
  const keys = publicKeysOf(readJsonFile("--jwks-file", path));
  if (typeof keys === "string") throw invalid(`The file ${quote(path)} of --jwks-file ${keys}.`);
  return keys;
}

// cluster-kube-apiserver-operator: a key for each public key, "service-account-001.pub".
function fromConfigMap(configMap: Resource): readonly string[] {
  return [...textsAt(configMap.value(), ["data"])]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, pem]) => {
      const key = readPublicKey(pem);
      if (!isKeyProblem(key)) return `${pem.trim().replaceAll("\r\n", "\n")}\n`;
      throw invalid(`${quoteWhole(name)} in ${describe(refOf(configMap))} ${key.problem}.`);
    });
}

function invalid(message: string): FindingsError {
  return new FindingsError([finding("error", "import-key-invalid", message)]);
}

function distinct(pems: readonly string[]): readonly string[] {
  const byId = new Map<string, string>();
  for (const pem of pems) {
    const key = readPublicKey(pem);
    const id = isKeyProblem(key) ? pem : key.jwk.kid;
    if (!byId.has(id)) byId.set(id, pem);
  }
  return [...byId.values()];
}
