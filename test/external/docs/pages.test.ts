import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { AzureCloud } from "../../apply/azure-cloud.ts";
import { GcpCloud } from "../../apply/gcp-cloud.ts";
import type { Seed as AzureSeed } from "../../helpers/arm/types.ts";
import { type Any, identity } from "../../helpers/cluster.ts";
import { sampleRequests } from "../../helpers/cluster-package.ts";
import { containerEnvironment, containerTools } from "../../helpers/containers.ts";
import type { Seed as GcpSeed } from "../../helpers/google/types.ts";
import { MadeUpAws } from "../../helpers/moto.ts";
import { MotoShim } from "../../helpers/moto-shim.mjs";
import { describeWith } from "../../helpers/need.ts";
import { follow } from "../../helpers/page.ts";
import { localCertificate, RealAz } from "../../helpers/real-az.ts";
import { RealGcloud } from "../../helpers/real-gcloud.ts";
import { temporary } from "../../helpers/temporary.ts";
import { moduleOf } from "../../helpers/terraform/modules.ts";
import { Root } from "../../helpers/terraform/root.ts";
import { StandIn } from "../../helpers/terraform/stand-in.ts";
import { clusterOfCcoctl, clusterOfMint, createAsCcoctl, createBoundary, createUsersOfMint } from "./aws-accounts.ts";
import { azureClusterOfCcoctl, azureRequests, emptySubscription, subscriptionOfCcoctl } from "./azure-subscriptions.ts";
import { emptyProject, gcpClusterOfCcoctl, gcpRequests, projectOfCcoctl } from "./google-projects.ts";
import { standInForOc } from "./oc.ts";

/** Every page with commands, and the tools that its reader needs. */
const pages: readonly [page: string, tools: readonly string[]][] = [
  ["integrations/argo-cd.md", []],
  ["guides/auditors-page.md", []],
  ["integrations/containers.md", ["kpt", ...containerTools]],
  ["guides/export.md", ["sha256sum"]],
  ["guides/fleet-settings.md", []],
  ["integrations/hive.md", ["diff"]],
  ["integrations/kpt.md", ["kpt", "yq", ...containerTools]],
  ["guides/operator-authors.md", []],
  ["integrations/kustomize.md", ["kustomize", "kubectl", ...containerTools]],
  ["guides/validate.md", ["jq", "kpt"]],
];

describe("the commands of docs/ do what the page says:", () => {
  for (const [page, tools] of pages) {
    const needsImages = tools.includes("podman");
    describeWith(tools, page, () => {
      it("every command, in order", async () => {
        await follow(page, needsImages ? containerEnvironment() : {});
      }, 600_000);
    });
  }
});

