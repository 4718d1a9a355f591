import type { Advice } from "../../clouds/inspector.ts";
import type { ValueMap } from "../../core/resource.ts";
import { quoteWhole, withoutSecret } from "../../core/text.ts";
import type { Token } from "../../oidc/token.ts";
import type { Check, Verdict } from "../../oidc/verify/check.ts";
import { timeText } from "../../oidc/verify/check-time.ts";
import { linesOf, tableLine } from "../terminal/check-lines.ts";

/** The output for one role: the answer, what else must be right, and the command that asks the cloud itself. */
export interface ShownRole {
  readonly id: string;
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  readonly beside: readonly Advice[];
  readonly command: string;
}

/** The output for a token. */
export interface ShownAnswer {
  /** The cloud's title. */
  readonly cloud: string;
  readonly token: Token | undefined;
  /** Accepted if a role accepts the token; refused if every role refuses it. */
  readonly verdict: Verdict;
  readonly roles: readonly ShownRole[];
  /** The token was read from standard input, so the commands read it there too. */
  readonly isPiped: boolean;
}

/** The answer for a program; schemas/verify-token.schema.json describes it. */
export function verifyTokenJson(answer: ShownAnswer, time: number): ValueMap {
  const roles = answer.roles.map(({ id, verdict, checks, beside, command }) => ({
    arn: id,
    verdict,
    awsError: errorJson(firstFailed(checks)),
    checks: checks.map(({ name, status, detail, error, cure, followsFrom }) => ({
      name,
      status,
      detail,
      ...(error === undefined ? {} : { awsError: { ...error } }),
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
    roles,
  };
}

function errorJson(check: Check | undefined) {
  return check?.error === undefined ? null : { ...check.error };
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

function accepting({ roles }: ShownAnswer): string[] {
  return roles.flatMap(({ id, verdict }) => (verdict === "accepted" ? [id] : []));
}

function firstFailed(checks: readonly Check[]): Check | undefined {
  return checks.find(({ status }) => status === "failed");
}

/** The answer as plain text for readers, one line for each check. */
export function verifyTokenText(answer: ShownAnswer, time: number): string[] {
  const { roles, cloud } = answer;
  const [first] = roles;
  // Checks with the same result for every role are shown once.
  const common = first === undefined || roles.length === 1 ? [] : first.checks.slice(0, -1);
  const isShared = roles.every(({ checks }) => JSON.stringify(checks.slice(0, -1)) === JSON.stringify(common));
  const shared = isShared ? common : [];
  const failed = firstFailed(shared);
  return [
    ...(answer.token === undefined ? [] : [tokenLine(answer.token)]),
    `At ${timeText(time)} ${cloud} would answer:`,
    ...(shared.length === 0 ? [] : ["", "For every role:", ...checkLines(shared, failed, cloud)]),
    ...roles.flatMap((role) =>
      roleLines(role, role.checks.slice(shared.length), failed !== undefined, roles.length === 1, cloud),
    ),
    "",
    ...conclusion(answer),
  ];
}

function tokenLine({ iss, sub, aud }: Token): string {
  const shown = (text: string | undefined) => (text === undefined ? "none" : quoteWhole(text));
  return `Token of the issuer ${shown(iss)} for ${shown(sub)}; audience ${aud.map(quoteWhole).join(", ") || "none"}.`;
}

// Among many roles, most are for other components. The advice about those roles has nothing to do with this token.
function roleLines(
  { id, verdict, checks, beside }: ShownRole,
  own: readonly Check[],
  isTold: boolean,
  isAlone: boolean,
  cloud: string,
): string[] {
  const shown = isAlone || verdict === "accepted" ? beside : [];
  return [
    "",
    `Role ${id}: ${words[verdict]}`,
    ...checkLines(own, isTold ? undefined : firstFailed(checks), cloud),
    ...shown.map(({ fits, about, text }) => tableLine(fits ? "fits" : "DIFFERS", about, text)),
  ];
}

const words = { accepted: "accepted", refused: "refused", unknown: "unknown" } as const;

function checkLines(checks: readonly Check[], first: Check | undefined, cloud: string): string[] {
  return checks.flatMap((check) =>
    linesOf(check, check === first && check.error !== undefined ? [`${cloud}: ${errorText(check.error)}`] : []),
  );
}

function errorText({ code, httpStatus, message }: NonNullable<Check["error"]>): string {
  return `${code} (${httpStatus}): ${message}`;
}

function conclusion(answer: ShownAnswer): string[] {
  const { roles, verdict, cloud } = answer;
  const accepted = roles.filter((role) => role.verdict === "accepted");
  const of = roles.length === 1 ? "the role" : `${roles.length} roles`;
  const summary =
    verdict === "accepted"
      ? `Accepted${roles.length === 1 ? "" : ` by ${accepted.length} of ${of}: ${accepting(answer).join(", ")}`}.`
      : verdict === "refused"
        ? `Refused by ${roles.length === 1 ? of : `all ${of}`}.`
        : `It is unknown whether ${of === "the role" ? of : `any of ${of}`} accepts the token.`;
  const ask = answer.isPiped ? `Ask ${cloud} itself, with the token on standard input again:` : `Ask ${cloud} itself:`;
  const [tried] = accepted.length > 0 ? accepted : roles;
  return [summary, ...(tried === undefined ? [] : [ask, `  ${tried.command}`])];
}
