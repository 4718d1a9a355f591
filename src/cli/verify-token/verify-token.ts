import { unknownIssuer } from "../../clouds/rendered.ts";
import { decodeUtf8 } from "../../core/text.ts";
import { readToken } from "../../oidc/token.ts";
import type { FlagsOf } from "../definition.ts";
import { inputProblem, maxBytes, readInputFile } from "../files/input-file.ts";
import { readStandardInput } from "../files/read-bytes.ts";
import { neverAnArgument, readTime, shellWord } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeJson } from "../terminal/output.ts";
import type { verifyTokenCommand as definition } from "./definition.ts";
import { type ShownAnswer, verifyTokenJson, verifyTokenText } from "./verify-token-output.ts";
import { readSources, type SourceFlags } from "./verify-token-sources.ts";

/** `ccf verify-token`: exits 0 if an identity accepts the token, 2 if every identity refuses it, 1 if the answer is unknown. */
export async function verifyToken(values: FlagsOf<typeof definition>): Promise<number> {
  const { token: path } = values;
  if (path === undefined || path === "") throw new UsageError('--token FILE is required; use "-" for standard input');
  if (looksLikeToken(path)) throw new UsageError(neverAnArgument);
  const time = values.time === undefined ? Math.floor(Date.now() / 1000) : readTime(values.time);
  const shown = await answerOf(values, path, readTokenFile(path), time);
  if (values.output === "json") writeJson(verifyTokenJson(shown, time));
  else write(1, verifyTokenText(shown, time));
  return { accepted: 0, refused: 2, unknown: 1 }[shown.verdict];
}

/** The output for a token that was read from a file, at a time in seconds since the epoch. */
export async function answerOf(flags: SourceFlags, path: string, text: string, time: number): Promise<ShownAnswer> {
  const { cloud, exchange, issuers, identities, ids, items, cluster } = readSources(flags);
  const token = readToken(text, exchange.limits);
  const [issuer = unknownIssuer] = issuers;
  const shown = await Promise.all(
    identities.map(async (identity) => {
      const asked = { id: identity.id, identity, issuer, cluster };
      return {
        id: identity.id,
        ...(await identity.answer({ token, time, issuers })),
        beside: items === undefined ? [] : exchange.advise({ ...asked, items, token: token.token, ids }),
        command: exchange.command(asked, path === "-" ? "/dev/stdin" : path, shellWord),
      };
    }),
  );
  const verdicts = shown.map(({ verdict }) => verdict);
  const isRefused = verdicts.length > 0 && verdicts.every((verdict) => verdict === "refused");
  const verdict = verdicts.includes("accepted") ? "accepted" : isRefused ? "refused" : "unknown";
  const notes = exchange.notes(shown);
  return { cloud, noun: exchange.noun, token: token.token, verdict, isPiped: path === "-", identities: shown, notes };
}

function looksLikeToken(text: string): boolean {
  return /^[\w=-]{10,}\.[\w=-]{10,}\.[\w=-]*$/.test(text);
}

// Trailing whitespace, which terminals and editors add, is not part of the token. Everything else stays, because the AWS CLI
// sends a file verbatim.
function readTokenFile(path: string): string {
  const text = path === "-" ? decodeUtf8(tokenBytes(readStandardInput())) : readInputFile("--token", path);
  const token = (text ?? "").replace(/[ \t\r\n]+$/, "");
  // Usually a failed command was piped in. Without a token there is nothing to predict, so this is an error.
  if (token === "")
    throw inputProblem("--token", path, "contains no token; check the command that should have written it");
  return token;
}

function tokenBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > maxBytes) throw inputProblem("--token", "-", `has more than ${maxBytes} bytes`);
  return bytes;
}
