import type { Inspector, TokenExchange, TrustingIdentity } from "../../clouds/inspector.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { type RenderedIssuer, unknownIssuer } from "../../clouds/rendered.ts";
import { finding } from "../../core/finding.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { Resource, Value } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { inputProblem, readDocument, readJsonFile } from "../files/input-file.ts";
import { readRenderedDirectory } from "../files/rendered-directory.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/** The flags that name the sources of the cloud's side of an exchange. */
export interface SourceFlags {
  readonly package?: string | undefined;
  readonly discovery?: string | undefined;
  readonly jwks?: string | undefined;
  readonly "provider-file"?: string | undefined;
  readonly "role-file"?: readonly string[] | undefined;
  readonly role?: string | undefined;
}

/** The cloud's side of an exchange: the cloud, and what it would know. */
export interface Sources {
  /** The cloud's title. */
  readonly cloud: string;
  readonly exchange: TokenExchange;
  readonly issuers: readonly RenderedIssuer[];
  readonly identities: readonly TrustingIdentity[];
  /** Every known identity, whether selected or not. */
  readonly ids: readonly string[];
  /** The package's objects, for the advice; undefined without a package. */
  readonly items: readonly Resource[] | undefined;
  readonly region: string | undefined;
}

/** Reads the sources: a package or an export, and files from a live cluster, each of which replaces the package's data. */
export function readSources(flags: SourceFlags): Sources {
  const files = flags["role-file"] ?? [];
  const rendered = flags.package === undefined ? undefined : readRenderedDirectory(flags.package);
  const { exchange, title } = exchangeOf(rendered?.inspector);
  if (rendered === undefined && files.length === 0) {
    const { command } = exchange.commands.identity;
    throw new UsageError(`--package DIR or --role-file FILE is required; FILE contains the output of \`${command}\``);
  }
  const all =
    files.length > 0
      ? files.map((path) => readAnswer("--role-file", path, exchange.commands.identity, exchange.readIdentity))
      : exchange.identities(rendered?.bundles ?? []);
  return {
    cloud: title,
    exchange,
    issuers: withFiles(rendered?.cluster.issuers ?? [], flags, exchange),
    identities: chosen(all, flags.role),
    ids: all.map(({ id }) => id),
    items: rendered?.items,
    region: rendered?.cluster.region,
  };
}

// Files from a live cluster are the output of a cloud's own commands: they belong to the first cloud with such commands.
function exchangeOf(inspector: Inspector | undefined): { exchange: TokenExchange; title: string } {
  const { tokens, title = "" } = inspector ?? inspectors.find((inspector) => inspector.tokens !== undefined) ?? {};
  if (tokens === undefined) throw new UsageError(`verify-token does not support ${title}`);
  return { exchange: tokens, title };
}

function withFiles(known: readonly RenderedIssuer[], flags: SourceFlags, exchange: TokenExchange): RenderedIssuer[] {
  const path = flags["provider-file"];
  const [main = unknownIssuer] = known;
  let issuers = known.length > 0 ? [...known] : [unknownIssuer];
  if (path !== undefined) {
    const given = readAnswer("--provider-file", path, exchange.commands.issuer, exchange.readIssuer);
    const same = known.find(({ url }) => url === given.url) ?? main;
    const others = known.filter(({ url }) => url !== given.url);
    issuers = [{ ...given, discovery: same.discovery, keys: same.keys }, ...others.slice(same === main ? 1 : 0)];
  }
  const discovery = flags.discovery === undefined ? undefined : readDocument("--discovery", flags.discovery);
  const keys = flags.jwks === undefined ? undefined : readDocument("--jwks", flags.jwks);
  return issuers.map((issuer) => ({ ...issuer, discovery: discovery ?? issuer.discovery, keys: keys ?? issuer.keys }));
}

function readAnswer<T>(
  flag: string,
  path: string,
  { command, fields }: { readonly command: string; readonly fields: string },
  read: (answer: Value) => T | undefined,
): T {
  const found = read(readJsonFile(flag, path));
  if (found === undefined)
    throw inputProblem(flag, path, `is not the output of \`${command}\`: it must contain ${fields}`);
  return found;
}

function chosen(all: readonly TrustingIdentity[], wanted: string | undefined): readonly TrustingIdentity[] {
  if (all.length === 0)
    throw new UsageError("the package has no roles; until its issuer is known, no role can trust it");
  if (wanted === undefined) return all;
  const found = all.filter(({ id, name }) => wanted === id || wanted === name);
  if (found.length > 0) return found;
  const names = all.map((trustingIdentity) => (wanted.includes(":") ? trustingIdentity.id : trustingIdentity.name));
  const message = `Unknown role ${quote(wanted)}${didYouMean(wanted, names)}.`;
  throw new FindingsError([finding("error", "role-not-found", message)]);
}
