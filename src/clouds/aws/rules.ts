import type { Rule } from "../../rules/rule.ts";
import { rule as assumeRoleAny } from "./rules/assume-role-any.ts";
import { rule as conditionKeyScheme } from "./rules/condition-key-scheme.ts";
import { rule as iamWildcard } from "./rules/iam-wildcard.ts";
import { rule as installConfigRegion } from "./rules/install-config-region.ts";
import { rule as liveRootCredentials } from "./rules/live-root-credentials.ts";
import { rule as longLivedKey } from "./rules/long-lived-key.ts";
import { rule as passRoleAny } from "./rules/pass-role-any.ts";
import { rule as privilegeEscalation } from "./rules/privilege-escalation.ts";
import { rule as requestTokenPath } from "./rules/request-token-path.ts";
import { rule as secretCopied } from "./rules/secret-copied.ts";
import { rule as stsWildcard } from "./rules/sts-wildcard.ts";
import { rule as trustSubjectWildcard } from "./rules/trust-subject-wildcard.ts";
import { rule as trustWithoutSubject } from "./rules/trust-without-subject.ts";

/** The rules for AWS alone, sorted by code. */
export const awsRules: readonly Rule[] = [
  assumeRoleAny,
  conditionKeyScheme,
  iamWildcard,
  installConfigRegion,
  liveRootCredentials,
  longLivedKey,
  passRoleAny,
  privilegeEscalation,
  requestTokenPath,
  secretCopied,
  stsWildcard,
  trustSubjectWildcard,
  trustWithoutSubject,
];
