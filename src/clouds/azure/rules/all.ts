import type { Rule } from "../../../rules/rule.ts";
import { rule as actAsIdentityAny } from "./act-as-identity-any.ts";
import { rule as assignRoleAny } from "./assign-role-any.ts";
import { rule as clientIdUnused } from "./client-id-unused.ts";
import { rule as clientSecret } from "./client-secret.ts";
import { rule as credentialWithoutSubject } from "./credential-without-subject.ts";
import { rule as installConfigAzure } from "./install-config-azure.ts";
import { rule as listKeysAny } from "./list-keys-any.ts";
import { rule as liveAzureCredentials } from "./live-azure-credentials.ts";
import { rule as roleScopeSubscription } from "./role-scope-subscription.ts";
import { rule as runCommandAny } from "./run-command-any.ts";
import { rule as secretOtherTenant } from "./secret-other-tenant.ts";
import { rule as webhookSecretMissing } from "./webhook-secret-missing.ts";

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
