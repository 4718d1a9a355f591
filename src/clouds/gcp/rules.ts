import type { Rule } from "../../rules/rule.ts";
import { rule as actAsAny } from "./rules/act-as-any.ts";
import { rule as basicRoleBound } from "./rules/basic-role-bound.ts";
import { rule as externalAccountCopied } from "./rules/external-account-copied.ts";
import { rule as externalAccountHost } from "./rules/external-account-host.ts";
import { rule as externalAccountProvider } from "./rules/external-account-provider.ts";
import { rule as impersonateAny } from "./rules/impersonate-any.ts";
import { rule as liveInstallerCredentials } from "./rules/live-installer-credentials.ts";
import { rule as memberWithoutSubject } from "./rules/member-without-subject.ts";
import { rule as serviceAccountKey } from "./rules/service-account-key.ts";
import { rule as setPolicyAny } from "./rules/set-policy-any.ts";

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
