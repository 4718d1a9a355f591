import { expect, it } from "vitest";
import { lossFindings } from "../../../src/requests/losses.ts";
import { defaultRelease } from "../../../src/requests/release-filter.ts";
import { selectRequests } from "../../../src/requests/select.ts";
import { type Any, identity, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const elsewhere = request("one", { spec: { providerSpec: { kind: "GCPProviderSpec" } } });
const excluded = request("one", { annotations: { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" } });
const deleted = request("one", { annotations: { "release.openshift.io/delete": "true" } });

it.each<[what: string, requests: Any[], codes: string[], said: string]>([
  ["only for another cloud", [elsewhere], ["identities-lost"], "only requests for another cloud name their Secrets"],
  [
    "also excluded by the release",
    [elsewhere, excluded],
    ["identities-lost"],
    '"spec.release.featureSet" excludes requests',
  ],
  ["also deleted by the release", [elsewhere, deleted], [], ""],
  [
    "deleted, and excluded by the release",
    [deleted, excluded],
    ["identities-lost"],
    '"spec.release.featureSet" excludes',
  ],
])("what was rendered for a Secret whose requests are %s", (_, requests, codes, said) => {
  const resource = resourceOf(identity());
  for (const values of [requests, [...requests].reverse()]) {
    const items = values.map((value, index) => resourceOf(value, { path: `${index}.yaml` }));
    const { skipped } = selectRequests(items, defaultRelease, "AWSProviderSpec");
    const kind = "CredentialsRequest" as const;
    const context = { resource, allowed: new Set<string>(), rendered: 1, skipped, asked: new Set<string>(), kind };
    const loss = { key: "ns-one/credentials", text: "it" };
    const findings = lossFindings([loss], { ...context, notRead: [], ignored: [] });
    expect(findings.map(({ code }) => code)).toEqual(codes);
    expect(findings[0]?.message ?? "").toContain(said);
  }
});
