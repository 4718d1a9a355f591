import { quoteWhole } from "../../../core/text.ts";
import { any, type Truth } from "../../../core/truth.ts";
import { type Check, failed, notReached, passed, unknown } from "../../../oidc/verify/check.ts";
import { quoteName } from "./check-provider.ts";
import { type Binding, type ServiceAccount, workloadIdentityUser } from "./identity.ts";
import { accessDenied } from "./limits.ts";
import type { MappedSubject, Provider } from "./provider.ts";

/** Roles with the permission iam.serviceAccounts.getAccessToken (Google Cloud, "IAM roles and permissions index"). */
const sufficient = [workloadIdentityUser, "roles/iam.serviceAccountTokenCreator"];

/** A role without this permission. What other roles contain is not known here. */
const insufficient = ["roles/iam.serviceAccountUser"];

const again = "render and apply, or compare the service account with the package: `ccf status`";

/** Checks that the principal of the token may use the service account (Google Cloud, "Principal identifiers"). */
export function checkBinding(
  { email, bindings }: ServiceAccount,
  provider: Provider | undefined,
  sub: string | undefined,
  mapped: MappedSubject | undefined,
): Check {
  if (sub === undefined) return notReached("binding", "the token has no subject");
  if (bindings === undefined) return unknown("binding", `the bindings of ${quoteWhole(email)} cannot be read`, again);
  if (provider === undefined || mapped === undefined || "problem" in mapped)
    return unknown("binding", "the principal is unknown without google.subject and the provider", again);
  const { subject } = mapped;
  const answers = bindings.map((binding) => allows(binding, provider.pool, subject));
  const answer = any(answers);
  if (answer === true) return passed("binding", `${quoteWhole(subject)} of this pool may use ${quoteWhole(email)}`);
  if (answer === "unknown") {
    const roles = bindings.filter((_, index) => answers[index] === "unknown").map(({ role }) => quoteWhole(role));
    const cause = `whether ${quoteWhole(subject)} may use ${quoteWhole(email)} depends on a binding of ${[...new Set(roles)].join(", ")} with a condition, a set of principals, or permissions that are not known here`;
    return unknown("binding", cause, again);
  }
  const cure = `use a token of a service account that may use it; or add this one to the request (\`serviceAccountNames\`) or to an override, render, export and apply`;
  return failed("binding", accessDenied, whyNot(bindings, provider.pool, subject, email), cure);
}

function allows({ role, members, isConditional }: Binding, pool: string, subject: string): Truth {
  const isMember = any(members.map((member) => includes(member, pool, subject)));
  if (isMember === false || insufficient.includes(role)) return false;
  return sufficient.includes(role) && !isConditional ? isMember : "unknown";
}

// A subject with other characters may be written percent-encoded.
function includes(member: string, pool: string, subject: string): Truth {
  const start = `iam.googleapis.com/${pool}/`;
  if (member.startsWith(`principal://${start}subject/`)) {
    if (!/^[\w.:-]+$/.test(subject)) return "unknown";
    return member === `principal://${start}subject/${subject}`;
  }
  if (member === `principalSet://${start}*`) return true;
  // Groups, attributes, everyone, and whatever else may contain the principal.
  return /^(?:principalSet:|allUsers$|allAuthenticatedUsers$)/.test(member) && !isOfOtherPool(member, pool)
    ? "unknown"
    : false;
}

function isOfOtherPool(member: string, pool: string): boolean {
  const [, other] =
    /^principalSet:\/\/iam\.googleapis\.com\/(projects\/\d+\/locations\/global\/workloadIdentityPools\/[^/]+)\//.exec(
      member,
    ) ?? [];
  return other !== undefined && other !== pool;
}

function whyNot(bindings: readonly Binding[], pool: string, subject: string, email: string): string {
  const members = bindings.flatMap((binding) => binding.members);
  const start = `principal://iam.googleapis.com/${pool}/subject/`;
  const ours = members
    .filter((member) => member.startsWith(start))
    .map((member) => quoteWhole(member.slice(start.length)));
  if (ours.length > 0) {
    const shown = ours.slice(0, 10).join(", ");
    return `${quoteWhole(email)} may be used by ${shown}, but google.subject is ${quoteWhole(subject)}`;
  }
  const others = members.filter((member) => /^principal(?:Set)?:\/\//.test(member)).slice(0, 3);
  const named = others.length === 0 ? "" : `, but only ${others.map(quoteName).join(", ")}`;
  return `no principal of the pool ${quoteName(pool)} may use ${quoteWhole(email)}${named}`;
}
