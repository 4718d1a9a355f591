import type { Rule } from "../../../rules/rule.ts";
import { actAsIdentityAny, assignRoleAny, listKeysAny, roleScopeSubscription, runCommandAny } from "./escalation.ts";
import { installConfigAzure } from "./install-config.ts";
import {
  clientIdUnused,
  clientSecret,
  liveAzureCredentials,
  secretOtherTenant,
  webhookSecretMissing,
} from "./secrets.ts";
import { credentialWithoutSubject } from "./trust.ts";

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
