import type { AnswerCommand, TokenExchange } from "../../clouds/inspector.ts";
import { type RenderedIssuer, unknownIssuer } from "../../clouds/rendered.ts";
import { canonicalJson, type JsonReading } from "../../core/json.ts";
import { valueAt } from "../../core/resource.ts";
import { quoteWhole } from "../../core/text.ts";
import { inputProblem, readDocument, readJsonFile } from "../files/input-file.ts";
import { UsageError } from "../terminal/errors.ts";

/** The flags that name files with the live provider, and with what the live issuer publishes. */
export interface IssuerFlags {
  readonly discovery?: string | undefined;
  readonly jwks?: string | undefined;
  readonly "provider-file"?: string | undefined;
}

/**
 * The issuers that the cloud knows: those of the package, with the live files in place of their data. What remains of the
 * package must not contradict a live file. If it does, the cloud would read something else, so it counts as unknown.
 *
 * @param known the issuers of the package, the cluster's own first.
 * @param apply how the package is applied, for messages.
 */
export function liveIssuers(
  known: readonly RenderedIssuer[],
  flags: IssuerFlags,
  exchange: TokenExchange,
  apply: string | undefined,
): RenderedIssuer[] {
  const path = flags["provider-file"];
  const given = path === undefined ? undefined : readProvider(path, exchange);
  const discovery = flags.discovery === undefined ? undefined : readDocument("--discovery", flags.discovery);
  const jwks = flags.jwks === undefined ? undefined : readDocument("--jwks", flags.jwks);
  const issuers = withProvider(known, given, apply);
  // The document of a previous issuer says nothing about the others.
  const named = issuers.filter(({ url }) => url !== undefined && `https://${url}` === textAt(discovery, "issuer"));
  return issuers.map((issuer) => {
    if (named.length > 0 && !named.includes(issuer)) return issuer;
    if (issuer.holdsKeys === true) return given === undefined ? withOtherKeys(issuer, jwks, exchange) : issuer;
    return withDocuments(issuer, discovery, jwks);
  });
}

function textAt(document: JsonReading | undefined, field: string): string | undefined {
  const value = document !== undefined && "value" in document ? valueAt(document.value, [field]) : undefined;
  return typeof value === "string" ? value : undefined;
}

function readProvider(
  path: string,
  { noun, commands: { issuer, identity }, readIssuer }: TokenExchange,
): RenderedIssuer {
  const file = "--provider-file";
  if (issuer === undefined) {
    const instead = `pass the output of \`${identity.command}\` as --identity-file`;
    throw new UsageError(
      `${file} is for clouds with a provider; each ${noun} names the issuers that it trusts: ${instead}`,
    );
  }
  return readIssuer?.(readJsonFile(file, path)) ?? notTheOutput(file, path, [issuer]);
}

function withProvider(
  known: readonly RenderedIssuer[],
  given: RenderedIssuer | undefined,
  apply: string | undefined,
): readonly RenderedIssuer[] {
  const [main = unknownIssuer] = known;
  if (given === undefined) return known.length > 0 ? known : [unknownIssuer];
  const replaced = known.find(({ url }) => url === given.url) ?? main;
  const others = known.filter((issuer) => issuer !== replaced);
  return [withDocumentsOf(given, replaced, apply), ...others];
}

// The package's documents are those of the package's issuer. A trailing slash does not change where they are.
function withDocumentsOf(given: RenderedIssuer, own: RenderedIssuer, apply: string | undefined): RenderedIssuer {
  if (given.holdsKeys === true) return given;
  if (own.url !== undefined && withoutSlash(own.url) !== withoutSlash(given.url ?? "")) return given;
  if (own.holdsKeys !== true)
    return {
      ...given,
      discovery: own.discovery,
      keys: own.keys,
      ...(own.elsewhere === undefined ? {} : { elsewhere: own.elsewhere }),
    };
  const cause =
    "the provider holds no keys, although the package gives it some; without them, the cloud reads the documents of the issuer";
  return { ...given, missing: { cause, ...(apply === undefined ? {} : { cure: apply }) } };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

// The cloud reads the keys of the provider, whatever the issuer publishes.
function withOtherKeys(
  issuer: RenderedIssuer,
  jwks: JsonReading | undefined,
  { commands }: TokenExchange,
): RenderedIssuer {
  const { keys } = issuer;
  if (jwks === undefined || isSame(keys, jwks)) return issuer;
  const cause = "the provider of the package holds the keys, so the cloud does not read those of --jwks, which differ";
  const cure = `pass the output of \`${commands.issuer?.command}\` as --provider-file`;
  return { ...issuer, keys: undefined, missing: { cause, cure } };
}

function isSame(one: JsonReading | undefined, other: JsonReading): boolean {
  return (
    one !== undefined && "value" in one && "value" in other && canonicalJson(one.value) === canonicalJson(other.value)
  );
}

function withDocuments(
  issuer: RenderedIssuer,
  discovery: JsonReading | undefined,
  jwks: JsonReading | undefined,
): RenderedIssuer {
  const documents = { ...issuer, discovery: discovery ?? issuer.discovery, keys: jwks ?? issuer.keys };
  const [live, own] = [textAt(discovery, "jwks_uri"), textAt(issuer.discovery, "jwks_uri")];
  if (jwks !== undefined || issuer.keys === undefined || live === undefined || live === own) return documents;
  const place = own === undefined ? "" : ` (${quoteWhole(own)})`;
  const cause = `the document of --discovery names the keys at ${quoteWhole(live)}, so those of the package${place} do not count`;
  return { ...documents, keys: undefined, missing: { cause } };
}

/** Reports a file that is not the output of one of these commands. */
export function notTheOutput(flag: string, path: string, commands: readonly AnswerCommand[]): never {
  const [only, ...more] = commands;
  const outputs = commands.map(({ command, fields }) => `\`${command}\`, which contains ${fields}`).join(", or of ");
  const must = `is not the output of \`${only?.command}\`: it must contain ${only?.fields}`;
  throw inputProblem(flag, path, more.length === 0 ? must : `is not the output of ${outputs}`);
}
