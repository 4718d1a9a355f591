import type { Rule } from "../../rules/rule.ts";
import { rule as actAsIdentityAny } from "./rules/act-as-identity-any.ts";
import { rule as assignRoleAny } from "./rules/assign-role-any.ts";
import { rule as clientIdUnused } from "./rules/client-id-unused.ts";
import { rule as clientSecret } from "./rules/client-secret.ts";
import { rule as credentialWithoutSubject } from "./rules/credential-without-subject.ts";
import { rule as installConfigAzure } from "./rules/install-config-azure.ts";
import { rule as listKeysAny } from "./rules/list-keys-any.ts";
import { rule as liveAzureCredentials } from "./rules/live-azure-credentials.ts";
import { rule as roleScopeSubscription } from "./rules/role-scope-subscription.ts";
import { rule as runCommandAny } from "./rules/run-command-any.ts";
import { rule as secretOtherTenant } from "./rules/secret-other-tenant.ts";
import { rule as webhookSecretMissing } from "./rules/webhook-secret-missing.ts";

/** The rules for Azure alone, sorted by code. */
export const azureRules: readonly Rule[] = [
  actAsIdentityAny,
  assignRoleAny,
  clientIdUnused,
  clientSecret,
  credentialWithoutSubject,
  installConfigAzure,
  listKeysAny,
  liveAzureCredentials,
  roleScopeSubscription,
  runCommandAny,
  secretOtherTenant,
  webhookSecretMissing,
];
