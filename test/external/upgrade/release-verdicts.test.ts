import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { azureIdentity, azurePackageOf } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import { renderedPackage, succeed } from "../../helpers/cluster-package.ts";
import { corpusReleases } from "../../helpers/corpus-release.ts";
import { gcpPackageOf } from "../../helpers/gcp-requests.ts";
import { describeWithCorpus } from "../../helpers/need.ts";
import { lacksByAll } from "../../helpers/release-verdicts.ts";

const releases = ["4.13", "4.14", "4.19", "main"];
const at = corpusReleases();
const cases = ["aws", "azure", "gcp"].flatMap((cloud) => releases.map((release) => [cloud, release] as const));

// The requests of 4.13 for Azure name no service accounts.
const overrides = Object.fromEntries(
  [
    "openshift-cloud-controller-manager/azure-cloud-credentials",
    "openshift-cloud-network-config-controller/cloud-credentials",
    "openshift-cluster-csi-drivers/azure-disk-credentials",
    "openshift-cluster-csi-drivers/azure-file-credentials",
    "openshift-image-registry/installer-cloud-credentials",
    "openshift-ingress-operator/cloud-credentials",
    "openshift-machine-api/azure-cloud-credentials",
  ].map((secret) => [secret, { serviceAccountNames: ["one"] }]),
);

const packages: Readonly<Record<string, (requests: string) => string>> = {
  aws: renderedPackage,
  azure: (requests) => rendered(azurePackageOf([], azureIdentity({ spec: { overrides } })), requests),
  gcp: (requests) => rendered(gcpPackageOf([]), requests),
};

function rendered(directory: string, requests: string): string {
  cpSync(requests, join(directory, "credentials-requests"), { recursive: true });
  succeed(run(["render", directory]));
  return directory;
}

describeWithCorpus([], "a rendered cluster and a release", () => {
  it.each(cases)("have one verdict for %s, rendered for %s, whichever command is asked", (cloud, old) => {
    const directory = packages[cloud]?.(at(old, cloud)) ?? "";
    for (const release of releases) {
      const lacks = lacksByAll(directory, at(release, cloud));
      if (release === old) expect(lacks).toEqual({});
    }
  });

  it("lack only what roles do not include: one service account of 7, from 4.13 to 4.14", () => {
    const directory = packages["gcp"]?.(at("4.13", "gcp")) ?? "";
    expect(lacksByAll(directory, at("4.14", "gcp"))).toEqual({
      "openshift-image-registry/installer-cloud-credentials": "more",
    });
  });
});
