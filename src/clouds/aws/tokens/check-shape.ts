import type { TokenReading } from "../../../oidc/token.ts";
import { type Check, failed, notJwt, passed } from "./check.ts";

/** The token's form. Everything that is wrong with it is said; AWS stops at the first. */
export function checkShape({ token, problems }: TokenReading): Check {
  const [first] = problems;
  if (first === undefined) return passed("shape", `a JSON Web Token, signed with ${token?.alg}`);
  const causes = problems.map(({ cause }) => cause).join("; ");
  return failed("shape", notJwt, causes, first.cure);
}
