import { exactly, type OutputForm } from "../../core/generated-object.ts";
import type { Cloud } from "../cloud.ts";
import { mergeGcp } from "./identities/merge.ts";
import { keyLimits } from "./limits.ts";
import { gcpNames } from "./names.ts";
import { operatorWords } from "./operators/operator.ts";
import {
  clusterBundlePath,
  identityBundleName,
  identityBundlePath,
  issuerBundlePath,
} from "./rendered/bundle-paths.ts";
import { checkGcpPlatform, checkGcpRequests, nameOfGcp, publishedByGcp, readCluster } from "./renderer.ts";

/** Google Cloud: a service account for each request, and a workload identity pool with a provider for the issuer. */
export const gcp: Cloud = {
  ...gcpNames,
  merge: mergeGcp,
  renderer: {
    emits: {
      issuer: [exactly(issuerBundlePath), exactly(clusterBundlePath)].map(bundleForm),
      identities: [bundleForm(identityBundlePath)],
    },
    bundleName: identityBundleName,
    keys: keyLimits,
    operators: operatorWords,
    checkPlatform: checkGcpPlatform,
    readCluster,
    checkRequests: checkGcpRequests,
    nameOf: nameOfGcp,
    publishedBy: publishedByGcp,
  },
};

function bundleForm(path: RegExp): OutputForm {
  return { apiVersion: "v1", kind: "ConfigMap", path };
}
