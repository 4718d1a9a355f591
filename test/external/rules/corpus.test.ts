import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { corpusReleases } from "../../helpers/corpus-release.ts";
import { describeWithCorpus } from "../../helpers/need.ts";

/*
 * What is found in real requests is in test/unit/rules/corpus.json, and each of it was read and found to be so: the machine
 * API passes any role to the instances that it starts, and the ingress operator becomes any role from 4.14 on, for zones
 * in accounts of others. Nothing else is wrong with them.
 */
const expected: Readonly<Record<string, Any>> = JSON.parse(readFileSync("test/unit/rules/corpus.json", "utf8"));

/*
 * For GCP: the machine API, the disk driver and, before 4.19, the cloud controller run instances as any service account of
 * the project. Roles that administer instances, disks and buckets include the policies of these.
 */
const actAs = ["openshift-machine-api-gcp", "openshift-gcp-pd-csi-driver-operator"];
const before419 = {
  "act-as-any": [...actAs, "openshift-gcp-ccm"],
  "set-policy-any": [
    ...actAs,
    "openshift-gcp-ccm",
    "openshift-image-registry-gcs",
    "openshift-cloud-network-config-controller-gcp",
  ],
};
const since419 = { "act-as-any": actAs, "set-policy-any": ["openshift-gcp-pd-csi-driver-operator"] };
const expectedForGcp = { "4.13": before419, "4.14": before419, "4.19": since419, main: since419 };

const at = corpusReleases();

describeWithCorpus([], "real requests", () => {
  it.each(Object.keys(expected))("%s", (release) => {
    const { status, stdout } = run(["validate", at(release, "aws"), "-o", "json"]);
    const found = JSON.parse(stdout).findings.map(({ severity, tags, resourceRef }: Any) => [
      severity,
      tags.code,
      resourceRef.name,
    ]);
    expect({ status, found }).toEqual({ status: 0, found: expected[release] });
  });

  it.each(Object.entries(expectedForGcp))("%s for GCP", (release, codes) => {
    const { status, stdout } = run(["validate", at(release, "gcp"), "-o", "json"]);
    const found = JSON.parse(stdout).findings.map(({ severity, tags, resourceRef }: Any) =>
      [severity, tags.code, resourceRef.name].join(" "),
    );
    const all = Object.entries(codes).flatMap(([code, names]) => names.map((name) => `warning ${code} ${name}`));
    expect({ status, found: found.sort() }).toEqual({ status: 0, found: all.sort() });
  });
});
