import { expect, it, onTestFinished } from "vitest";
import { terraformFiles } from "../../../src/clouds/terraform-files.ts";
import { azureIdentity, azureRequest } from "../../helpers/azure-requests.ts";
import { gcpIdentity, gcpRequest } from "../../helpers/gcp-requests.ts";
import { describeWith } from "../../helpers/need.ts";
import { comparable, engineList } from "../../helpers/terraform/engine-list.ts";
import { configurations, configured, imported, type Made, moduleOf } from "../../helpers/terraform/modules.ts";
import { Root, type TerraformRun } from "../../helpers/terraform/root.ts";
import { StandIn } from "../../helpers/terraform/stand-in.ts";

const providerBlocks: Readonly<Record<string, object>> = {
  aws: { aws: { region: "eu-central-1" } },
  azurerm: { azurerm: { features: {}, storage_use_azuread: true } },
  google: { google: {} },
};

async function standInFor({ module, account }: Made): Promise<StandIn> {
  const standIn = await StandIn.start(module.provider.name, account);
  onTestFinished(() => standIn.stop());
  return standIn;
}

const rootOf = (standIn: StandIn, { module, files }: Made) =>
  new Root(standIn, files, providerBlocks[module.provider.name]);

/** Runs Terraform, and says that it ended with an exit code. */
async function run(root: Root, status: number, ...args: readonly string[]): Promise<TerraformRun> {
  const done = await root.run(...args, "-no-color");
  expect(done, args.join(" ")).toEqual({ status, output: expect.any(String) });
  return done;
}

async function apply(root: Root): Promise<void> {
  await run(root, 0, "init");
  await run(root, 0, "apply", "-auto-approve");
}

/** The exit code of `terraform plan -detailed-exitcode` if there is nothing to do. */
const nothing = 0;
const changes = 2;

