import { rule as assumeRoleAny } from "./checks/assume-role-any.ts";
import { rule as bundleEdited } from "./checks/bundle-edited.ts";
import { rule as conditionKeyScheme } from "./checks/condition-key-scheme.ts";
import { rule as iamWildcard } from "./checks/iam-wildcard.ts";
import { rule as installConfigCapabilities } from "./checks/install-config-capabilities.ts";
import { rule as installConfigFeatureGates } from "./checks/install-config-feature-gates.ts";
import { rule as installConfigMode } from "./checks/install-config-mode.ts";
import { rule as installConfigName } from "./checks/install-config-name.ts";
import { rule as installConfigPlatform } from "./checks/install-config-platform.ts";
import { rule as installConfigRegion } from "./checks/install-config-region.ts";
import { rule as issuerDiffers } from "./checks/issuer-differs.ts";
import { rule as liveCapabilities } from "./checks/live-capabilities.ts";
import { rule as liveCredentialsMode } from "./checks/live-credentials-mode.ts";
import { rule as liveFeatureGates } from "./checks/live-feature-gates.ts";
import { rule as liveIssuer } from "./checks/live-issuer.ts";
import { rule as liveRootCredentials } from "./checks/live-root-credentials.ts";
import { rule as liveSecretDiffers } from "./checks/live-secret-differs.ts";
import { rule as liveSecretMissing } from "./checks/live-secret-missing.ts";
import { rule as longLivedKey } from "./checks/long-lived-key.ts";
import { rule as manifestName } from "./checks/manifest-name.ts";
import { rule as namespaceMissing } from "./checks/namespace-missing.ts";
import { rule as operatorPermissions } from "./checks/operator-permissions.ts";
import { rule as operatorSecretPlace } from "./checks/operator-secret-place.ts";
import { rule as operatorSecretUnused } from "./checks/operator-secret-unused.ts";
import { rule as operatorServiceAccount } from "./checks/operator-service-account.ts";
import { rule as operatorTokenAuthUndeclared } from "./checks/operator-token-auth-undeclared.ts";
import { rule as operatorTokenAuthUnshipped } from "./checks/operator-token-auth-unshipped.ts";
import { rule as operatorTokenAuthValue } from "./checks/operator-token-auth-value.ts";
import { rule as operatorTokenMount } from "./checks/operator-token-mount.ts";
import { rule as passRoleAny } from "./checks/pass-role-any.ts";
import { rule as privilegeEscalation } from "./checks/privilege-escalation.ts";
import { rule as renderedNotRemoved } from "./checks/rendered-not-removed.ts";
import { rule as renderedNotRequested } from "./checks/rendered-not-requested.ts";
import { rule as requestTokenPath } from "./checks/request-token-path.ts";
import { rule as roleEdited } from "./checks/role-edited.ts";
import { rule as secretCopied } from "./checks/secret-copied.ts";
import { rule as secretEdited } from "./checks/secret-edited.ts";
import { rule as stsWildcard } from "./checks/sts-wildcard.ts";
import { rule as trustSubjectWildcard } from "./checks/trust-subject-wildcard.ts";
import { rule as trustWithoutSubject } from "./checks/trust-without-subject.ts";
import type { Rule } from "./rule.ts";

/** Every rule, sorted by code. */
export const rules: readonly Rule[] = [
  assumeRoleAny,
  bundleEdited,
  conditionKeyScheme,
  iamWildcard,
  installConfigCapabilities,
  installConfigFeatureGates,
  installConfigMode,
  installConfigName,
  installConfigPlatform,
  installConfigRegion,
  issuerDiffers,
  liveCapabilities,
  liveCredentialsMode,
  liveFeatureGates,
  liveIssuer,
  liveRootCredentials,
  liveSecretDiffers,
  liveSecretMissing,
  longLivedKey,
  manifestName,
  namespaceMissing,
  operatorPermissions,
  operatorSecretPlace,
  operatorSecretUnused,
  operatorServiceAccount,
  operatorTokenAuthUndeclared,
  operatorTokenAuthUnshipped,
  operatorTokenAuthValue,
  operatorTokenMount,
  passRoleAny,
  privilegeEscalation,
  renderedNotRemoved,
  renderedNotRequested,
  requestTokenPath,
  roleEdited,
  secretCopied,
  secretEdited,
  stsWildcard,
  trustSubjectWildcard,
  trustWithoutSubject,
];
