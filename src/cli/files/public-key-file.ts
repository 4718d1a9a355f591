import { finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { isKeyProblem, readPublicKey } from "../../oidc/public-key.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { readArgument } from "./read-bytes.ts";

/**
 * Reads a public key from a file, in PEM form with a newline at the end.
 * @throws UsageError if the file cannot be read; FindingsError if it does not contain a usable public key.
 */
export function readPublicKeyFile(path: string): string {
  let text: string;
  try {
    text = readArgument(path).toString("utf8");
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(`--public-key-file ${quote(path)} cannot be read (${error.code ?? "error"})`);
  }
  const key = readPublicKey(text);
  if (!isKeyProblem(key)) return `${text.trim().replaceAll("\r\n", "\n")}\n`;
  throw new FindingsError([finding("error", key.code, `--public-key-file ${quote(path)} ${key.problem}.`)]);
}
