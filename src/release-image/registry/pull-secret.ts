import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../../core/json.ts";
import { isMap, textAt, type Value, valueAt } from "../../core/resource.ts";
import { controlCharacterIn, decodeUtf8, quote } from "../../core/text.ts";
import { keepSecret } from "../../network/secrets.ts";
import { imageError } from "../problem.ts";
import { type ImageReference, repositoryName } from "../reference.ts";

/** What proves to a registry who the user is. */
export type Credential =
  | { readonly kind: "password"; readonly user: string; readonly password: string }
  | { readonly kind: "refresh token"; readonly token: string };

/** The longest file that is read, in bytes. */
const maxFile = 1 << 20;

/** The credentials of the user, by registry. */
export interface PullSecrets {
  /**
   * The credential for a repository: the entry with the longest beginning of its name, and of its registry only
   * (containers-auth.json(5)).
   *
   * @throws FindingError "pull-secret-invalid" if the entry cannot be read.
   */
  credentialFor(name: Pick<ImageReference, "registry" | "repository">): Credential | undefined;
  /** Where credentials were looked for, for messages: the end of a sentence without a period. */
  readonly where: string;
  /** The program that would have the credential of a registry, if the files name one. */
  helperFor(registry: string): string | undefined;
}

/**
 * Reads the pull secrets: the file of --registry-config or of REGISTRY_AUTH_FILE, otherwise those that podman and docker use.
 *
 * @throws FindingError "pull-secret-invalid" if a file that the user named does not exist, or one cannot be read.
 */
export function readPullSecrets(registryConfig: string | undefined, environment: NodeJS.ProcessEnv): PullSecrets {
  const { REGISTRY_AUTH_FILE: named = "", XDG_RUNTIME_DIR: runtime = "", HOME: home = "" } = environment;
  const files =
    registryConfig !== undefined
      ? [{ path: registryConfig, from: "--registry-config", mayBeMissing: false }]
      : named !== ""
        ? [{ path: named, from: "REGISTRY_AUTH_FILE", mayBeMissing: false }]
        : [
            ...(runtime === "" ? [] : [join(runtime, "containers/auth.json")]),
            ...(home === "" ? [] : [join(home, ".docker/config.json")]),
          ].map((path) => ({ path, from: "", mayBeMissing: true }));
  const values = files.flatMap(({ path, from, mayBeMissing }) => {
    const value = readFile(path, from, mayBeMissing);
    return value === undefined ? [] : [{ path, value }];
  });
  const looked = files.map(({ path }) => quote(path)).join(" or ");
  return {
    where: looked === "" ? "no file, because neither HOME nor XDG_RUNTIME_DIR is set" : looked,
    credentialFor(name) {
      for (const { path, value } of values) {
        const found = entryFor(valueAt(value, ["auths"]) ?? null, name);
        const credential = found === undefined ? undefined : credentialOf(path, found);
        if (credential !== undefined) return credential;
      }
      return undefined;
    },
    helperFor(registry) {
      for (const { value } of values) {
        const helper = textAt(value, ["credHelpers", registry]) || textAt(value, ["credsStore"]);
        if (helper !== "") return helper;
      }
      return undefined;
    },
  };
}

function readFile(path: string, from: string, mayBeMissing: boolean): Value | undefined {
  const file = from === "" ? `The pull secret ${quote(path)}` : `The pull secret ${quote(path)} of ${from}`;
  let bytes: Buffer;
  try {
    if (statSync(path).size > maxFile) throw invalid(`${file} is longer than 1 MiB. Name the right file.`);
    bytes = readFileSync(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (mayBeMissing && ["ENOENT", "ENOTDIR"].includes(code)) return undefined;
    if (!/^E[A-Z0-9]+$/.test(code)) throw error;
    throw invalid(`${file} cannot be read: ${code}. Name a file that exists, with --registry-config.`);
  }
  const text = decodeUtf8(bytes);
  const found = text === undefined ? { problem: "is not UTF-8" } : readJson(text);
  if ("problem" in found) throw invalid(`${file} ${found.problem}. Download it again.`);
  if (!isMap(found.value) || !isMap(valueAt(found.value, ["auths"]) ?? {}))
    throw invalid(`${file} is not a mapping with "auths". Download it again.`);
  return found.value;
}

interface Entry {
  readonly key: string;
  readonly value: Value;
}

function entryFor(auths: Value, name: Pick<ImageReference, "registry" | "repository">): Entry | undefined {
  if (!isMap(auths)) return undefined;
  const keys = Object.keys(auths);
  for (
    let wanted = repositoryName(name);
    wanted !== "";
    wanted = wanted.slice(0, Math.max(wanted.lastIndexOf("/"), 0))
  ) {
    const key = keys.find((one) => one === wanted) ?? (wanted === name.registry ? keys.find(isFor(wanted)) : undefined);
    if (key !== undefined) return { key, value: auths[key] as Value };
  }
  return undefined;
}

/** Whether a key is a URL of a registry, as docker wrote them: `https://quay.io/v1/`. */
function isFor(registry: string): (key: string) => boolean {
  return (key) => key.replace(/^https?:\/\//, "").replace(/\/(?:v[12]\/?)?$/, "") === registry;
}

function credentialOf(path: string, { key, value }: Entry): Credential | undefined {
  const [auth, token] = [textAt(value, ["auth"]), textAt(value, ["identitytoken"])];
  keepSecret(auth);
  keepSecret(token);
  if (token !== "") return { kind: "refresh token", token };
  // An entry without a credential only says that a credential helper has it.
  if (auth === "") return undefined;
  const plain = Buffer.from(auth, "base64").toString("utf8");
  const at = plain.indexOf(":");
  // docker pads a password with NUL.
  const [user, password] = [plain.slice(0, Math.max(at, 0)), plain.slice(at + 1).replace(/\0+$/, "")];
  keepSecret(plain);
  keepSecret(password);
  if (user === "" || password === "" || controlCharacterIn(`${user}${password}`) !== undefined)
    throw invalid(
      `The pull secret ${quote(path)}: "auth" of ${quote(key)} is not a user name and a password in base64. Download the pull secret again.`,
    );
  return { kind: "password", user, password };
}

function invalid(message: string) {
  return imageError("pull-secret-invalid", message);
}
