import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Expression, labelOf } from "../../../src/clouds/terraform.ts";
import { literal, terraformFiles } from "../../../src/clouds/terraform-files.ts";
import { azureIdentity, azureRequest, azureSubscription, azureTenant } from "../../helpers/azure-requests.ts";
import type { Any } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { gcpIdentity, gcpRequest } from "../../helpers/gcp-requests.ts";
import { expectGolden } from "../../helpers/golden.ts";
import { idOf } from "../../helpers/terraform/assigned.ts";
import { comparable, engineList } from "../../helpers/terraform/engine-list.ts";
import { evaluated, type ModuleResource, resourcesIn, schemaProblems } from "../../helpers/terraform/evaluate.ts";
import { configurations, configured, imported, type Made, moduleOf } from "../../helpers/terraform/modules.ts";

/** What is wrong with resources: a provider would not accept them, or would not create exactly what the engine creates. */
function problemsOf({ files, account, module }: Made, resources: readonly ModuleResource[]): string[] {
  const problems = schemaProblems(resources);
  if (problems.length > 0) return problems;
  try {
    expect(engineList(evaluated(files, account, resources), account)).toEqual(comparable(module.wanted, account));
    return [];
  } catch (error) {
    return [String(error)];
  }
}

const jsonOf = ({ files }: Made, name: string) => JSON.parse(files.get(`terraform/${name}.tf.json`) ?? "null");
const codesOf = ({ findings }: Made) => findings.map(({ code, severity }) => `${severity} ${code}`);

