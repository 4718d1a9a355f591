import { bundleEdited, roleEdited, secretEdited } from "./checks/edited.ts";
import {
  installConfigCapabilities,
  installConfigFeatureGates,
  installConfigMode,
  installConfigName,
  installConfigPlatform,
} from "./checks/install-config.ts";
import { issuerDiffers } from "./checks/issuer-differs.ts";
import {
  liveCapabilities,
  liveCredentialsMode,
  liveFeatureGates,
  liveIssuer,
  liveSecretDiffers,
  liveSecretMissing,
} from "./checks/live-cluster.ts";
import { manifestName } from "./checks/manifest-name.ts";
import { namespaceMissing } from "./checks/namespace-missing.ts";
import { renderedNotRemoved, renderedNotRequested } from "./checks/not-requested.ts";
import { operatorPermissions } from "./checks/operator-permissions.ts";
import { operatorSecretMount, operatorSecretUnused } from "./checks/operator-secret.ts";
import { operatorServiceAccount } from "./checks/operator-service-account.ts";
import {
  operatorTokenAuthUndeclared,
  operatorTokenAuthUnshipped,
  operatorTokenAuthValue,
} from "./checks/operator-token-auth.ts";
import { operatorTokenMount } from "./checks/operator-token-mount.ts";
import { reachesOtherClusters } from "./checks/reaches-other-clusters.ts";
import { signingKeyShared } from "./checks/signing-key-shared.ts";
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
