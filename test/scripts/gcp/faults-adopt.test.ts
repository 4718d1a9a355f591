import { afterAll, beforeAll, expect, it } from "vitest";
import { type Seed, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator, exportedGcp } from "../../helpers/gcp-administrator.ts";
import { twoGcpRequests } from "../../helpers/gcp-package.ts";
import { expectTheSameEnd } from "../faults.ts";
import { faultyGcp } from "./faults.ts";

let gcloud: StubGcloud;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
});
afterAll(() => gcloud?.stop());

const made = "Created By OpenShift ccoctl";
const id = "demo-openshift-i-abcde";
const email = `${id}@demo-project.iam.gserviceaccount.com`;
const shared = "projects/demo-project/roles/my_project_openshift_image_registry_gcs";
const member = (name: string) =>
  `principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/demo/subject/system:serviceaccount:openshift-image-registry:${name}`;

/** What `ccoctl gcp create-all` leaves in a project, for one request. */
const byCcoctl: Seed = {
  pools: {
    demo: {
      displayName: "demo",
      description: made,
      providers: {
        demo: {
          displayName: "demo",
          description: made,
          state: "ACTIVE",
          pending: 0,
          attributeMapping: { "google.subject": "assertion.sub" },
          oidc: { issuerUri: "https://storage.googleapis.com/demo-oidc", allowedAudiences: ["openshift"] },
        },
      },
    },
  },
  accounts: {
    [email]: {
      displayName: "demo-openshift-image-registry-gcs",
      description: made,
      policy: {
        bindings: [{ role: "roles/iam.workloadIdentityUser", members: [member("cluster-image-registry-operator")] }],
        changes: 1,
      },
    },
  },
  roles: { my_project_openshift_image_registry_gcs: { description: made, includedPermissions: ["compute.disks.get"] } },
  policy: {
    bindings: [
      { role: shared, members: [`serviceAccount:${email}`, "serviceAccount:x@other.iam.gserviceaccount.com"] },
      { role: "roles/storage.admin", members: [`serviceAccount:${email}`] },
    ],
  },
  buckets: {
    "demo-oidc": {
      iamConfiguration: { publicAccessPrevention: "inherited", uniformBucketLevelAccess: { enabled: true } },
      policy: { bindings: [{ role: "roles/storage.objectViewer", members: ["allUsers"] }], changes: 1 },
      objects: {
        "keys.json": { body: "{}", contentType: "application/json", generation: 1 },
        ".well-known/openid-configuration": { body: "{}", contentType: "application/json", generation: 1 },
      },
    },
  },
};

it("apply.sh adopts what ccoctl made, wherever it was interrupted, and takes nothing from other clusters", () => {
  const key = "openshift-image-registry/installer-cloud-credentials";
  const gcp = { keyStorage: "Bucket", overrides: { [key]: { serviceAccountID: id } } };
  const out = exportedGcp(gcp, twoGcpRequests.slice(0, 1));
  const flags = ["demo", "demo-oidc", id].flatMap((name) => ["--adopt", name]);
  gcloud.reset(byCcoctl);
  expect(new Administrator(gcloud, out).apply()).toMatchObject({ status: 1 });
  expect(gcloud.calls().filter(({ changes }) => changes)).toEqual([]);

  const goal = expectTheSameEnd(faultyGcp(gcloud), { out, script: "apply.sh", flags, seed: byCcoctl });
  expect(Object.keys(goal.accounts)).toEqual([email]);
  expect(goal.accounts[email]?.description).toBe("Owned by: demo");
  expect(goal.roles["my_project_openshift_image_registry_gcs"]).toMatchObject(
    byCcoctl.roles?.["my_project_openshift_image_registry_gcs"] ?? {},
  );
  expect(goal.policy.bindings).toContainEqual({
    role: shared,
    members: ["serviceAccount:x@other.iam.gserviceaccount.com"],
  });
  expect(goal.buckets["demo-oidc"]?.policy.bindings).toEqual([
    { role: "roles/storage.legacyObjectReader", members: ["allUsers"] },
  ]);
  gcloud.reset(goal);
  expect(new Administrator(gcloud, out).status()).toMatchObject({ status: 0, stderr: "" });
});
