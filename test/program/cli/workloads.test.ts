import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientIdNumber } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { succeed } from "../../helpers/cluster-package.ts";
import { expectFits } from "../../helpers/schema.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";
import { type CloudName, cloudNames, workloadPackages } from "../../helpers/workload-package.ts";

let made: ReturnType<typeof workloadPackages>;
beforeAll(() => {
  made = workloadPackages();
});
afterAll(() => made.remove());

const packageOf = (cloud: CloudName) => made.packages[cloud];

/** A copy of a package in which files are others; undefined removes one. */
function changed(cloud: CloudName, files: Readonly<Record<string, ((text: string) => string) | undefined>>): string {
  const copy = join(temporary(), "package");
  cpSync(packageOf(cloud), copy, { recursive: true });
  for (const [path, change] of Object.entries(files)) {
    const file = join(copy, path);
    if (change === undefined) rmSync(file);
    else writeFileSync(file, change(readFileSync(file, "utf8")));
  }
  return copy;
}

const identityOf = (cloud: CloudName, name: string) =>
  `${cloud}/${cloud === "aws" ? "roles" : "identities"}/shop-${name}.yaml`;

describe.each(cloudNames)("a package on %s", (cloud) => {
  it("is a fixed point of the render", () => {
    const before = readTree(packageOf(cloud));
    expect(run(["render", "--check", packageOf(cloud)])).toMatchObject({ status: 0, stderr: "" });
    succeed(run(["render", packageOf(cloud)]));
    expect(readTree(packageOf(cloud))).toEqual(before);
  });
});

/** The codes of what `ccf validate` finds in files. */
function findingsIn(directory: string): Record<string, string[]> {
  const { stdout } = run(["validate", "-o", "json", directory]);
  const found: Record<string, string[]> = {};
  for (const { file, tags } of JSON.parse(stdout).findings as Any[]) {
    found[file?.path ?? ""] = [...(found[file?.path ?? ""] ?? []), tags.code];
  }
  return found;
}

describe("ccf validate", () => {
  it.each(cloudNames)("finds nothing wrong with workloads on %s", (cloud) => {
    const { "credentials-requests/one.yaml": _, ...found } = findingsIn(packageOf(cloud));
    // The package does not say what the role allows.
    const unjudged = Object.fromEntries(
      ["cart", "legacy", "queue"].map((name) => [identityOf("gcp", name), ["role-unjudged"]]),
    );
    expect(found).toEqual(cloud === "gcp" ? unjudged : {});
  });

  it.each(cloudNames)("reports what the render refuses on %s", (cloud) => {
    const outside = changed(cloud, { "cluster-identity.yaml": (text) => text.replace("- shop", "- other") });
    const codes = Object.values(findingsIn(outside)).flat();
    expect(codes.filter((code) => code === "workload-namespace")).toHaveLength(3);
  });

  it.each(cloudNames)("reports an edited identity of a workload on %s", (cloud) => {
    const path = identityOf(cloud, "cart");
    const edited = changed(cloud, {
      [path]: (text) => text.replaceAll("serviceaccount:shop:cart-jobs", "serviceaccount:shop:other"),
    });
    expect(findingsIn(edited)[path]).toContain("role-edited");
  });

  it.each(cloudNames)("reports what is left of a WorkloadIdentity that is gone on %s", (cloud) => {
    const without = changed(cloud, { "workloads/shop/legacy.yaml": undefined });
    expect(findingsIn(without)["manifests/shop-legacy-credentials.yaml"]).toEqual(["rendered-not-requested"]);
    const { stderr } = run(["validate", without]);
    expect(stderr).toContain("no WorkloadIdentity needs this Secret and its");
    expect(stderr).toContain("Restore the WorkloadIdentity.");
    const all = Object.fromEntries(
      ["cart", "legacy", "queue"].map((name) => [`workloads/shop/${name}.yaml`, undefined]),
    );
    expect(run(["validate", changed(cloud, all)]).stderr).toContain(
      "no WorkloadIdentity needs 1 rendered Secret and 3 ",
    );
  });

  it("judges the permissions of workloads", () => {
    const wide = (text: string) => text.replace("s3:GetObject", "iam:*").replace("arn:aws:s3:::shop/*", '"*"');
    const risky = changed("aws", {
      "cluster-identity.yaml": (text) => text.replace("- s3:*", "- '*'"),
      "workloads/shop/cart.yaml": wide,
    });
    succeed(run(["render", risky]));
    expect(findingsIn(risky)[identityOf("aws", "cart")]).toEqual(expect.arrayContaining(["iam-wildcard"]));
    const path = identityOf("aws", "cart");
    const open = changed("aws", {
      [path]: (text) => text.replaceAll("serviceaccount:shop:cart-jobs", "serviceaccount:shop:*"),
    });
    expect(findingsIn(open)[path]).toContain("trust-subject-wildcard");
  });

  it("knows the audience of the webhook on Azure, for workloads only", () => {
    const component = "azure/identities/ns-one-credentials.yaml";
    const other = (text: string) => text.replaceAll('"openshift"', '"api://AzureADTokenExchange"');
    expect(findingsIn(changed("azure", { [component]: other }))[component]).toContain("credential-without-subject");
    const path = identityOf("azure", "cart");
    const wrong = (text: string) => text.replaceAll("api://AzureADTokenExchange", "api://other");
    expect(findingsIn(changed("azure", { [path]: wrong }))[path]).toContain("credential-without-subject");
  });

  it("reports the client ID of a workload that is gone", () => {
    const without = changed("azure", { "workloads/shop/cart.yaml": undefined });
    expect(findingsIn(without)["azure-identities.yaml"]).toEqual(["client-id-unused"]);
  });
});

