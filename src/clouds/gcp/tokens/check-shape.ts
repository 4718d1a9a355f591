import type { TokenProblem, TokenReading } from "../../../oidc/token.ts";
import type { Check } from "../../../oidc/verify/check.ts";
import { checkTokenShape } from "../../tokens.ts";
import { gcpTokenLimits } from "./limits.ts";

/** Claims that Google checks later, with a message of their own. */
const later: readonly TokenProblem["field"][] = ["iss", "aud", "exp", "iat"];

const shape = { limits: gcpTokenLimits, open: new Set<TokenProblem["field"]>(["nbf"]) };

/** Checks the token's form. */
export function checkShape({ token, problems }: TokenReading): Check {
  const own = problems.filter(({ field }) => !later.includes(field));
  return checkTokenShape(token, own, shape);
}
