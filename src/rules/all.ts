import { rule as bundleEdited } from "./checks/bundle-edited.ts";
import { rule as installConfigCapabilities } from "./checks/install-config-capabilities.ts";
import { rule as installConfigFeatureGates } from "./checks/install-config-feature-gates.ts";
import { rule as installConfigMode } from "./checks/install-config-mode.ts";
import { rule as installConfigName } from "./checks/install-config-name.ts";
import { rule as installConfigPlatform } from "./checks/install-config-platform.ts";
import { rule as issuerDiffers } from "./checks/issuer-differs.ts";
import { rule as liveCapabilities } from "./checks/live-capabilities.ts";
import { rule as liveCredentialsMode } from "./checks/live-credentials-mode.ts";
import { rule as liveFeatureGates } from "./checks/live-feature-gates.ts";
import { rule as liveIssuer } from "./checks/live-issuer.ts";
import { rule as liveSecretDiffers } from "./checks/live-secret-differs.ts";
import { rule as liveSecretMissing } from "./checks/live-secret-missing.ts";
import { rule as manifestName } from "./checks/manifest-name.ts";
import { rule as namespaceMissing } from "./checks/namespace-missing.ts";
import { rule as operatorPermissions } from "./checks/operator-permissions.ts";
import { rule as operatorSecretMount } from "./checks/operator-secret-mount.ts";
import { rule as operatorSecretUnused } from "./checks/operator-secret-unused.ts";
import { rule as operatorServiceAccount } from "./checks/operator-service-account.ts";
import { rule as operatorTokenAuthUndeclared } from "./checks/operator-token-auth-undeclared.ts";
import { rule as operatorTokenAuthUnshipped } from "./checks/operator-token-auth-unshipped.ts";
import { rule as operatorTokenAuthValue } from "./checks/operator-token-auth-value.ts";
import { rule as operatorTokenMount } from "./checks/operator-token-mount.ts";
import { rule as reachesOtherClusters } from "./checks/reaches-other-clusters.ts";
import { rule as renderedNotRemoved } from "./checks/rendered-not-removed.ts";
import { rule as renderedNotRequested } from "./checks/rendered-not-requested.ts";
import { rule as roleEdited } from "./checks/role-edited.ts";
import { rule as secretEdited } from "./checks/secret-edited.ts";
import { rule as signingKeyShared } from "./checks/signing-key-shared.ts";
import type { Rule } from "./rule.ts";

/** The rules for every cloud, sorted by code. */
export const rules: readonly Rule[] = [
  bundleEdited,
  installConfigCapabilities,
  installConfigFeatureGates,
  installConfigMode,
  installConfigName,
  installConfigPlatform,
  issuerDiffers,
  liveCapabilities,
  liveCredentialsMode,
  liveFeatureGates,
  liveIssuer,
  liveSecretDiffers,
  liveSecretMissing,
  manifestName,
  namespaceMissing,
  operatorPermissions,
  operatorSecretMount,
  operatorSecretUnused,
  operatorServiceAccount,
  operatorTokenAuthUndeclared,
  operatorTokenAuthUnshipped,
  operatorTokenAuthValue,
  operatorTokenMount,
  reachesOtherClusters,
  renderedNotRemoved,
  renderedNotRequested,
  roleEdited,
  secretEdited,
  signingKeyShared,
];
