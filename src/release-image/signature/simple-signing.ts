import { jsonOrNull } from "../../core/json.ts";
import { isMap, textAt } from "../../core/resource.ts";
import { decodeUtf8, quote } from "../../core/text.ts";
import { readReference, repositoryName } from "../reference.ts";
import type { TrustedKey } from "./signing-key.ts";

/** What a signature says about an image. */
export type Judgement =
  | {
      readonly verdict: "valid";
      /** The repository that it names; undefined if its form does not name one. */
      readonly repository: string | undefined;
    }
  | {
      readonly verdict: "other repository" | "other digest" | "malformed" | "other key";
      /** A sentence without a period, or "" if there is nothing to add. */
      readonly detail: string;
    };

/** What is expected of a signature. */
export interface ExpectedSignature {
  readonly key: TrustedKey;
  /** Of the manifest. */
  readonly digest: string;
  readonly manifest: Uint8Array;
  /** Without tag and digest; undefined for a file, which does not say it. */
  readonly name: string | undefined;
}

const types = ["cosign container image signature", "atomic container signature"];

/**
 * Judges a signature in the form of a payload and a signature of it (containers/image, "simple signing", as sigstore stores it). The
 * payload is read only if the trusted key signed it.
 *
 * @param signature in base64.
 */
export function judgeSimpleSigning(
  payload: Uint8Array,
  signature: string,
  { key, digest, name }: Pick<ExpectedSignature, "key" | "digest" | "name">,
): Judgement {
  const bytes = fromBase64(signature);
  if (bytes === undefined) return { verdict: "malformed", detail: "The signature is not base64" };
  if (!key.made(bytes, payload)) return otherKey;
  const value = jsonOrNull(decodeUtf8(payload) ?? "");
  const type = textAt(value, ["critical", "type"]);
  if (!isMap(value) || !types.includes(type.toLowerCase()))
    return { verdict: "malformed", detail: "The signed payload does not have the form of simple signing" };
  const signed = textAt(value, ["critical", "image", "docker-manifest-digest"]);
  if (signed !== digest) return { verdict: "other digest", detail: `It is for the image ${quote(signed)}` };
  const identity = textAt(value, ["critical", "identity", "docker-reference"]);
  const reference = readReference(identity);
  const repository = typeof reference === "string" ? undefined : repositoryName(reference);
  const isExpected = repository !== undefined && key.signs(repository) && (name === undefined || name === repository);
  return isExpected
    ? { verdict: "valid", repository }
    : { verdict: "other repository", detail: `It is for an image of the repository ${quote(identity)}` };
}

/** The judgement of a signature that the trusted key did not make. */
export const otherKey: Judgement = { verdict: "other key", detail: "" };

/** The bytes of strict base64; undefined for any other text. */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return text !== "" && bytes.toString("base64") === text ? bytes : undefined;
}