describe("the module of an export", () => {
  for (const [name, module] of Object.entries(configurations)) {
    it(`asks the provider for what the engine creates: ${name}`, () => {
      const made = module();
      expect(made.findings).toEqual([]);
      expect(problemsOf(made, resourcesIn(made.files))).toEqual([]);
    });
  }

  it("is wrong if any attribute is dropped or misspelled", () => {
    const tried = new Set<string>();
    const unnoticed = Object.values(configurations).flatMap((module) => {
      const made = module();
      const resources = resourcesIn(made.files);
      return resources.flatMap(({ type, body }, index) => {
        const isNoticed = (changed: Any) =>
          problemsOf(made, resources.with(index, { ...(resources[index] as ModuleResource), body: changed })).length >
          0;
        return placesIn(body).flatMap((path) => {
          const place = `${type}: ${path.join(".")}`;
          if (tried.has(place)) return [];
          tried.add(place);
          return isNoticed(without(body, path)) && isNoticed(misspelled(body, path)) ? [] : [place];
        });
      });
    });
    expect(unnoticed).toEqual([]);
    expect(tried.size).toBeGreaterThan(150);
  });

  it("never lets a resource wait for one that waits for it, or for one that is not there", () => {
    for (const module of Object.values(configurations)) {
      const resources = resourcesIn(module().files);
      const done = new Set<string>();
      const needsOf = ({ body }: ModuleResource): string[] => body["depends_on"] ?? [];
      for (let left = resources; left.length > 0; ) {
        const ready = left.filter((one) => needsOf(one).every((need) => done.has(need)));
        expect(ready).not.toEqual([]);
        for (const { type, label } of ready) done.add(`${type}.${label}`);
        left = left.filter((one) => !ready.includes(one));
      }
    }
  });

  it("creates whatever the engine creates first before what needs it", () => {
    for (const module of Object.values(configurations)) {
      const made = module();
      const bodies = new Map(resourcesIn(made.files).map((one) => [`${one.type}.${one.label}`, one.body]));
      const waitsFor = (address: string): string[] =>
        (bodies.get(address)?.["depends_on"] ?? []).flatMap((need: string) => [need, ...waitsFor(need)]);
      const addressesOf = (id: string) =>
        made.module.resources.filter(({ wanted }) => wanted.id === id).map(({ type, label }) => `${type}.${label}`);
      for (const { id, needs } of made.module.wanted)
        for (const address of addressesOf(id))
          expect(waitsFor(address)).toEqual(expect.arrayContaining(needs.flatMap(addressesOf)));
    }
  });

  it("writes one credential of an Azure identity after the other", () => {
    const { azurerm_federated_identity_credential: credentials } = jsonOf(
      configured("azure: blobs"),
      "identities",
    ).resource;
    const all = Object.keys(credentials).filter((label) => label.startsWith("ns-one_"));
    expect(all.map((label) => credentials[label].depends_on)).toEqual([
      ["azurerm_user_assigned_identity.ns-one_credentials"],
      [`azurerm_federated_identity_credential.${all[0]}`],
      [`azurerm_federated_identity_credential.${all[1]}`],
    ]);
  });

  it("names the versions that it was checked with, and nothing that configures a provider", () => {
    const made = configured("gcp: a bucket");
    expect(jsonOf(made, "versions")).toEqual({
      terraform: {
        required_version: ">= 1.5.0",
        required_providers: { google: { source: "hashicorp/google", version: ">= 6.50.0, < 7.0.0" } },
      },
    });
    const blocks = ["versions", "issuer", "identities", "outputs"].flatMap((name) => Object.keys(jsonOf(made, name)));
    expect([...new Set(blocks)].sort()).toEqual(["data", "output", "resource", "terraform"]);
  });

  it("protects what tokens depend on, as far as a new key does not replace it", () => {
    const protectedTypes = Object.values(configurations).flatMap((module) =>
      resourcesIn(module().files).flatMap(({ type, body }) => (body["lifecycle"]?.prevent_destroy ? [type] : [])),
    );
    expect([...new Set(protectedTypes)].sort()).toEqual([
      ...["aws_cloudfront_distribution", "aws_iam_openid_connect_provider", "aws_s3_bucket", "aws_s3_object"],
      ...["azurerm_resource_group", "azurerm_storage_account", "azurerm_storage_container"],
      ...["google_iam_workload_identity_pool", "google_iam_workload_identity_pool_provider", "google_storage_bucket"],
    ]);
  });

  it("differs only in the protection if nothing is to be protected", () => {
    const isProtection = /^ *"prevent_destroy": true,?\n/m;
    for (const module of Object.values(configurations)) {
      const made = module();
      const { files } = terraformFiles(made.module, { preventDestroy: false });
      const bare = (all: ReadonlyMap<string, string>) =>
        resourcesIn(all).map(({ body: { lifecycle = {}, ...body } }) => {
          const { prevent_destroy: _, ...others } = lifecycle;
          return { ...body, lifecycle: others };
        });
      expect([...files.values()].filter((text) => isProtection.test(text))).toEqual([]);
      expect(bare(files)).toEqual(bare(made.files));
    }
  });

  it("compares the account of the credentials before anything else", () => {
    const conditions = ["aws: a public bucket", "azure: blobs", "gcp: keys in the pool"].map((name) => {
      const made = configured(name);
      const [first] = resourcesIn(made.files).filter(({ body }) => body["lifecycle"]?.precondition !== undefined);
      expect(`${first?.type}.${first?.label}`).toBe(addressOfFirst(made));
      return first?.body["lifecycle"].precondition.condition;
    });
    expect(conditions).toEqual([
      '${data.aws_caller_identity.current.account_id == "123456789012" && data.aws_partition.current.partition == "aws"}',
      `\${lower(data.azurerm_client_config.current.subscription_id) == "${azureSubscription}" && lower(data.azurerm_client_config.current.tenant_id) == "${azureTenant}"}`,
      '${data.google_project.current.number == "123456789012"}',
    ]);
  });

  it("has the domain of a distribution as an output", () => {
    const { output } = jsonOf(configured("aws: CloudFront before it has a domain"), "outputs");
    expect(output.distribution_domain.value).toBe("${aws_cloudfront_distribution.issuer.domain_name}");
    expect(jsonOf(configured("aws: a public bucket"), "outputs").output).not.toHaveProperty("distribution_domain");
  });

  it("has the client IDs of Azure as an output, by the keys of ccf set-identities", () => {
    expect(jsonOf(configured("azure: blobs"), "outputs").output.client_ids.value).toEqual({
      "ns-one_credentials": "${azurerm_user_assigned_identity.ns-one_credentials.client_id}",
      "ns-two_credentials": "${azurerm_user_assigned_identity.ns-two_credentials.client_id}",
    });
  });
});

