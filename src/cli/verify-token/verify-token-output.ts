import type { Advice } from "../../clouds/inspector.ts";
import type { ValueMap } from "../../core/resource.ts";
import { quoteWhole, withoutSecret } from "../../core/text.ts";
import { plural } from "../../core/words.ts";
import type { Check, TokenAnswer, TokenVerdict } from "../../oidc/answer.ts";
import { timeText } from "../../oidc/checks.ts";
import type { Token } from "../../oidc/token.ts";
import { linesOf, tableLine } from "../terminal/table.ts";

/** The output for one identity: the answer, what else must be right, and the command that asks the cloud itself. */
export interface ShownIdentity extends TokenAnswer {
  readonly id: string;
  readonly beside: readonly Advice[];
  readonly command: string;
}

/** The output for a token. */
export interface ShownAnswer {
  /** The cloud's title. */
  readonly cloud: string;
  /** The cloud's term for an identity. */
  readonly noun: string;
  readonly token: Token | undefined;
  /** Accepted if an identity accepts the token; refused if every identity refuses it. */
  readonly verdict: TokenVerdict;
  readonly identities: readonly ShownIdentity[];
  /** The token was read from standard input, so the commands read it there too. */
  readonly isPiped: boolean;
  /** What a reader must know besides. */
  readonly notes: readonly string[];
}

/** The answer for a program; schemas/verify-token.schema.json describes it. */
export function verifyTokenJson(answer: ShownAnswer, time: number): ValueMap {
  const identities = answer.identities.map(({ id, verdict, checks, deciding, beside, command }) => ({
    id,
    verdict,
    errors: errorsOf(checks, deciding),
    checks: checks.map(({ name, status, detail, error, cure, followsFrom }) => ({
      name,
      status,
      detail,
      ...(error === undefined ? {} : { error: { ...error } }),
      ...(cure === undefined ? {} : { cure }),
      ...(followsFrom === undefined ? {} : { followsFrom }),
    })),
    beside: beside.map((advice) => ({ ...advice })),
    command,
  }));
  return {
    verdict: answer.verdict,
    time: timeText(time),
    token: answer.token === undefined ? null : tokenJson(answer.token),
    accepting: accepting(answer),
    differing: differing(answer),
    identities,
    ...(answer.notes.length === 0 ? {} : { notes: answer.notes }),
  };
}

function errorsOf(checks: readonly Check[], deciding: readonly string[]): ValueMap[] {
  return checks.flatMap(({ name, error }) => (error !== undefined && deciding.includes(name) ? { ...error } : []));
}

function tokenJson({ alg, kid, iss, sub, aud, exp, iat, nbf }: Token) {
  const text = (value: string | undefined) => (value === undefined ? null : withoutSecret(value));
  return {
    alg: text(alg),
    kid: text(kid),
    iss: text(iss),
    sub: text(sub),
    aud: aud.map(withoutSecret),
    exp: exp ?? null,
    iat: iat ?? null,
    nbf: nbf ?? null,
  };
}

function accepting({ identities }: ShownAnswer): string[] {
  return identities.flatMap(({ id, verdict }) => (verdict === "accepted" ? [id] : []));
}

// What is wrong in the package although the cloud accepts the token, by its subject: "secret", "authentication".
function differing({ identities }: ShownAnswer): string[] {
  const beside = identities.flatMap(({ verdict, beside }) => (verdict === "accepted" ? beside : []));
  return [...new Set(beside.flatMap(({ about, fits }) => (fits ? [] : [about])))];
}

/** The answer as plain text for readers, one line for each check. */
export function verifyTokenText(answer: ShownAnswer, time: number): string[] {
  const { identities, cloud, noun } = answer;
  const [first] = identities;
  const shared = sharedChecks(identities);
  return [
    ...(answer.token === undefined ? [] : [tokenLine(answer.token)]),
    `At ${timeText(time)} ${cloud} would answer:`,
    ...(shared.length === 0 ? [] : ["", `For every ${noun}:`, ...checkLines(shared, first?.deciding ?? [], cloud)]),
    ...identities.flatMap((identity) => identityLines(identity, shared, answer)),
    "",
    ...conclusion(answer),
  ];
}

