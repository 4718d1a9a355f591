import { audienceOfApiServer } from "./checks/audiences.ts";
import { bundleEdited, roleEdited, secretEdited } from "./checks/edited.ts";
import {
  liveCapabilities,
  liveCredentialsMode,
  liveFeatureGates,
  liveIssuer,
  liveSecretDiffers,
  liveSecretMissing,
} from "./checks/live-cluster.ts";
import { livePodIdentity, liveServiceAccount, liveWebhookMissing } from "./checks/live-workloads.ts";
import {
  installConfigCapabilities,
  installConfigFeatureGates,
  installConfigMode,
  installConfigName,
  installConfigPlatform,
  issuerDiffers,
  manifestName,
  namespaceMissing,
} from "./checks/manifests.ts";
import { renderedNotRemoved, renderedNotRequested } from "./checks/not-requested.ts";
import { operatorSecretMount, operatorSecretUnused, operatorTokenMount } from "./checks/operator-mounts.ts";
import {
  operatorBundleRequest,
  operatorPermissions,
  operatorServiceAccount,
  operatorTokenAuthUndeclared,
  operatorTokenAuthUnshipped,
  operatorTokenAuthValue,
} from "./checks/operators.ts";
import { reachesOtherClusters, signingKeyShared } from "./checks/other-clusters.ts";
import { generatedRepeated } from "./checks/repeated.ts";
import {
  requestClusterSecret,
  requestNamespaceLookAlike,
  serviceAccountDefault,
  serviceAccountShared,
} from "./checks/requests.ts";
import { roleUnjudged } from "./checks/roles.ts";
import type { Rule } from "./rule.ts";

/** The rules for every cloud, sorted by code. */
export const rules: readonly Rule[] = [
  audienceOfApiServer,
  bundleEdited,
  generatedRepeated,
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
  livePodIdentity,
  liveSecretDiffers,
  liveSecretMissing,
  liveServiceAccount,
  liveWebhookMissing,
  manifestName,
  namespaceMissing,
  operatorBundleRequest,
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
  requestClusterSecret,
  requestNamespaceLookAlike,
  roleEdited,
  roleUnjudged,
  secretEdited,
  serviceAccountDefault,
  serviceAccountShared,
  signingKeyShared,
];
