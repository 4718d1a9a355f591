import { readFileSync, statSync } from "node:fs";
import { notShown } from "../core/text.ts";

/*
 * The secrets that a run knows. An answer, or an error of a library, may repeat one, so it is replaced in every message. What
 * has the form of a token or a private key is also replaced where lines are written (src/krm/stdio.ts).
 */

/** Replacing shorter texts would make messages unreadable. */
const shortest = 8;

const known = new Set<string>();

/** Remembers a secret. A short text is ignored. @param text undefined if there is none. */
export function keepSecret(text: string | undefined): void {
  const secret = text?.trim() ?? "";
  if (secret.length < shortest || known.has(secret)) return;
  for (const form of formsOf(secret)) if (form.length >= shortest) known.add(form);
}

/** Remembers what a file contains, such as a token. A file that cannot be read is a problem for the client library. */
export function keepSecretFile(path: string | undefined): void {
  if (path === undefined || path === "") return;
  try {
    // What is read from a pipe is gone for the client library.
    if (statSync(path).isFile()) keepSecret(readFileSync(path, "utf8"));
  } catch {
    // The library names it.
  }
}

/** Remembers the passwords in the variables that name a proxy. */
export function keepProxyPasswords(environment: NodeJS.ProcessEnv): void {
  for (const { text } of proxiesIn(environment)) {
    // The URL may be invalid, and the error may repeat it.
    const [, user = "", password] = /^(?:[a-z]+:\/\/)?([^:@/]*):(.*)@/i.exec(text) ?? [];
    if (password === undefined) continue;
    const plain = [user, password].map(decoded);
    for (const one of [password, plain[1], plain.join(":")]) keepSecret(one);
  }
}

/** The variables that name a proxy, the most specific first. */
export function proxiesIn(environment: NodeJS.ProcessEnv): { readonly name: string; readonly text: string }[] {
  const names = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return names.map((name) => ({ name, text: environment[name] ?? "" })).filter(({ text }) => text !== "");
}

/** A text without the secrets that are known. */
export function redacted(text: string): string {
  let safe = text;
  // A long one may contain a short one.
  for (const secret of [...known].sort((a, b) => b.length - a.length)) safe = safe.replaceAll(secret, notShown);
  return safe;
}

/** A secret as an answer may repeat it: in a URL, in JSON, in XML, or in base64. */
function formsOf(secret: string): Set<string> {
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const component = form.replaceAll("+", "%20").replace(/%(?:7E|2[1789])/g, decodeURIComponent);
  const escapes = [form, component].flatMap((one) => [one, one.replace(/%../g, (code) => code.toLowerCase())]);
  const json = JSON.stringify(secret).slice(1, -1);
  const xml = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  const alone = Buffer.from(secret, "utf8").toString("base64").replace(/=+$/, "");
  const base64 = [alone, ...[0, 1, 2].map((offset) => inBase64(secret, offset))];
  const base64url = base64.map((one) => one.replaceAll("+", "-").replaceAll("/", "_"));
  return new Set([secret, ...escapes, json, xml, ...base64, ...base64url]);
}

/** The characters of base64 that depend only on the secret, if so many bytes, modulo 3, come before it. */
function inBase64(secret: string, offset: number): string {
  const bytes = Buffer.from(`${" ".repeat(offset)}${secret}`, "utf8");
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
