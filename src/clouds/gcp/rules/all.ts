import type { Rule } from "../../../rules/rule.ts";
import { actAsAny, basicRoleBound, impersonateAny, setPolicyAny } from "./escalation.ts";
import {
  externalAccountCopied,
  externalAccountHost,
  externalAccountProvider,
  liveInstallerCredentials,
  serviceAccountKey,
} from "./secrets.ts";
import { memberWithoutSubject } from "./trust.ts";

/** The rules for GCP alone, sorted by code. */
export const gcpRules: readonly Rule[] = [
  actAsAny,
  basicRoleBound,
  externalAccountCopied,
  externalAccountHost,
  externalAccountProvider,
  impersonateAny,
  liveInstallerCredentials,
  memberWithoutSubject,
  serviceAccountKey,
  setPolicyAny,
];
