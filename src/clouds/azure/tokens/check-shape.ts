import type { TokenReading } from "../../../oidc/token.ts";
import type { TokenProblem } from "../../../oidc/token-file.ts";
import type { Check } from "../../../oidc/verify/check.ts";
import { checkTokenShape } from "../../token-shape.ts";
import { azureTokenLimits, longestKnown } from "./limits.ts";

/** Asymmetric algorithms of RFC 7518 that Microsoft does not test for federated credentials, but that may work. */
const untested = /^(?:RS384|RS512|PS256|PS384|PS512|ES256|ES384|ES512)$/;

// Entra documents that it checks "exp"; it says nothing about tokens without the other times.
const shape = { limits: azureTokenLimits, longestKnown, open: new Set<TokenProblem["field"]>(["iat", "nbf"]) };

/** Checks the token's form. */
export function checkShape({ token, problems }: TokenReading): Check {
  const own = problems.map((problem) => asProblem(problem, token?.alg ?? ""));
  return checkTokenShape(token, own, shape);
}

function asProblem(problem: TokenProblem, alg: string): TokenProblem {
  if (problem.field !== "alg" || !untested.test(alg)) return problem;
  const cause = `the token is signed with ${alg}, but Microsoft tests only RS256`;
  return { cause, cure: "let the cluster sign its tokens with an RSA key", field: "alg", isReadBySome: true };
}