describeWith(["terraform"], "the real Terraform, with a stand-in for the provider,", () => {
  for (const [name, module] of Object.entries(configurations)) {
    it(`creates what the engine creates, and then has nothing to do: ${name}`, async () => {
      const made = module();
      const standIn = await standInFor(made);
      const root = rootOf(standIn, made);
      await run(root, 0, "init");
      await run(root, 0, "validate");
      await run(root, 0, "apply", "-auto-approve");
      await run(root, nothing, "plan", "-detailed-exitcode");
      expect(engineList(standIn.created, made.account)).toEqual(comparable(made.module.wanted, made.account));
    });
  }

  for (const name of ["aws: roles with everything", "azure: blobs", "gcp: keys in the pool"]) {
    it(`imports everything that exists, and changes nothing: ${name}`, async () => {
      const made = imported(name);
      const standIn = await standInFor(made);
      await apply(rootOf(standIn, made));
      const calls = standIn.calls.length;
      const root = rootOf(standIn, made);
      root.write("imports.tf.json", made.files.get("terraform/imports/imports-demo.tf.json") ?? "");
      await run(root, 0, "init");
      const count = made.module.resources.length;
      const { output } = await run(root, 0, "plan", "-out", "plan");
      expect(output).toContain(`Plan: ${count} to import, 0 to add, 0 to change, 0 to destroy.`);
      await run(root, 0, "apply", "plan");
      expect(standIn.calls).toHaveLength(calls);
      await run(root, nothing, "plan", "-detailed-exitcode");
    });
  }

  it("refuses import blocks in the module itself, so they are beside it", async () => {
    const made = imported("gcp: keys in the pool");
    const root = rootOf(await standInFor(made), made);
    const imports = made.files.get("terraform/imports/imports-demo.tf.json") ?? "";
    root.write("out/terraform/imports.tf.json", imports.replaceAll("module.demo.", ""));
    const { output } = await run(root, 1, "init");
    expect(output).toContain("import block was detected in");
  });

  it("plans nothing with the credentials of another account", async () => {
    const others = { "aws: a public bucket": "999999999999", "azure: blobs": "33333333-3333-4333-8333-333333333333" };
    for (const [name, id] of Object.entries({ ...others, "gcp: keys in the pool": "999999999999" })) {
      const made = configured(name);
      const standIn = await standInFor(made);
      standIn.account = { ...made.account, id };
      const root = rootOf(standIn, made);
      await run(root, 0, "init");
      const { output } = await run(root, 1, "apply", "-auto-approve");
      expect(output.replace(/\n[│╷╵ ]*/g, " ")).toContain("The package is for the");
      expect(standIn.calls).toEqual([]);
    }
  });

  it("does not delete what tokens depend on", async () => {
    const made = configured("aws: a public bucket");
    const standIn = await standInFor(made);
    const root = rootOf(standIn, made);
    await apply(root);
    const { output } = await run(root, 1, "destroy", "-auto-approve");
    expect(output).toContain("Instance cannot be destroyed");
    expect(standIn.calls.filter((call) => call.startsWith("delete"))).toEqual([]);
  });

  it("deletes everything that was exported without the protection", async () => {
    const made = configured("aws: a public bucket");
    const { files } = terraformFiles(made.module, { preventDestroy: false });
    const unprotected = { ...made, files: new Map([...made.files, ...files]) };
    const standIn = await standInFor(unprotected);
    const root = rootOf(standIn, unprotected);
    await apply(root);
    await run(root, 0, "destroy", "-auto-approve");
    const deletes = standIn.calls.filter((call) => call.startsWith("delete"));
    expect(deletes).toHaveLength(made.module.resources.length);
  });

  it("updates documents when a key changes, and nothing else", async () => {
    for (const name of ["aws: a public bucket", "gcp: keys in the pool"]) {
      const made = configured(name);
      const standIn = await standInFor(made);
      const root = rootOf(standIn, made);
      await apply(root);
      const path = [...made.files.keys()].find((one) => one.endsWith("/issuer/keys.json")) ?? "";
      root.write(`out/${path}`, '{"keys": []}\n');
      const { output } = await run(root, changes, "plan", "-detailed-exitcode");
      expect(output).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
    }
  });

  it("notices whatever others changed, or deleted", async () => {
    const made = configured("gcp: a bucket");
    const standIn = await standInFor(made);
    const root = rootOf(standIn, made);
    await apply(root);
    for (const [key, resource] of [...standIn.world].filter(([key]) => /pool_provider |bucket |role /.test(key))) {
      standIn.world.delete(key);
      await run(root, changes, "plan", "-detailed-exitcode");
      standIn.world.set(key, resource);
    }
    await run(root, nothing, "plan", "-detailed-exitcode");
  });

  it("takes hostile texts literally", async () => {
    const hostile = '${file("/etc/passwd")} $${x} "\\';
    const azure = azureIdentity({ azure: { tags: { "a${b}": hostile.replace("\\", "") } } });
    const condition = 'assertion.sub != "${x}%{y}%%{z}\\n$$"\n';
    const gcp = gcpIdentity({ gcp: { attributeCondition: condition } });
    for (const made of [moduleOf(azure, [azureRequest("one")]), moduleOf(gcp, [gcpRequest("one")])]) {
      const standIn = await standInFor(made);
      const root = rootOf(standIn, made);
      await apply(root);
      await run(root, nothing, "plan", "-detailed-exitcode");
      expect(engineList(standIn.created, made.account)).toEqual(comparable(made.module.wanted, made.account));
    }
  });

  it("prints the client IDs in the form that ccf set-identities reads", async () => {
    const made = configured("azure: blobs");
    const standIn = await standInFor(made);
    const root = rootOf(standIn, made);
    root.write("outputs.tf.json", JSON.stringify({ output: { client_ids: { value: "${module.demo.client_ids}" } } }));
    await apply(root);
    const { output } = await run(root, 0, "output", "-json", "client_ids");
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(output)).toEqual({ "ns-one_credentials": uuid, "ns-two_credentials": uuid });
  });

  it("fails for an attribute that the provider does not have, and for one of another type", async () => {
    const made = configured("aws: a public bucket");
    const path = "terraform/issuer.tf.json";
    for (const [from, to, message] of [
      ['"block_public_acls"', '"block_public_acl"', "Extraneous JSON object property"],
      ['"block_public_acls": true', '"block_public_acls": "often"', "Incorrect attribute value type"],
      ['"client_id_list": [', '"client_ids": [', "Missing required argument"],
    ] as const) {
      const files = new Map([...made.files, [path, (made.files.get(path) ?? "").replace(from, to)]]);
      const root = rootOf(await standInFor(made), { ...made, files });
      await run(root, 0, "init");
      const { output } = await run(root, 1, "validate");
      expect(output).toContain(message);
    }
  });
});
