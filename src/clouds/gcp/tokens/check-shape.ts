import { copyWholeToken, type TokenReading } from "../../../oidc/token.ts";
import type { TokenProblem } from "../../../oidc/token-file.ts";
import { type Check, failed, passed, unknown } from "../../../oidc/verify/check.ts";
import { gcpTokenLimits, longestKnown } from "./limits.ts";

/** Claims that Google checks later, with a message of their own. */
const later: readonly TokenProblem["field"][] = ["iss", "aud", "exp", "iat"];

/**
 * Checks the token's form. Google documents neither what it accepts beyond the standard nor its answer to a malformed
 * token.
 */
export function checkShape({ token, problems }: TokenReading): Check {
  const own = [...problems.filter(({ field }) => !later.includes(field)), ...moreProblems(token)];
  const isOpen = ({ field, isReadBySome }: TokenProblem) => field === "nbf" || isReadBySome === true;
  const [first] = own;
  if (first === undefined) return passed("shape", `a JSON Web Token, signed with ${token?.alg}`);
  const certain = own.filter((problem) => !isOpen(problem));
  if (certain.length === 0) {
    const detail = `${own.map(({ cause }) => cause).join("; ")}; how Google handles that is not documented`;
    return unknown("shape", detail, first.cure);
  }
  const causes = own.map(({ cause }) => cause).join("; ");
  return failed("shape", gcpTokenLimits.refusals.form, causes, certain[0]?.cure ?? copyWholeToken);
}

function moreProblems(token: TokenReading["token"]): TokenProblem[] {
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
