import type { Rule } from "../../../rules/rule.ts";
import { rule as actAsAny } from "./act-as-any.ts";
import { rule as basicRoleBound } from "./basic-role-bound.ts";
import { rule as externalAccountCopied } from "./external-account-copied.ts";
import { rule as externalAccountHost } from "./external-account-host.ts";
import { rule as externalAccountProvider } from "./external-account-provider.ts";
import { rule as impersonateAny } from "./impersonate-any.ts";
import { rule as liveInstallerCredentials } from "./live-installer-credentials.ts";
import { rule as memberWithoutSubject } from "./member-without-subject.ts";
import { rule as serviceAccountKey } from "./service-account-key.ts";
import { rule as setPolicyAny } from "./set-policy-any.ts";

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