describe("the files of a module", () => {
  const goldens = { aws: "aws: CloudFront", azure: "azure: blobs", gcp: "gcp: a bucket" };
  for (const [cloud, name] of Object.entries(goldens)) {
    it(`are those of testdata/terraform/${cloud}`, () => {
      const { files } = configured(name);
      for (const [path, text] of [...files].filter(([path]) => path.startsWith("terraform/"))) {
        expectGolden(join("testdata/terraform", cloud, path.slice("terraform/".length)), text);
      }
    });
  }
});

describe("import blocks", () => {
  it("name each resource by its address in the root module, with the ID that the provider expects", () => {
    for (const name of ["aws: roles with everything", "azure: blobs", "gcp: keys in the pool"]) {
      const { module, account, files, findings } = imported(name);
      const blocks = JSON.parse(files.get("terraform/imports/imports-demo.tf.json") ?? "").import;
      const asked = evaluated(files, account);
      const expected = resourcesIn(files).map(({ type, label }, index) => ({
        to: `module.demo.${type}.${label}`,
        id: idOf(type, asked[index]?.attributes ?? {}, account),
      }));
      const byAddress = (a: { to: string }, b: { to: string }) => (a.to < b.to ? -1 : 1);
      expect(blocks.sort(byAddress)).toEqual(expected.sort(byAddress));
      expect(module.resources.every(({ importId }) => importId !== undefined)).toBe(true);
      expect(findings).toEqual([]);
    }
  });

  it("lack what the provider cannot import, and what the package does not know the ID of", () => {
    const findings = ["gcp: a bucket", "aws: CloudFront"].flatMap((name) => imported(name).findings);
    expect(findings.map(({ severity, code, message }) => [severity, code, message])).toEqual([
      [
        ...["info", "terraform-import-incomplete"],
        'No "import" block for google_storage_bucket_object.openid-configuration, google_storage_bucket_object.keys: the provider cannot import it, or the cloud assigned its ID. See docs/guides/terraform.md.',
      ],
      [
        ...["info", "terraform-import-incomplete"],
        'No "import" block for aws_cloudfront_origin_access_control.issuer, aws_cloudfront_distribution.issuer: the provider cannot import it, or the cloud assigned its ID. See docs/guides/terraform.md.',
      ],
    ]);
  });

  it("are an error for a cluster whose name cannot be the name of a module", () => {
    const made = moduleOf(
      gcpIdentity({ metadata: { name: "4-demo" }, spec: { resourcePrefix: "demo" } }),
      [],
      "4-demo",
    );
    expect(codesOf(made)).toEqual(["error terraform-address-invalid"]);
    expect(made.findings[0]?.message).toBe(
      'the ClusterIdentity is called "4-demo", but the name of a module in Terraform must start with a letter. Export without "--import", and write the "import" blocks yourself.',
    );
  });
});

describe("names in Terraform", () => {
  it("have no dots and slashes", () => {
    expect(labelOf("openshift-ingress-operator/cloud-credentials")).toBe(
      "openshift-ingress-operator_cloud-credentials",
    );
    expect(labelOf("a/b.c", "roles/storage.admin")).toBe("a_b-c_roles_storage-admin");
  });

  it("are an error if they would start with a digit", () => {
    const made = moduleOf(gcpIdentity(), [gcpRequest("one", secret("4-east", "credentials"))]);
    expect(new Set(codesOf(made))).toEqual(new Set(["error terraform-address-invalid"]));
    expect(made.findings[0]?.message).toBe(
      'the service account "demo-4-east-e437j5y" would be "google_service_account.4-east_credentials" in Terraform, but a name in Terraform must start with a letter. Apply this package with "ccf apply".',
    );
  });

  it("are an error if two resources would have the same", () => {
    const requests = [gcpRequest("one", secret("ns", "a.b")), gcpRequest("two", secret("ns", "a-b"))];
    const made = moduleOf(gcpIdentity(), requests);
    expect(new Set(codesOf(made))).toEqual(new Set(["error terraform-address-taken"]));
    expect(made.findings[0]?.message).toMatch(
      /^the service account "demo-ns-[a-z2-7]{7}" and the service account "demo-ns-[a-z2-7]{7}" would both be "google_service_account\.ns_a-b" in Terraform\. Rename one of the two, or apply this package with "ccf apply"\.$/,
    );
  });
});

