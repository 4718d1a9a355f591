import type { Rule } from "../../../rules/rule.ts";
import { assumeRoleAny, iamWildcard, passRoleAny, privilegeEscalation, stsWildcard } from "./escalation.ts";
import { installConfigRegion } from "./install-config.ts";
import {
  liveRootCredentials,
  longLivedKey,
  requestTokenPathRule as requestTokenPath,
  secretCopied,
} from "./secrets.ts";
import { conditionKeyScheme, trustSubjectWildcard, trustWithoutSubject } from "./trust.ts";

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