describe("the commands of docs/ for Terraform do what the page says, with a stand-in for the provider:", () => {
  describeWith(["terraform"], "guides/terraform.md", () => {
    it("every command, in order", async () => {
      const standIn = await StandIn.start("aws", { id: "123456789012", partition: "aws" });
      onTestFinished(() => standIn.stop());
      const old = moduleOf(identity({ metadata: { name: "old" } }), requestsIn(sampleRequests));
      const root = new Root(standIn, old.files);
      for (const args of [["init"], ["apply", "-auto-approve"]])
        expect(await root.run(...args)).toMatchObject({ status: 0 });
      await follow("guides/terraform.md", { ...standIn.environment, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" });
    }, 600_000);
  });
});

/** What the account of each page about AWS contains at its beginning, the tools that its reader needs, and the objects of the cluster. */
const awsPages: readonly [
  page: string,
  seed?: ((aws: MadeUpAws) => Promise<void>) | undefined,
  tools?: readonly string[],
  objects?: () => string,
][] = [
  ["guides/apply.md"],
  ["guides/cloudfront.md"],
  ["guides/day-two.md", createBoundary],
  ["guides/debugging.md"],
  ["guides/fleet-report.md"],
  ["guides/from-ccoctl.md", createAsCcoctl, ["kubectl"]],
  ["guides/from-mint-mode.md", createUsersOfMint, [], clusterOfMint],
  ["guides/import.md", createAsCcoctl, ["kubectl"]],
  ["guides/key-rotation.md"],
  ["guides/migration.md"],
  ["guides/operators.md"],
  ["guides/recover.md", undefined, ["kubectl"]],
  ["guides/upgrade.md"],
  ["guides/workloads.md", (aws) => createBoundary(aws, "workloads")],
];

describe("the commands of docs/ for AWS do what the page says, on moto:", () => {
  let aws: MadeUpAws;
  let shim: MotoShim;
  beforeAll(async () => {
    aws = await MadeUpAws.start();
    shim = await MotoShim.start(aws.environment["AWS_ENDPOINT_URL"] ?? "");
  });
  afterAll(async () => {
    await shim?.stop();
    await aws?.stop();
  });

  for (const [page, seed, tools = [], objects = clusterOfCcoctl] of awsPages) {
    describeWith(["aws", "moto_server", ...tools], page, () => {
      it("every command, in order", async () => {
        await aws.reset();
        await seed?.(aws);
        const PATH = `${standInForOc()}${delimiter}${process.env["PATH"]}`;
        const here = { AWS_ENDPOINT_URL: shim.endpoint, AWS_DEFAULT_REGION: "us-east-2", AWS_PAGER: "", PATH };
        await follow(page, { ...aws.environment, ...here, OBJECTS: objects(), CLOUD: "aws" });
      }, 600_000);
    });
  }
});

/** The project that each page about GCP starts with, and the tools that its reader needs. */
const gcpPages: readonly [page: string, tools: readonly string[], seed: () => GcpSeed][] = [
  ["guides/gcp.md", [], emptyProject],
  ["guides/apply.md", [], emptyProject],
  ["guides/day-two.md", [], emptyProject],
  ["guides/operators.md", [], emptyProject],
  ["guides/gcp-reference.md", ["jq"], emptyProject],
  ["guides/from-ccoctl.md", ["kubectl"], projectOfCcoctl],
  ["guides/import.md", ["kubectl"], projectOfCcoctl],
  ["guides/debugging.md", [], emptyProject],
  ["guides/workloads.md", [], () => ({ ...emptyProject(), buckets: { "shop-data": { iamConfiguration: {} } } })],
];

describe("the commands of docs/ for GCP do what the page says, on a stand-in for Google:", () => {
  let google: GcpCloud;
  let gcloud: RealGcloud;
  beforeAll(async () => {
    google = await GcpCloud.start();
    gcloud = await RealGcloud.start(google.world.address);
  });
  afterAll(async () => {
    await gcloud?.stop();
    await google?.stop();
  });

  for (const [page, tools, seed] of gcpPages) {
    describeWith(["gcloud", ...tools], page, () => {
      it("every command, in order", async () => {
        google.reset(seed());
        const PATH = `${standInForOc("https://storage.googleapis.com/demo-oidc")}${delimiter}${gcloud.environment["PATH"]}`;
        const here = { ...gcloud.environment, ...google.environment(temporary()), PATH };
        await follow(page, { ...here, OBJECTS: gcpClusterOfCcoctl(), CLOUD: "gcp" }, gcpRequests);
      }, 600_000);
    });
  }
});

/** The requests of a directory. */
function requestsIn(directory: string): Any[] {
  return readdirSync(directory).flatMap((file) => loadAll(readFileSync(join(directory, file), "utf8")) as Any[]);
}
/** Procedures for a fleet, and the tools that their reader needs. Their prelude creates three clusters on Google Cloud. */
const fleetPages: readonly [page: string, tools: readonly string[]][] = [
  ["guides/upgrade-fleet.md", ["jq"]],
  ["guides/audit.md", ["jq", "sha256sum"]],
];

describe("the commands of docs/ for a fleet do what the page says, on a stand-in for Google Cloud:", () => {
  let google: GcpCloud;
  beforeAll(async () => {
    google = await GcpCloud.start();
  });
  afterAll(() => google.stop());

  for (const [page, tools] of fleetPages) {
    describeWith(tools, page, () => {
      it("every command, in order", async () => {
        google.reset(emptyProject());
        const PATH = `${standInForOc()}${delimiter}${process.env["PATH"]}`;
        await follow(page, { ...google.environment(temporary()), PATH }, gcpRequests);
      }, 600_000);
    });
  }
});

/** The issuer of the cluster `demo` with the default storage account. */
const issuerOfThePages = "https://democ95a992232.blob.core.windows.net/demo";

/** The subscription that each page about Azure starts with, and the tools that its reader needs. */
const azurePages: readonly [page: string, tools: readonly string[], seed: () => AzureSeed][] = [
  ["guides/azure.md", ["jq"], emptySubscription],
  ["guides/day-two.md", ["jq"], emptySubscription],
  ["guides/apply-azure.md", ["jq"], emptySubscription],
  ["guides/operators.md", [], emptySubscription],
  ["guides/from-ccoctl.md", ["jq", "kubectl"], subscriptionOfCcoctl],
  ["guides/import.md", ["jq", "kubectl"], subscriptionOfCcoctl],
  ["guides/debugging.md", ["jq"], emptySubscription],
  [
    "guides/workloads.md",
    [],
    () => ({
      ...emptySubscription(),
      groups: { "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/shop": {} },
    }),
  ],
];

describe("the commands of docs/ for Azure do what the page says, on a stand-in for Azure:", () => {
  let certificate: ReturnType<typeof localCertificate>;
  let azure: AzureCloud;
  let az: RealAz;
  beforeAll(async () => {
    certificate = localCertificate();
    azure = await AzureCloud.start({}, certificate.directory);
    az = new RealAz(azure.world.address, certificate.directory, emptySubscription());
  });
  afterAll(async () => {
    await azure?.stop();
    az?.remove();
    certificate?.remove();
  });

  for (const [page, tools, seed] of azurePages) {
    describeWith(["az", "openssl", ...tools], page, () => {
      it("every command, in order", async () => {
        azure.reset(seed());
        const PATH = `${standInForOc(issuerOfThePages)}${delimiter}${process.env["PATH"]}`;
        const NODE_EXTRA_CA_CERTS = join(certificate.directory, "cert.pem");
        const here = { ...az.environment, ...azure.environment(), NODE_EXTRA_CA_CERTS, PATH };
        await follow(page, { ...here, OBJECTS: azureClusterOfCcoctl(), CLOUD: "azure" }, azureRequests);
      }, 600_000);
    });
  }
});