describe("texts in a module", () => {
  const evaluate = (text: string) => {
    expect(text).not.toMatch(/(?<![$])\$\{|(?<!%)%\{/);
    return text.replace(/\$\$\{/g, "${").replace(/%%\{/g, "%{");
  };

  it("come out as they went in", () => {
    const pieces = fc.constantFrom("$", "%", "{", "}", '"', "\\", "\n", "${", "%{", "$${", "x", "\u202e", "é");
    const text = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, (text) => {
        expect(evaluate(literal(text))).toBe(text);
      }),
      { numRuns: runs(200) },
    );
  });

  it("are never expressions, in values, keys, outputs, and imports", () => {
    const hostile = '${file("/etc/passwd")} %{if true}"\\\n$${x}';
    const { module } = configured("gcp: a bucket");
    const [first] = module.resources;
    if (first === undefined) throw new Error("no resource");
    const resource = {
      ...first,
      importId: hostile,
      body: { name: hostile, list: [hostile], map: { [hostile]: hostile } },
    };
    const outputs = { one: { description: hostile, value: { [hostile]: new Expression("a.b.c") } } };
    const account = { ...module.account, message: hostile };
    const { files } = terraformFiles({ ...module, resources: [resource], outputs, account }, { imported: "demo" });
    const written = (name: string) => JSON.parse(files.get(`terraform/${name}.tf.json`) ?? "null");
    const escaped = '$${file("/etc/passwd")} %%{if true}"\\\n$$${x}';
    const { lifecycle, ...body } = written("issuer").resource[first.type][first.label];
    expect(body).toEqual({ name: escaped, list: [escaped], map: { [escaped]: escaped } });
    expect(lifecycle.precondition.error_message).toBe(escaped);
    expect(written("outputs").output.one).toEqual({ description: escaped, value: { [escaped]: "${a.b.c}" } });
    expect(written("imports/imports-demo").import).toEqual([
      { to: `module.demo.${first.type}.${first.label}`, id: escaped },
    ]);
  });

  it("are literal in what users write: tags, roles, and conditions", () => {
    const azure = azureIdentity({ azure: { tags: { "a${b}": "${c} $${d}" } } });
    const ofAzure = moduleOf(azure, [azureRequest("one")]);
    expect(problemsOf(ofAzure, resourcesIn(ofAzure.files))).toEqual([]);
    expect(jsonOf(ofAzure, "issuer").resource.azurerm_storage_account.issuer.tags).toHaveProperty(
      ["a$${b}"],
      "$${c} $$${d}",
    );
    const gcp = gcpIdentity({ gcp: { attributeCondition: `assertion.sub != "\${x}%{y}\\n"` } });
    const ofGcp = moduleOf(gcp, [gcpRequest("one")]);
    expect(problemsOf(ofGcp, resourcesIn(ofGcp.files))).toEqual([]);
  });
});

function addressOfFirst({ module }: Made): string {
  return `${module.resources[0]?.type}.${module.resources[0]?.label}`;
}

const secret = (namespace: string, name: string) => ({ spec: { secretRef: { namespace, name } } });

/** The paths of all attributes, blocks, and entries of maps of a resource. */
function placesIn(body: Any, path: readonly string[] = []): string[][] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.entries<Any>(body)
    .filter(([name]) => path.length > 0 || !["depends_on", "lifecycle"].includes(name))
    .flatMap(([name, value]) => [[...path, name], ...placesIn(value, [...path, name])]);
}

function without(body: Any, [name = "", ...rest]: readonly string[]): Any {
  if (rest.length > 0) return { ...body, [name]: without(body[name], rest) };
  const { [name]: _, ...others } = body;
  return others;
}

function misspelled(body: Any, [name = "", ...rest]: readonly string[]): Any {
  if (rest.length > 0) return { ...body, [name]: misspelled(body[name], rest) };
  return { ...without(body, [name]), [`${name}_`]: body[name] };
}
