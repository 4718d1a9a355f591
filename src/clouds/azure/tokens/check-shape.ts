import { copyWholeToken, type TokenReading } from "../../../oidc/token.ts";
import type { TokenProblem } from "../../../oidc/token-file.ts";
import { type Check, failed, passed, unknown } from "../../../oidc/verify/check.ts";
import { azureTokenLimits, longestKnown } from "./limits.ts";

/** Asymmetric algorithms of RFC 7518 that Microsoft does not test for federated credentials, but that may work. */
const untested = /^(?:RS384|RS512|PS256|PS384|PS512|ES256|ES384|ES512)$/;

/**
 * Checks the token's form. Microsoft documents neither what Entra accepts beyond the standard nor its answer to a malformed
 * token.
 */
export function checkShape({ token, problems }: TokenReading): Check {
  const own = [...problems.map((problem) => asProblem(problem, token?.alg ?? "")), ...moreProblems(token)];
  const [first] = own;
  if (first === undefined) return passed("shape", `a JSON Web Token, signed with ${token?.alg}`);
  const certain = own.find(({ field, isReadBySome }) => !isOpen.has(field) && isReadBySome !== true);
  const causes = own.map(({ cause }) => cause).join("; ");
  if (certain !== undefined) return failed("shape", azureTokenLimits.refusals.form, causes, certain.cure);
  return unknown("shape", `${causes}; how Microsoft Entra handles that is not documented`, first.cure);
}

// Entra documents that it checks "exp"; it says nothing about tokens without the other times.
const isOpen: ReadonlySet<TokenProblem["field"]> = new Set(["iat", "nbf"]);

function asProblem(problem: TokenProblem, alg: string): TokenProblem {
  if (problem.field !== "alg" || !untested.test(alg)) return problem;
  const cause = `the token is signed with ${alg}, but Microsoft tests only RS256`;
  return { cause, cure: "let the cluster sign its tokens with an RSA key", field: "alg", isReadBySome: true };
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
