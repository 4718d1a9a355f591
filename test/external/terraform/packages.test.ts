import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { expect, it, onTestFinished } from "vitest";
import { terraformMappings } from "../../../src/clouds/terraform-mappings.ts";
import { azureIdentity } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import { type Any, identity } from "../../helpers/cluster.ts";
import { succeed } from "../../helpers/cluster-package.ts";
import { gcpIdentity } from "../../helpers/gcp-requests.ts";
import { corpus, describeWith, describeWithCorpus } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";
import type { Account } from "../../helpers/terraform/assigned.ts";
import { comparable, engineList } from "../../helpers/terraform/engine-list.ts";
import { evaluated, resourcesIn, schemaProblems } from "../../helpers/terraform/evaluate.ts";
import { moduleOf } from "../../helpers/terraform/modules.ts";
import { Root } from "../../helpers/terraform/root.ts";
import { StandIn } from "../../helpers/terraform/stand-in.ts";

const packages = "testdata/packages";
const clouds = ["aws", "azure", "gcp"] as const;

/** The account that an export names, from its facts about the cluster. */
function accountIn(files: ReadonlyMap<string, string>, cloud: string): Account {
  const facts = JSON.parse(files.get(`${cloud}/cluster.json`) ?? "{}");
  return {
    id: facts.accountID ?? facts.subscriptionID ?? facts.projectNumber,
    partition: facts.partition,
    tenant: facts.tenantID,
    project: facts.projectID,
    blobDomain: facts.blobEndpoint?.replace(/^https:\/\/[^.]+\./, ""),
  };
}

describeWith(["terraform"], "the real Terraform", () => {
  for (const name of readdirSync(packages).filter((one) => /^(?:aws|azure|gcp)-/.test(one))) {
    it(`creates what the engine creates for the package ${name}, from files that ccf wrote`, async () => {
      const [directory, out] = [join(temporary(), name), join(temporary(), "out")];
      cpSync(join(packages, name), directory, { recursive: true });
      succeed(run(["render", directory]));
      succeed(run(["export", directory, "--output-dir", out, "--format", "terraform"]));
      const files = new Map(Object.entries(readTree(out)));
      const cloud = clouds.find((one) => files.has(`${one}/cluster.json`)) ?? "";
      const account = accountIn(files, cloud);
      const { provider, wanted } = terraformMappings[cloud]?.(files) ?? {};
      const standIn = await StandIn.start(provider?.name ?? "", account);
      onTestFinished(() => standIn.stop());
      const root = new Root(standIn, files, { azurerm: { azurerm: { features: {} } } }[provider?.name ?? ""]);
      for (const args of [["init"], ["apply", "-auto-approve"], ["plan", "-detailed-exitcode"]])
        expect(await root.run(...args, "-no-color"), args.join(" ")).toEqual({ status: 0, output: expect.any(String) });
      expect(engineList(standIn.created, account)).toEqual(comparable(wanted ?? [], account));
    });
  }
});

const identities: Readonly<Record<string, Any>> = { aws: identity(), azure: azureIdentity(), gcp: gcpIdentity() };

describeWithCorpus([], "the modules for the requests of real releases", () => {
  for (const release of readdirSync(join(corpus, "releases")))
    for (const cloud of clouds)
      it(`ask for what the engine creates: ${release} on ${cloud}`, () => {
        const directory = join(corpus, "releases", release, cloud);
        const texts = readdirSync(directory).map((file) => readFileSync(join(directory, file), "utf8"));
        const requests = texts
          .flatMap((text) => loadAll(text) as Any[])
          .filter((one) => one?.kind === "CredentialsRequest");
        // Requests of old releases name no service accounts.
        const named = requests.map((one) => ({ ...one, spec: { serviceAccountNames: ["component"], ...one.spec } }));
        const made = moduleOf(identities[cloud], named);
        expect(made.findings).toEqual([]);
        expect(schemaProblems(resourcesIn(made.files))).toEqual([]);
        const list = engineList(evaluated(made.files, made.account), made.account);
        expect(list).toEqual(comparable(made.module.wanted, made.account));
        expect(list.length).toBeGreaterThan(10);
      });
});