// Checks with the same result for every identity are shown once. At least one is shown for each.
function sharedChecks(identities: readonly ShownIdentity[]): readonly Check[] {
  const [first, ...others] = identities;
  if (first === undefined || others.length === 0) return [];
  const texts = others.map(({ checks }) => new Set(checks.map((check) => JSON.stringify(check))));
  const same = first.checks.filter((check) => texts.every((known) => known.has(JSON.stringify(check))));
  return same.length === first.checks.length ? same.slice(0, -1) : same;
}

function tokenLine({ iss, sub, aud }: Token): string {
  const shown = (text: string | undefined) => (text === undefined ? "none" : quoteWhole(text));
  return `Token of the issuer ${shown(iss)} for ${shown(sub)}; audience ${aud.map(quoteWhole).join(", ") || "none"}.`;
}

// Most of many identities are for other components. The advice about them has nothing to do with this token.
function identityLines(
  { id, verdict, checks, deciding, beside }: ShownIdentity,
  shared: readonly Check[],
  { identities, noun, cloud }: ShownAnswer,
): string[] {
  const shown = identities.length === 1 || verdict === "accepted" ? beside : [];
  const said = new Set(shared.map(({ name }) => name));
  return [
    "",
    `${noun[0]?.toUpperCase()}${noun.slice(1)} ${id}: ${words[verdict]}`,
    ...checkLines(
      checks.filter(({ name }) => !said.has(name)),
      deciding,
      cloud,
    ),
    ...shown.map(({ fits, about, text }) => tableLine(fits ? "fits" : "DIFFERS", about, text)),
  ];
}

const words = { accepted: "accepted", refused: "refused", unknown: "unknown" } as const;

function checkLines(checks: readonly Check[], deciding: readonly string[], cloud: string): string[] {
  return checks.flatMap((check) =>
    linesOf(check, deciding.includes(check.name) ? [`${cloud}: ${errorText(check.error)}`] : []),
  );
}

function errorText(error: Check["error"]): string {
  if (error === undefined) return "the text of its error is not documented";
  return `${error.code} (${error.httpStatus}): ${error.message}`;
}

// The cloud does not look at the package, but a component cannot use an identity that its Secret does not name.
function butDiffers(about: readonly string[], cloud: string): string {
  if (about.length === 0) return "";
  return `; but the package differs (${about.join(", ")}), which ${cloud} does not check: correct what the lines with DIFFERS name`;
}

function conclusion(answer: ShownAnswer): string[] {
  const { identities, verdict, cloud, noun } = answer;
  const accepted = identities.filter((identity) => identity.verdict === "accepted");
  const [isOne, of] = [identities.length === 1, `${identities.length} ${plural(noun)}`];
  const by = isOne ? "" : ` by ${accepted.length} of ${of}: ${accepting(answer).join(", ")}`;
  const summary =
    verdict === "accepted"
      ? `Accepted${by}${butDiffers(differing(answer), cloud)}.`
      : verdict === "refused"
        ? `Refused by ${isOne ? `the ${noun}` : `all ${of}`}.`
        : `It is unknown whether ${isOne ? `the ${noun}` : `any of ${of}`} accepts the token.`;
  const isOpen = verdict !== "accepted" && identities.some(({ deciding }) => deciding.length > 1);
  const ask = answer.isPiped ? `Ask ${cloud} itself, with the token on standard input again:` : `Ask ${cloud} itself:`;
  const [tried] = accepted.length > 0 ? accepted : identities;
  return [
    summary,
    ...(isOpen ? [`${cloud} names one of these errors; the order of its checks is not documented.`] : []),
    ...answer.notes,
    ...(tried === undefined ? [] : [ask, `  ${tried.command}`]),
  ];
}
