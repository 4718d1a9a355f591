import type { Rule } from "../../../rules/rule.ts";
import { rule as assumeRoleAny } from "./assume-role-any.ts";
import { rule as conditionKeyScheme } from "./condition-key-scheme.ts";
import { rule as iamWildcard } from "./iam-wildcard.ts";
import { rule as installConfigRegion } from "./install-config-region.ts";
import { rule as liveRootCredentials } from "./live-root-credentials.ts";
import { rule as longLivedKey } from "./long-lived-key.ts";
import { rule as passRoleAny } from "./pass-role-any.ts";
import { rule as privilegeEscalation } from "./privilege-escalation.ts";
import { rule as requestTokenPath } from "./request-token-path.ts";
import { rule as secretCopied } from "./secret-copied.ts";
import { rule as stsWildcard } from "./sts-wildcard.ts";
import { rule as trustSubjectWildcard } from "./trust-subject-wildcard.ts";
import { rule as trustWithoutSubject } from "./trust-without-subject.ts";

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
