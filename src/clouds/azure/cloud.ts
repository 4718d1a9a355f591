import { exactly, type OutputForm } from "../../core/generated-object.ts";
import type { Cloud } from "../cloud.ts";
import { mergeAzure } from "./identities/merge.ts";
import { keyLimits } from "./limits.ts";
import { azureNames } from "./names.ts";
import { operatorWords } from "./operators/operator.ts";
import {
  clusterBundlePath,
  identityBundleName,
  identityBundlePath,
  issuerBundlePath,
  webhookSecretPath,
} from "./rendered/bundle-paths.ts";
import { checkAzurePlatform, checkAzureRequests, nameOfAzure, publishedByAzure, readCluster } from "./renderer.ts";

/** Microsoft Azure: a managed identity for each request, with a federated credential for each of its service accounts. */
export const azure: Cloud = {
  ...azureNames,
  merge: mergeAzure,
  renderer: {
    emits: {
      issuer: [
        ...[exactly(issuerBundlePath), exactly(clusterBundlePath)].map(bundleForm),
        { apiVersion: "v1", kind: "Secret", path: exactly(webhookSecretPath) },
      ],
      identities: [bundleForm(identityBundlePath)],
    },
    bundleName: identityBundleName,
    keys: keyLimits,
    operators: operatorWords,
    checkPlatform: checkAzurePlatform,
    readCluster,
    checkRequests: checkAzureRequests,
    nameOf: nameOfAzure,
    publishedBy: publishedByAzure,
  },
};

function bundleForm(path: RegExp): OutputForm {
  return { apiVersion: "v1", kind: "ConfigMap", path };
}
