import { quoteWhole } from "../../../core/text.ts";
import { type Check, failed, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import { maxSubject } from "../limits.ts";
import type { MappedSubject } from "./attributes.ts";
import { giveProvider } from "./check-provider.ts";
import { longSubject } from "./refusals.ts";

/** Checks that the subject that the provider reads from the token is not too long. */
export function checkSubject(sub: string | undefined, mapped: MappedSubject | undefined): Check {
  if (mapped === undefined) return unknown("subject", "the attribute mapping of the provider is unknown", giveProvider);
  if (sub === undefined) return notReached("subject", "the token has no subject");
  if ("problem" in mapped)
    return unknown(
      "subject",
      mapped.problem,
      'use the mapping "google.subject" = "assertion.sub": render, export and apply',
    );
  const { subject } = mapped;
  const bytes = Buffer.byteLength(subject);
  if (bytes <= maxSubject) return passed("subject", `google.subject is ${quoteWhole(subject)}`);
  const cause = `google.subject is ${quoteWhole(subject)}, which has ${bytes} bytes, but must have at most ${maxSubject}`;
  return failed("subject", longSubject, cause, "use a shorter namespace or service account name");
}
