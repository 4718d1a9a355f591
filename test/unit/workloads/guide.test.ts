import { readFileSync } from "node:fs";
import { loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { azureIdentities, azureIdentity, clientIdNumber } from "../../helpers/azure-requests.ts";
import { type Any, expectClean, identity } from "../../helpers/cluster.ts";
import { gcpIdentity } from "../../helpers/gcp-requests.ts";
import { makeWorkloads } from "../../helpers/workloads.ts";

const page = readFileSync("docs/guides/workloads.md", "utf8");
const blocks: readonly Any[] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].flatMap(([, text = ""]) =>
  loadAll(text),
);
/** The guard rails for a cloud. */
const rails = (cloud: string) => blocks.find(({ spec }) => spec?.workloads?.[cloud] !== undefined).spec.workloads;
const asked = blocks.find(({ kind }) => kind === "WorkloadIdentity");
const ids = azureIdentities({ shop_cart: clientIdNumber(1) });

/** The WorkloadIdentity of the page, at the path that the page names. */
const cart = (spec: Any = {}) => ({
  ...asked,
  metadata: {
    ...asked.metadata,
    annotations: { ...asked.metadata.annotations, "config.kubernetes.io/path": "workloads/shop/cart.yaml" },
  },
  spec: { ...asked.spec, ...spec },
});

it.each([
  ["AWS", identity({ spec: { workloads: rails("aws") } }), []],
  ["GCP", gcpIdentity({ spec: { workloads: rails("gcp") } }), []],
  ["Azure", azureIdentity({ spec: { workloads: rails("azure") } }), [ids]],
])("the objects of the guide make what it says on %s", (_name, config, more) => {
  const files = {
    ServiceAccount: "manifests/shop-cart-serviceaccount.yaml",
    Patch: "patches/shop-cart.yaml",
    Secret: "manifests/shop-cart-credentials.yaml",
  };
  for (const [delivery, path] of Object.entries(files)) {
    expect(page).toContain(`\`${path}\``);
    const made = makeWorkloads(config, [cart(delivery === "ServiceAccount" ? {} : { delivery }), ...more]);
    expectClean(made);
    expect(Object.keys(made.objects).filter((one) => /^(?:manifests|patches)\//.test(one))).toEqual([path]);
  }
});

it("the volume of the guide mounts a token of the components' audience", () => {
  const { volumes } = blocks.find((block) => block.volumes !== undefined);
  expect(volumes[0].projected.sources[0].serviceAccountToken.audience).toBe("openshift");
});
