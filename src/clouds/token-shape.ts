import type { TokenLimits } from "../oidc/limits.ts";
import { copyWholeToken, type Token, type TokenProblem } from "../oidc/token.ts";
import { type Check, failed, passed, unknown } from "../oidc/verify/check.ts";

/** What a cloud says about the form of tokens beyond {@link TokenLimits}. */
interface ShapeLimits {
  readonly limits: TokenLimits;
  /** The fields without which the cloud may accept a token. */
  readonly open: ReadonlySet<TokenProblem["field"]>;
}

/**
 * Checks the form of a token for a cloud that documents neither what it accepts beyond the standard nor its answer to a
 * malformed token.
 *
 * @param problems those that this cloud has with the token.
 */
export function checkTokenShape(
  token: Token | undefined,
  problems: readonly TokenProblem[],
  { limits, open }: ShapeLimits,
): Check {
  const all = [...problems, ...moreProblems(token)];
  const [first] = all;
  if (first === undefined) return passed("shape", `a JSON Web Token, signed with ${token?.alg}`);
  const causes = all.map(({ cause }) => cause).join("; ");
  const certain = all.find(({ field, isReadBySome }) => !open.has(field) && isReadBySome !== true);
  if (certain !== undefined) return failed("shape", limits.refusals.form, causes, certain.cure);
  return unknown("shape", `${causes}; how ${limits.reader} handles that is not documented`, first.cure);
}

/** In characters: longer than tokens of Kubernetes are. The cloud does not document whether it accepts longer tokens. */
const longestKnown = 16_384;

function moreProblems(token: Token | undefined): TokenProblem[] {
  if (token === undefined) return [];
  const { kid, text } = token;
  const cause = `the token has ${text.length} characters, more than ${longestKnown}`;
  return [
    ...(kid === undefined
      ? [{ cause: 'the token\'s header has no "kid", so it does not name a key', cure: copyWholeToken }]
      : []),
    ...(text.length > longestKnown ? [{ cause, cure: copyWholeToken, isReadBySome: true } as const] : []),
  ];
}
