import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LiveParts, liveObjects } from "../../helpers/live-cluster.ts";
import { sample } from "../../helpers/sample.ts";
import { temporary } from "../../helpers/temporary.ts";

/** Writes the objects of a cluster with the sample's key and the webhook for pods into a JSON file for the stand-in for `oc`, and returns its path. */
export function objectsFile(parts: LiveParts): string {
  const key = readFileSync(join(sample, "serviceaccount-signer.public"), "utf8");
  const keys = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "bound-sa-token-signing-certs", namespace: "openshift-kube-apiserver" },
    data: { "service-account-001.pub": key },
  };
  const webhook = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "pod-identity-webhook" },
  };
  const path = join(temporary(), "objects.json");
  writeFileSync(path, JSON.stringify([...liveObjects(parts), keys, webhook]));
  return path;
}