describe("ccf explain", () => {
  it.each(cloudNames)("shows workloads apart on %s", (cloud) => {
    const { stdout, stderr, status } = run(["explain", packageOf(cloud)]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const keys = stdout.split("\n").filter((line) => /^[\w-]+(?:\/[\w-]+$|:$)/.test(line));
    expect(keys).toEqual(["ns-one/credentials", "Workloads:", "shop/cart", "shop/legacy", "shop/queue"]);
    expect(stdout).not.toContain("not in the package yet");
    const markdown = run(["explain", "-o", "markdown", packageOf(cloud)]).stdout;
    expect(markdown).toMatch(/^# Identities\n\n## `ns-one\/credentials`[\s\S]*\n\n# Workloads\n\n## `shop\/cart`/);
  });

  it.each(cloudNames)("names workloads for programs on %s", (cloud) => {
    const { stdout } = run(["explain", "-o", "json", packageOf(cloud)]);
    expectFits("explain", stdout);
    const { identities } = JSON.parse(stdout);
    expect(identities.map(({ secret, workload }: Any) => [secret, workload])).toEqual([
      ["ns-one/credentials", undefined],
      ["shop/cart", true],
      ["shop/legacy", true],
      ["shop/queue", true],
    ]);
    const ids = identities.map(({ assignedId }: Any) => assignedId);
    expect(ids).toEqual([1, 2, 4, 3].map((number) => (cloud === "azure" ? clientIdNumber(number) : undefined)));
  });

  it.each(cloudNames)("shows workloads apart on the page of %s, after the components", (cloud) => {
    const { stdout, status } = run(["explain", "-o", "html", packageOf(cloud)]);
    expect(status).toBe(0);
    const [component, heading, ...workloads] = [
      "<h3>ns-one / credentials</h3>",
      ">Workloads</h3>",
      "<h3>shop / cart</h3>",
      "<h3>shop / queue</h3>",
    ].map((text) => stdout.indexOf(text));
    expect(component).toBeGreaterThan(-1);
    expect(heading).toBeGreaterThan(component ?? 0);
    // Sorted by risk, which differs between clouds.
    expect(Math.min(...workloads)).toBeGreaterThan(heading ?? 0);
    expect(stdout).toContain("<dt>WorkloadIdentity</dt><dd><code>cart, in workloads/shop/cart.yaml</code></dd>");
  });
});

describe("ccf report", () => {
  const questions = [
    ["aws", "s3:GetObject"],
    ["gcp", "storage.objects.get"],
    ["azure", "Microsoft.Storage/storageAccounts/read"],
  ] as const;

  it.each(questions)("says on %s which service accounts of workloads may do %s", (cloud, action) => {
    const { stdout } = run(["report", "--who-may", action, packageOf(cloud)]);
    expect(stdout).toContain("workload shop/cart (");
    expect(stdout).toContain("system:serviceaccount:shop:cart");
    const json = run(["report", "-o", "json", "--who-may", action, packageOf(cloud)]).stdout;
    const answers = json
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const answer of answers) expectFits("report", JSON.stringify(answer));
    expect(answers).toContainEqual(
      expect.objectContaining({
        secret: "shop/cart",
        workload: true,
        serviceAccounts: ["system:serviceaccount:shop:cart", "system:serviceaccount:shop:cart-jobs"],
      }),
    );
    expect(answers.filter(({ secret }) => secret === "ns-one/credentials").every((one) => !("workload" in one))).toBe(
      true,
    );
  });

  it("asks about a bucket on GCP", () => {
    const ask = (bucket: string) =>
      run([
        "report",
        "--who-may",
        "storage.objects.get",
        "--on",
        `//storage.googleapis.com/projects/_/buckets/${bucket}`,
        packageOf("gcp"),
      ]).stdout;
    expect(ask("shop-data/objects/one")).toContain("shop/cart (");
    expect(ask("other")).not.toContain("shop/cart (");
  });

  it("counts workloads", () => {
    const { stdout } = run(["report", "-o", "json", packageOf("aws")]);
    expectFits("report", stdout);
    expect(JSON.parse(stdout)).toMatchObject({ identities: 4, workloads: 3 });
  });
});

describe("ccf explain --namespace", () => {
  it("answers what a team may do in all clusters with one command", () => {
    const packages = ["aws", "gcp", "azure"] as const;
    const { status, stdout } = run(["explain", "--namespace", "shop", ...packages.map(packageOf)]);
    expect([status, stdout.match(/^shop\/cart$/gm)?.length]).toEqual([0, 3]);
    expect(stdout).not.toContain("ns-one/credentials");
    const json = JSON.parse(run(["explain", "--namespace", "shop", "-o", "json", packageOf("aws")]).stdout);
    expect(json.identities.map(({ secret }: { secret: string }) => secret)).toContain("shop/cart");
  });

  it("says over what it looked if no pod of the namespace can use one", () => {
    const { status, stdout } = run(["explain", "--namespace", "other", packageOf("aws")]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^No pod of the namespace "other" can use any of \d+ roles\.\n$/),
    ]);
  });

  it.each([
    [["--namespace", "X y"], "must be the name of a namespace"],
    [["--namespace", "shop", "-o", "html"], "has no effect"],
  ])("refuses %j", (flags, said) => {
    expect(run(["explain", ...flags, packageOf("aws")])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(said),
    });
  });
});

