import type { TokenProblem, TokenReading } from "../../../oidc/token.ts";
import type { Check } from "../../../oidc/verify/check.ts";
import { checkTokenShape } from "../../tokens.ts";
import { azureTokenLimits } from "./limits.ts";

/** The asymmetric algorithms of RFC 7518. Those that Microsoft does not test for federated credentials may work. */
const asymmetric = /^(?:RS|PS|ES)(?:256|384|512)$/;

const tested = azureTokenLimits.algorithms.join(" and ");

// Entra documents that it checks "exp"; it says nothing about tokens without the other times.
const shape = { limits: azureTokenLimits, open: new Set<TokenProblem["field"]>(["iat", "nbf"]) };

/** Checks the token's form. */
export function checkShape({ token, problems }: TokenReading): Check {
  const own = problems.map((problem) => asProblem(problem, token?.alg ?? ""));
  return checkTokenShape(token, own, shape);
}

function asProblem(problem: TokenProblem, alg: string): TokenProblem {
  if (problem.field !== "alg" || !asymmetric.test(alg)) return problem;
  const cause = `the token is signed with ${alg}, but Microsoft tests only ${tested}`;
  return { cause, cure: `let the cluster sign its tokens with a key for ${tested}`, field: "alg", isReadBySome: true };
}
