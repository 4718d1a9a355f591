import type { Exchange, Inspector, TokenExchange, TrustingIdentity, UnnamedIdentity } from "../../clouds/inspector.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { applierOf, type RenderedCluster, type RenderedIssuer, unknownIssuer } from "../../clouds/rendered.ts";
import { finding } from "../../core/finding.ts";
import type { Resource, Value } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { decodeUtf8, quote } from "../../core/text.ts";
import { alternatives, didYouMean, plural } from "../../core/words.ts";
import type { TokenAnswer } from "../../oidc/answer.ts";
import { publishAt } from "../../oidc/limits.ts";
import { readToken } from "../../oidc/token.ts";
import type { FlagsOf } from "../definition.ts";
import { inputProblem, maxBytes, readInputFile, readJsonFile } from "../files/input-file.ts";
import { readStandardInput } from "../files/read-bytes.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../package/rendered-directory.ts";
import { neverAnArgument, readTime } from "../terminal/arguments.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { write, writeJson } from "../terminal/output.ts";
import type { verifyTokenCommand as definition } from "./definition.ts";
import { type IssuerFlags, liveIssuers, notTheOutput } from "./live-issuers.ts";
import { type ShownAnswer, verifyTokenJson, verifyTokenText } from "./verify-token-output.ts";

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
  const sources = readSources(flags);
  const { cloud, exchange, issuers, identities, ids, items, cluster } = sources;
  const token = readToken(text, exchange.limits);
  const [issuer = unknownIssuer] = issuers;
  const shown = await Promise.all(
    identities.map(async (identity) => {
      const asked = { id: identity.id, identity, issuer, cluster };
      return {
        id: identity.id,
        ...(await answerFor(identity, { token, time, issuers }, sources)),
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

// A live file may differ from a package that fits the token. Then only applying the package restores what the cloud has; other
// cures would change what is right.
async function answerFor(
  identity: TrustingIdentity,
  exchange: Exchange,
  { rendered, isLive, exchange: { applied } }: Sources,
): Promise<TokenAnswer> {
  const answer = await identity.answer(exchange);
  if (!isLive) return answer;
  const own = rendered?.identities.find(({ id }) => id === identity.id) ?? identity;
  const expected = rendered === undefined ? undefined : await own.answer({ ...exchange, issuers: rendered.issuers });
  const checks = answer.checks.map((check) => {
    const { name, status, cure, isMissing } = check;
    if (cure === undefined || isMissing === true || !applied.has(name)) return check;
    const inPackage = expected?.checks.find((one) => one.name === name);
    if (rendered === undefined) return { ...check, cure: `${comparePackage}${cure}` };
    if (inPackage?.status !== "passed" || status === "passed") return check;
    const isDocument = name === "discovery" || name === "signature";
    const { elsewhere } = rendered.issuers[0] ?? unknownIssuer;
    return { ...check, cure: isDocument && elsewhere !== undefined ? publishAt(elsewhere) : rendered.apply };
  });
  return { ...answer, checks };
}

const comparePackage = "pass the package as --package, too: if it fits the token, apply it (`ccf apply`); otherwise, ";

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

/** The flags that name the sources of the cloud's side of an exchange. */
export interface SourceFlags extends IssuerFlags {
  readonly package?: string | undefined;
  readonly "identity-file"?: readonly string[] | undefined;
  readonly identity?: string | undefined;
}

/** The cloud's side of an exchange: the cloud, and what it would know. */
export interface Sources {
  /** The cloud's title. */
  readonly cloud: string;
  readonly exchange: TokenExchange;
  readonly issuers: readonly RenderedIssuer[];
  readonly identities: readonly TrustingIdentity[];
  /** The ID of every identity, whether selected or not; undefined if the live files name only some of them. */
  readonly ids: readonly string[] | undefined;
  /** What the package says by itself, and how it is applied; undefined without a package. */
  readonly rendered: RenderedSources | undefined;
  /** Files from the live cluster or cloud replace data of the package. */
  readonly isLive: boolean;
  /** The package's objects, for the advice; undefined without a package. */
  readonly items: readonly Resource[] | undefined;
  readonly cluster: RenderedCluster | undefined;
}

interface RenderedSources {
  readonly issuers: readonly RenderedIssuer[];
  readonly identities: readonly TrustingIdentity[];
  /** A fix, for messages. */
  readonly apply: string;
}

/** The output of a command of the cloud. */
interface LiveFile {
  readonly path: string;
  readonly answer: Value;
}

/** Reads the sources: a package or an export, and files from a live cluster, each of which replaces the package's data. */
export function readSources(flags: SourceFlags): Sources {
  const paths = flags["identity-file"] ?? [];
  const rendered = flags.package === undefined ? undefined : readRenderedDirectory(flags.package);
  if (rendered === undefined && paths.length === 0) {
    const commands = alternatives(inspectors.map(({ tokens }) => `\`${tokens.commands.identity.command}\``));
    throw new UsageError(`--package DIR or --identity-file FILE is required; FILE contains the output of ${commands}`);
  }
  const files = paths.map((path) => ({ path, answer: readJsonFile("--identity-file", path) }));
  const { tokens: exchange, title } = cloudOf(rendered?.inspector, files);
  const known = exchange.identities(rendered?.bundles ?? [], rendered?.items ?? []);
  const all = files.length > 0 ? liveIdentities(files, known, flags.identity, exchange) : known;
  const issuers = rendered?.cluster.issuers ?? [];
  const apply = rendered === undefined ? undefined : howToApply(rendered, flags.package ?? "");
  return {
    cloud: title,
    exchange,
    issuers: liveIssuers(issuers, flags, exchange, apply),
    identities: chosen(all, flags.identity, exchange),
    ids: files.length > 0 ? undefined : all.map(({ id }) => id),
    rendered: apply === undefined ? undefined : { issuers, identities: known, apply },
    isLive: [...paths, flags.discovery, flags.jwks, flags["provider-file"]].some((path) => path !== undefined),
    items: rendered?.items,
    cluster: rendered?.cluster,
  };
}

function howToApply({ pkg, bundles }: RenderedDirectory, directory: string): string {
  if (applierOf(bundles) === "Terraform") return "apply the package with Terraform: it fits the token";
  const command =
    pkg === undefined ? "`ccf apply` with the package of this export" : `\`ccf apply ${shellWord(directory)}\``;
  return `run ${command}: the package fits the token`;
}

// Without a package, files are the output of the commands of the first cloud that can read them.
function cloudOf(inspector: Inspector | undefined, files: readonly LiveFile[]): Inspector {
  const clouds = inspector === undefined ? inspectors : [inspector];
  const reading = (file: LiveFile) =>
    clouds.find(({ tokens }) => tokens.readIdentity(file.answer, "", []) !== undefined) ??
    notTheOutput(
      "--identity-file",
      file.path,
      clouds.map(({ tokens }) => tokens.commands.identity),
    );
  const [found] = files.map(reading);
  const cloud = inspector ?? found;
  if (cloud === undefined) throw new Error("neither a package nor a file determines the cloud");
  return cloud;
}

function liveIdentities(
  files: readonly LiveFile[],
  known: readonly TrustingIdentity[],
  wanted: string | undefined,
  exchange: TokenExchange,
): TrustingIdentity[] {
  const { noun, commands, unnamedIdentity } = exchange;
  const id = known.find((identity) => isNamed(identity, wanted))?.id ?? wanted ?? "";
  const unnamed = unnamedIdentity === undefined ? [] : files.filter(({ answer }) => isUnnamed(unnamedIdentity, answer));
  if (unnamedIdentity !== undefined && unnamed.length > 0 && (unnamed.length > 1 || !unnamedIdentity.isID(id))) {
    const reason = `the output of \`${commands.identity.command}\` does not name its ${noun}`;
    throw new UsageError(`${reason}: use one --identity-file, and --identity with ${unnamedIdentity.must}`);
  }
  const read: TrustingIdentity[] = [];
  for (const { path, answer } of files) {
    const identity = exchange.readIdentity(answer, id, [...read, ...known]);
    if (identity === undefined) notTheOutput("--identity-file", path, [commands.identity]);
    // Two commands may print facts about the same identity.
    const before = read.findIndex((one) => one.id === identity.id);
    read.splice(before === -1 ? read.length : before, before === -1 ? 0 : 1, identity);
  }
  return read;
}

function isUnnamed({ isUnnamed = () => true }: UnnamedIdentity, answer: Value): boolean {
  return isUnnamed(answer);
}

function isNamed({ id, name, otherNames = [] }: TrustingIdentity, wanted: string | undefined): boolean {
  return wanted !== undefined && [id, name, ...otherNames].includes(wanted);
}

function chosen(
  all: readonly TrustingIdentity[],
  wanted: string | undefined,
  { noun }: TokenExchange,
): readonly TrustingIdentity[] {
  if (all.length === 0)
    throw new UsageError(`the package has no ${plural(noun)}; until its issuer is known, no ${noun} can trust it`);
  if (wanted === undefined) return all;
  const found = all.filter((identity) => isNamed(identity, wanted));
  if (found.length > 0) return found;
  const names = all.map(({ id, name }) => (/[:@/]/.test(wanted) ? id : name));
  const message = `Unknown ${noun} ${quote(wanted)}${didYouMean(wanted, names)}.`;
  throw new FindingsError([finding("error", "identity-not-found", message)]);
}