describe("ccf export", () => {
  it.each(cloudNames)("contains the identities of workloads on %s, and none of their manifests", (cloud) => {
    for (const format of ["files", "terraform"]) {
      const out = join(temporary(), "out");
      succeed(run(["export", packageOf(cloud), "--format", format, "--output-dir", out]));
      const files = readTree(out);
      const manifests = Object.keys(files).filter((path) => /^(?:manifests|patches)\//.test(path));
      expect(manifests.filter((path) => path.includes("shop"))).toEqual([]);
      expect(manifests).toContain("manifests/ns-one-credentials-credentials.yaml");
      expect(Object.keys(files).filter((path) => path.endsWith("shop-cart/identity.json"))).toHaveLength(1);
      // An export says the same of its identities as the package.
      expect(run(["explain", out]).stdout).toBe(run(["explain", packageOf(cloud)]).stdout);
      const module = JSON.parse(files["terraform/identities.tf.json"] ?? "{}");
      const type = { aws: "aws_iam_role", gcp: "google_service_account", azure: "azurerm_user_assigned_identity" }[
        cloud
      ];
      if (format === "terraform") {
        expect(Object.keys(module.resource[type])).toEqual(
          expect.arrayContaining(["shop_cart", "shop_legacy", "shop_queue"]),
        );
        if (cloud === "gcp")
          expect(Object.values(module.resource.google_storage_bucket_iam_member)).toMatchObject([
            {
              bucket: "shop-data",
              role: "roles/storage.objectViewer",
              depends_on: ["google_service_account.shop_cart"],
            },
          ]);
      }
    }
  });
});

describe("ccf diff", () => {
  it.each(cloudNames)("shows a workload that is new or gone, or that may do more, on %s", (cloud) => {
    const without = changed(cloud, { "workloads/shop/cart.yaml": undefined });
    succeed(run(["render", "--allow", "removal:shop/cart", without]));
    const added = run(["diff", without, packageOf(cloud)]);
    expect(added.status).toBe(2);
    expect(added.stdout).toMatch(/^new: \S+ shop\/cart\n {2}\+ system:serviceaccount:shop:cart can use it\n/);
    expect(added.stdout).toContain("  + ServiceAccount shop/cart\n");
    expect(run(["diff", packageOf(cloud), without]).stdout).toMatch(/^gone: \S+ shop\/cart\n/);
    expect(run(["diff", packageOf(cloud), packageOf(cloud)]).status).toBe(0);
  });

  it.each(cloudNames)("compares a release with the components only on %s", (cloud) => {
    const release = join(packageOf(cloud), "credentials-requests");
    for (const sides of [
      [packageOf(cloud), release],
      [release, packageOf(cloud)],
    ]) {
      const { status, stdout } = run(["diff", ...sides]);
      expect({ status, stdout }).toEqual({ status: 0, stdout: "No changes of permissions.\n" });
    }
    expect(run(["report", "--credentials-requests", release, packageOf(cloud)]).stdout).toContain("ready");
  });

  it("names the bucket of a role on GCP, and calls a role on the project broader", () => {
    const wider = changed("gcp", {
      "workloads/shop/cart.yaml": (text) =>
        text.replace(/ {4}resources:[\s\S]*?(?= {2}azure:)/, "    predefinedRoles: [roles/storage.objectViewer]\n"),
    });
    succeed(run(["render", wider]));
    expect(run(["diff", packageOf("gcp"), wider]).stdout).toMatch(
      /^broadened: GCP shop\/cart\n {2}\+ role roles\/storage.objectViewer\n/,
    );
    expect(run(["diff", wider, packageOf("gcp")]).stdout).toMatch(/^narrowed: GCP shop\/cart\n/);
  });
});

describe("other commands", () => {
  it("stores the client IDs of workloads, as ccf apply does", () => {
    const ids = readFileSync(join(packageOf("azure"), "azure-identities.yaml"), "utf8");
    const first = changed("azure", { "azure-identities.yaml": undefined });
    for (const path of Object.keys(readTree(first)).filter((one) => /^(?:manifests|patches|azure)\//.test(one)))
      rmSync(join(first, path));
    const { stderr } = succeed(run(["render", first]));
    expect(stderr).toContain("[client-id-unknown]");
    expect(Object.keys(readTree(first)).filter((path) => path.includes("serviceaccount"))).toEqual([]);
    succeed(run(["set-identities", first, "--from", "-"], { input: ids }));
    succeed(run(["render", first]));
    const generated = (directory: string) =>
      Object.entries(readTree(directory)).filter(([path]) => /^(?:manifests|patches|azure\/identities)\//.test(path));
    expect(generated(first)).toEqual(generated(packageOf("azure")));
  });

  it.each([
    ["aws", "roleName"],
    ["gcp", "serviceAccountID"],
    ["azure", "identityName"],
  ] as const)("sets the name of a workload's identity on %s", (cloud, field) => {
    const named = changed(cloud, {});
    succeed(run(["set", `spec.platform.${cloud}.overrides={"shop/cart":{"${field}":"own-name"}}`, named]));
    succeed(run(["render", named]));
    expect(run(["explain", named]).stdout).toContain("own-name");
    expect(run(["validate", named]).stderr).not.toContain("error:");
    const other = run(["set", `spec.platform.${cloud}.overrides={"shop/other":{"${field}":"own-name"}}`, named]);
    expect(other.stderr).toContain("[override-unmatched]");
  });

  it("refuses to set guard rails that the package is outside of", () => {
    const { status, stderr } = run(["set", "spec.workloads.maxPerNamespace=2", changed("aws", {})]);
    expect(status).toBe(1);
    expect(stderr).toContain("[workload-limit]");
  });

  it("work with several packages", () => {
    const all = cloudNames.map(packageOf);
    const { stdout } = run(["report", "-o", "json", ...all]);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).workloads),
    ).toEqual([3, 3, 3]);
    expect(run(["render", "--check", ...all]).status).toBe(0);
    expect(run(["report", "--reach", ...all]).stdout).toContain("workload shop/legacy (");
  });
});
