import type { TokenLimits } from "../limits.ts";
import type { TokenReading } from "../token.ts";
import { type Check, failed, passed } from "./check.ts";

/** Checks the token's form. All problems are reported, although a cloud stops at the first. */
export function checkShape({ token, problems }: TokenReading, { refusals }: TokenLimits): Check {
  const [first] = problems;
  if (first === undefined) return passed("shape", `a JSON Web Token, signed with ${token?.alg}`);
  const causes = problems.map(({ cause }) => cause).join("; ");
  return failed("shape", refusals.form, causes, first.cure);
}
