import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { packageWithBoundary, renderedPackage, succeed } from "../../helpers/cluster-package.ts";
import { digestOfExport, resultText } from "../../helpers/status-result.ts";
import { keptTemporary, temporary } from "../../helpers/temporary.ts";

const packages = fileURLToPath(new URL("../../../testdata/packages", import.meta.url));
const clouds = ["aws-s3-public", "azure-blob-government", "gcp-pool"] as const;
const registry = "openshift-image-registry/installer-cloud-credentials";
const bucketRole = "arn:aws:iam::123456789012:role/aws-s3-public-openshift-image-registry-installer-cloud-credentia";

let fleet: string;
const kept = keptTemporary();
beforeAll(() => {
  fleet = kept.directory;
  for (const name of clouds) cpSync(join(packages, name), join(fleet, "clusters", name), { recursive: true });
  return () => kept.remove();
});

const report = (args: readonly string[], cwd = fleet) => run(["report", ...args], { cwd });
const all = ["--recursive", "clusters"];

/** The objects of `-o json`. */
function jsonOf(args: readonly string[], cwd = fleet): Any[] {
  return report([...args, "-o", "json"], cwd)
    .stdout.split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** A fleet of one package, with a file of it changed. */
function changed(name: string, path: string, change: (text: string) => string): string {
  const directory = temporary();
  const made = join(directory, "clusters", name);
  cpSync(join(packages, name), made, { recursive: true });
  const text = readFileSync(join(made, path), "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(join(made, path), change(text));
  return directory;
}

/** The requests of a release in which the registry of AWS needs more. */
function nextRelease(): string {
  const directory = join(temporary(), "4.21");
  cpSync(join(packages, "aws-s3-public/credentials-requests"), directory, { recursive: true });
  const path = join(directory, "10-registry.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace('"s3:PutObject"', '"s3:PutObject", "s3:DeleteObject"'));
  return directory;
}

describe("ccf report", () => {
  it("aligns a row for each cluster", () => {
    const { status, stdout, stderr } = report(all);
    expect(stdout).toBe(`\
PACKAGE                          PLATFORM   IDENTITIES   ERRORS   WARNINGS   REACH
clusters/aws-s3-public           aws        3            0        1          3
clusters/azure-blob-government   azure      3            0        1          2
clusters/gcp-pool                gcp        3            0        1          3
`);
    expect(stderr).toMatch(/\n3 packages: 3 shown\n$/);
    expect(status).toBe(0);
  });

  it("shows more columns with -o wide", () => {
    const { stdout } = succeed(report([...all, "-o", "wide"]));
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]?.split(/ +/)).toEqual(
      "PACKAGE IDENTITY PLATFORM ACCOUNT REGION ISSUER IDENTITIES ERRORS WARNINGS ACCEPTED KEYS REACH".split(" "),
    );
    expect(lines.slice(1).map((line) => line.split(/ +/))).toEqual([
      [
        ...["clusters/aws-s3-public", "aws-s3-public", "aws", "123456789012", "us-east-2"],
        ...["https://aws-s3-public-oidc.s3.us-east-2.amazonaws.com", "3", "0", "1", "0", "1", "3"],
      ],
      [
        ...["clusters/azure-blob-government", "azure-blob-government", "azure"],
        ...["00000000-1111-2222-3333-444444444444", "usgovvirginia"],
        ...["https://demogov.blob.core.usgovcloudapi.net/demo-oidc", "3", "0", "1", "0", "1", "2"],
      ],
      [
        ...["clusters/gcp-pool", "gcp-pool", "gcp", "demo-project", "us"],
        ...["https://storage.googleapis.com/gcp-pool-oidc", "3", "0", "1", "0", "1", "3"],
      ],
    ]);
    // Columns begin at the same place in every line.
    expect(new Set(lines.map((line) => / (?:aws|azure|gcp|PLATFORM) /.exec(line)?.index)).size).toBe(1);
    for (const flags of [["--reach"], ["--who-may", "s3:GetObject"]])
      expect(report([...all, ...flags, "-o", "wide"]).stderr).toContain(
        `error: "-o wide" has no effect with ${flags[0]}`,
      );
  });

  it("is a table of Markdown", () => {
    const [head, rule, row] = succeed(report([...all, "-o", "markdown"])).stdout.split("\n");
    expect(head).toMatch(/^\| package \| identity \|/);
    expect(rule).toMatch(/^\| --- \| .* \| ---: \|$/);
    expect(row).toMatch(/^\| `clusters\/aws-s3-public` \| .* \| 3 \| 0 \| 1 \| 0 \| 1 \| 3 \|$/);
  });

  it("is CSV that ends lines as RFC 4180 says", () => {
    const lines = succeed(report([...all, "-o", "csv"])).stdout.split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[3]).toBe(
      "clusters/gcp-pool,gcp-pool,gcp,demo-project,us,https://storage.googleapis.com/gcp-pool-oidc,3,0,1,0,1,3",
    );
  });

  it("is a JSON object for each package", () => {
    expect(jsonOf(["clusters/gcp-pool"])).toEqual([
      {
        package: "clusters/gcp-pool",
        identity: "gcp-pool",
        platform: "gcp",
        account: "demo-project",
        region: "us",
        issuer: "https://storage.googleapis.com/gcp-pool-oidc",
        identities: 3,
        findings: { errors: 0, warnings: 1, accepted: 0 },
        keyIds: ["HqwWDSIA74tjnU5Fp9-dp3BWEmUeHD3YZ_ZKZkhDQTk"],
        reach: { changes: 3, undecided: 0, reads: 0 },
      },
    ]);
  });

  it("reads an export, of which it knows no findings and no name", () => {
    const out = join(temporary(), "out");
    succeed(run(["export", join(fleet, "clusters/aws-s3-public"), "--output-dir", out]));
    const [row] = jsonOf([out]);
    expect(row).toMatchObject({ platform: "aws", identities: 3, findings: null, reach: { changes: 3 } });
    expect(row).not.toHaveProperty("identity");
    const { stdout } = report([out, "--credentials-requests", nextRelease(), "-o", "json"]);
    expect(stdout).toContain("--credentials-requests needs a package with a ClusterIdentity");
  });

  it("judges acceptances on the day of --time", () => {
    const [{ findings }] = jsonOf([join(packages, "aws-validated"), "--time", "2026-01-01T00:00:00Z"]);
    const { findings: late } = jsonOf([join(packages, "aws-validated"), "--time", "2099-01-01T00:00:00Z"])[0];
    expect(findings).toEqual({ errors: 0, warnings: 1, accepted: 2 });
    expect(late.accepted).toBeLessThanOrEqual(findings.accepted);
  });

  it("exits with 2 if a cluster lacks something for a release", () => {
    const args = ["clusters/aws-s3-public", "clusters/gcp-pool", "--credentials-requests", nextRelease()];
    const { status, stdout, stderr } = report(args);
    expect(status).toBe(2);
    expect(stderr).toMatch(/\n2 packages: 1 ready, 1 not ready\n$/);
    const ends = stdout.split("\n").map((line) => line.split(/ {2,}/).at(-1));
    const grouped = `1 cluster lacks (clusters/aws-s3-public): ${registry}: s3:DeleteObject`;
    expect(ends).toEqual(["RELEASE", "not ready", "ready", "", grouped, ""]);
    expect(report([...args, "-o", "wide"]).stdout).toContain(` lacks ${registry}\n`);
    const [aws, gcp] = jsonOf(args);
    expect(aws).toMatchObject({ ready: false, lacks: [{ secret: registry, change: "more" }] });
    expect(gcp).toMatchObject({ ready: true, lacks: [] });
  });

  it("names a new identity of a release as new", () => {
    const directory = temporary();
    cpSync(join(fleet, "clusters/aws-s3-public"), join(directory, "one"), { recursive: true });
    const requests = join(directory, "4.21");
    cpSync(join(packages, "aws-s3-public/credentials-requests"), requests, { recursive: true });
    const path = join(requests, "10-registry.yaml");
    writeFileSync(
      path,
      readFileSync(path, "utf8").replaceAll("name: installer-cloud-credentials", "name: other-credentials"),
    );
    const { status, stdout } = report(["one", "--credentials-requests", "4.21"], directory);
    expect(stdout).toContain("1 cluster lacks (one): openshift-image-registry/other-credentials (new)");
    expect(status).toBe(2);
  });

  it("fails for a cluster for which the release has no requests", () => {
    const { status, stderr } = report([...all, "--credentials-requests", nextRelease()]);
    expect(stderr).toMatch(/^clusters\/azure-blob-government:\nerror: .* contains no request for this cluster/m);
    expect(stderr).toContain("3 packages: 1 ready, 1 not ready, 1 failed\n");
    expect(status).toBe(1);
  });

  it("fails at once if there are no requests", () => {
    const { status, stdout, stderr } = report([...all, "--credentials-requests", "clusters/gcp-pool"]);
    expect(stderr).toContain('--credentials-requests "clusters/gcp-pool" must contain CredentialsRequests');
    expect(stdout).toBe("");
    expect(status).toBe(1);
  });

  it.each(["text", "markdown", "csv", "json"])("shows the other clusters as %s if one cannot be read", (output) => {
    const directory = changed("gcp-pool", "cluster-identity.yaml", (text) => `${text}\n: [`);
    cpSync(join(fleet, "clusters/aws-s3-public"), join(directory, "clusters/aws-s3-public"), { recursive: true });
    const { status, stdout, stderr } = report([...all, "-o", output], directory);
    expect(stdout).toContain("clusters/aws-s3-public");
    expect(output === "json" ? stdout : stderr).toMatch(/clusters\/gcp-pool.*is not YAML/s);
    expect(stderr).toContain("2 packages: 1 shown, 1 failed");
    expect(status).toBe(1);
  });

  it("refuses a package that was not rendered", () => {
    const { status, stderr } = report([join(packages, "eval-generate-oidc-issuer")]);
    expect(stderr).toContain("contains neither a package rendered for AWS, Azure or GCP nor an export");
    expect(status).toBe(1);
  });

  it("gives a spreadsheet no formula, Markdown no markup and a terminal no invisible character", () => {
    const directory = temporary();
    const hostile = "=HYPERLINK(1)|`<b>\u202eJ";
    cpSync(join(fleet, "clusters/gcp-pool"), join(directory, hostile), { recursive: true });
    const shown = (output: string) => report([hostile, "-o", output], directory).stdout;
    expect(shown("csv")).toContain("\r\n'=HYPERLINK(1)|`<b>\\u202eJ,gcp-pool,");
    expect(shown("markdown")).toContain("| `` =HYPERLINK(1)\\|`<b>\\u202eJ `` |");
    for (const output of ["text", "markdown", "csv", "json"]) expect(shown(output)).not.toContain("\u202e");
  });
});

it("refuses an export with a pipe in place of a file", () => {
  const out = join(temporary(), "out");
  succeed(run(["export", join(packages, "aws-s3-public"), "--output-dir", out]));
  rmSync(join(out, "aws/cluster.json"));
  execFileSync("mkfifo", [join(out, "aws/cluster.json")]);
  const { status, stderr } = report([out]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/"aws\/cluster\.json" is a symbolic link or not a regular file.*\[file-unreadable\]$/m);
});

describe("ccf report --status", () => {
  const day = "2026-05-01T12:00:00Z";

  const resultOf = (out: string, time: string) => resultText(digestOfExport(out), { time });

  /** Exports all clusters, and writes results for AWS, and outdated ones for GCP. */
  function applied(): { out: string; results: string } {
    const out = temporary();
    const results = temporary();
    for (const name of clouds) succeed(run(["export", join(fleet, "clusters", name), "--output-dir", join(out, name)]));
    writeFileSync(join(results, "one"), resultOf(join(out, clouds[0]), day));
    writeFileSync(join(results, "two"), resultOf(join(out, clouds[2]), "2026-04-30T11:59:59Z"));
    writeFileSync(join(results, ".gitkeep"), "");
    return { out, results };
  }

  it("finds the result for each package by its contents", () => {
    const { out, results } = applied();
    const args = ["--status", results, "--time", day];
    const { status, stdout } = report([...all, ...args]);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).at(-1))).toEqual([
      "CLOUD",
      "in sync",
      "unknown",
      "outdated",
      "",
    ]);
    expect(status).toBe(0);
    const expected = [
      { status: "in sync", time: day },
      { status: "unknown", time: null },
      { status: "outdated", time: "2026-04-30T11:59:59Z" },
    ];
    expect(jsonOf([...all, ...args]).map(({ cloud }) => cloud)).toEqual(expected);
    const exports = clouds.map((name) => join(out, name));
    expect(jsonOf([...exports, ...args]).map(({ cloud }) => cloud)).toEqual(expected);
  });

  it("does not know the cloud of a package that has changed since", () => {
    const out = join(temporary(), "out");
    const results = temporary();
    succeed(run(["export", join(fleet, "clusters/aws-s3-public"), "--output-dir", out]));
    writeFileSync(join(results, "one"), resultOf(out, day));
    const args = ["--status", results, "--time", day];
    expect(jsonOf(["clusters/aws-s3-public", ...args])[0].cloud.status).toBe("in sync");
    const path = "aws/issuer.yaml";
    const directory = changed("aws-s3-public", path, (text) => text.replace('"openshift"', '"other"'));
    expect(jsonOf([...all, ...args], directory)[0].cloud.status).toBe("unknown");
  });

  it("fails at once for a file that is not a result, and for two for one package", () => {
    const results = temporary();
    const failing = (two: unknown) => {
      writeFileSync(join(results, "two"), JSON.stringify(two));
      const { status, stdout, stderr } = report([...all, "--status", results]);
      expect(stdout).toBe("");
      expect(status).toBe(1);
      return stderr;
    };
    const one = { digest: "sha256:0", verdict: "in sync", time: day };
    writeFileSync(join(results, "one"), JSON.stringify(one));
    expect(failing({ ...one, verdict: "fine" })).toMatch(/two" is not the result of a status; .*\[status-invalid\]/);
    execFileSync("mkfifo", [join(results, "a-pipe")]);
    expect(failing(one)).toMatch(/a-pipe" is not a regular file; remove it/);
    rmSync(join(results, "a-pipe"));
    expect(failing(one)).toMatch(/one" and ".*two" are results for the same package; remove the older one/);
  });

  it("requires a directory", () => {
    const { status, stderr } = report([...all, "--status", "clusters/none"]);
    expect(stderr).toContain('"clusters/none" is not a directory: it does not exist');
    expect(status).toBe(1);
  });
});

const registryAccounts = ["cluster-image-registry-operator", "registry"].map(
  (name) => `system:serviceaccount:openshift-image-registry:${name}`,
);

describe("ccf report --who-may", () => {
  it("names each identity with its package, its resources and its conditions", () => {
    const { status, stdout, stderr } = report([...all, "--who-may", "s3:Put*"]);
    expect(stdout).toBe(
      [
        "1 identity in 1 cluster can do s3:Put*, used by 2 service accounts.",
        `clusters/aws-s3-public: ${registry} (${bucketRole})`,
        "  may s3:PutObject on *",
        `  used by ${registryAccounts.join(", ")}`,
        "",
      ].join("\n"),
    );
    expect(stderr).toBe("3 packages: 1 with such identities, 2 without such identities\n");
    expect(status).toBe(0);
  });

  it("prints a JSON object for each identity, and none for a package without one", () => {
    expect(jsonOf([...all, "--who-may", "s3:putobject"])).toEqual([
      {
        package: "clusters/aws-s3-public",
        cluster: "aws-s3-public",
        platform: "aws",
        secret: registry,
        id: bucketRole,
        answer: "allowed",
        by: [{ actions: ["s3:PutObject"], resources: ["*"], conditions: [] }],
        steps: [],
        serviceAccounts: registryAccounts,
        question: { action: "s3:putobject", actions: ["s3:putobject"] },
      },
    ]);
  });

  it("asks about one resource with --on", () => {
    const disk = (project: string) => `//compute.googleapis.com/projects/${project}/zones/us-a/disks/one`;
    const asked = (on: string) => jsonOf([...all, "--who-may", "compute.disks.delete", "--on", on]);
    expect(asked(disk("demo-project")).map(({ answer }) => answer)).toEqual(["allowed"]);
    expect(asked(disk("other-project"))).toMatchObject([{ answers: 0, packages: 3 }]);
    const [open] = asked("one");
    expect(open).toMatchObject({
      answer: "undecided",
      reason: "the name of the resource does not contain its project",
    });
    const { stdout } = report([...all, "--who-may", "compute.disks.delete", "--on", "one"]);
    expect(stdout).toContain(": undecided: the name of the resource does not contain its project\n  perhaps ");
  });

  it("is undecided about a name that its cloud does not know", () => {
    const group = "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/network";
    const asked = (on: string) => jsonOf([...all, "--who-may", "Microsoft.Network/dnsZones/write", "--on", on]);
    expect(asked(group).map(({ answer }) => answer)).toEqual(["allowed"]);
    expect(asked("/subscriptions/none")).toMatchObject([{ answers: 0, packages: 3 }]);
    expect(asked("network")[0]).toMatchObject({ reason: "the name of the resource is not a resource ID" });
  });

  it("is a row for each statement in a table", () => {
    const csv = succeed(report([...all, "--who-may", "s3:*", "-o", "csv"])).stdout.split("\r\n");
    expect(csv).toEqual([
      'package,secret,id,answer,actions,resources,conditions,role,reason,step,"service accounts"',
      `clusters/aws-s3-public,${registry},${bucketRole},allowed,"s3:CreateBucket; s3:PutObject; s3:GetObject; s3:ListBucket",*,,,,,"${registryAccounts.join("; ")}"`,
      "",
    ]);
    const markdown = succeed(report([...all, "--who-may", "s3:*", "-o", "markdown"])).stdout;
    expect(markdown).toMatch(/^1 identity in 1 cluster can `do s3:\*`, used by 2 service accounts\.\n\n\|/);
    expect(markdown).toContain(`| \`clusters/aws-s3-public\` | \`${registry}\` |`);
  });

  it("fails for a package with an identity that cannot be read, which may be the one", () => {
    const path = `aws/roles/${registry.replace("/", "-")}.yaml`;
    const directory = changed("aws-s3-public", path, (text) => text.replace("create-role.json", "other.json"));
    for (const more of [[], ["--who-may", "s3:*"], ["--reach"]]) {
      const { status, stderr } = report([...all, ...more], directory);
      expect(stderr).toContain("[role-unreadable]");
      expect(stderr).toContain("1 package: 1 failed");
      expect(status).toBe(1);
    }
  });
});

describe("ccf report of roles with a permissions boundary, whose document is not known", () => {
  it("counts how many reach beyond their cluster as a range, never as none", () => {
    const directory = packageWithBoundary();
    const [{ identities, reach }] = jsonOf([directory]);
    expect(reach).toEqual({ changes: 0, undecided: identities, reads: 0 });
    for (const output of ["text", "markdown", "csv"])
      expect(report([directory, "-o", output]).stdout).toContain(`0 to ${identities}`);
    const found = jsonOf([directory, "--reach"]);
    expect(found.map(({ answer }: Any) => answer)).toEqual(found.map(() => "undecided"));
    expect(report([directory, "--reach"]).stdout).toMatch(
      /beyond the cluster with .*, perhaps: .*permissions boundary/,
    );
  });

  it.each([
    ["open", packageWithBoundary, { changes: 0, undecided: 4, reads: 0 }, "0 to 4"],
    ["certain", renderedPackage, { changes: 3, undecided: 0, reads: 1 }, "4"],
  ])("counts what only reads there like the page and --reach, and it is %s", (_, made, counts, shown) => {
    const requests = join(temporary(), "requests");
    cpSync(join(packages, "aws-s3-public/credentials-requests"), requests, { recursive: true });
    const text = readFileSync(join(requests, "10-registry.yaml"), "utf8");
    const reading = text
      .replaceAll("registry", "reader")
      .replace("installer-cloud-credentials", "reader-credentials")
      .replace(/action: .*/, 'action: ["s3:GetObject"]');
    writeFileSync(join(requests, "50-reader.yaml"), reading);
    const directory = made(requests);
    const [{ reach }] = jsonOf([directory]);
    expect(reach).toEqual(counts);
    expect(succeed(report([directory, "-o", "csv"])).stdout).toMatch(new RegExp(`,"?${shown}"?\r\n$`));
    const found = jsonOf([directory, "--reach"]);
    for (const answer of ["changes", "undecided", "reads"] as const)
      expect(found.filter((one: Any) => one.answer === answer)).toHaveLength(counts[answer]);
    for (const { answer, undecided } of found) expect(answer === "undecided").toBe(undecided.length > 0);
    expect(succeed(report([directory, "--reach"])).stdout).toContain("beyond the cluster only to read");
    expect(run(["explain", directory, "-o", "html"]).stdout).toContain(
      `<p>${shown} of 4 identities can use resources that are not limited to this cluster.`,
    );
  });

  it("is open on the page and in the picture of ccf explain, too", () => {
    const directory = packageWithBoundary();
    const [{ identities }] = jsonOf([directory]);
    expect(run(["explain", directory, "-o", "html"]).stdout).toContain(
      `<p>0 to ${identities} of ${identities} identities can use resources that are not limited to this cluster.`,
    );
    expect(run(["explain", directory, "-o", "svg"]).stdout).toContain(`Beyond the cluster: 0 to ${identities}.`);
  });
});

describe("ccf report --reach", () => {
  it("lists what reaches beyond its own cluster, and why", () => {
    const { status, stdout, stderr } = report(["clusters/gcp-pool", "--reach"]);
    expect(stdout).toContain("clusters/gcp-pool: openshift-ingress-operator/cloud-credentials (gcp-pool-ingress-");
    expect(stdout).toContain(
      '\n  beyond the cluster with roles/dns.admin: its roles apply to the whole project "demo-project"\n',
    );
    expect(stderr).toBe("1 package: 1 with such identities\n");
    expect(status).toBe(0);
  });

  it("prints a JSON object for each identity", () => {
    const found = jsonOf([...all, "--reach"]);
    expect(found).toHaveLength(8);
    expect(found[1]).toMatchObject({
      package: "clusters/aws-s3-public",
      secret: registry,
      id: bucketRole,
      answer: "changes",
      changes: ["s3:CreateBucket", "s3:PutObject"],
      reads: ["s3:GetObject", "s3:ListBucket"],
      undecided: [],
    });
  });
});

describe("the command line of ccf report", () => {
  it.each([
    [["--who-may", "s3 *"], '--who-may "s3 *" must be an action of a cloud, such as "ec2:DeleteVolume" (AWS)'],
    [["--on", "arn:aws:s3:::backups"], "--on requires --who-may"],
    [["--who-may", "s3:*", "--reach"], "--who-may and --reach are two questions; ask one of them"],
    [["--reach", "--time", "0"], "--time has no effect with --reach; omit it"],
    [["--reach", "--status", "x"], "--status has no effect with --reach; omit it"],
    [["--who-may", "s3:*", "--credentials-requests", "x"], "--credentials-requests has no effect with --who-may"],
  ])("%s is refused", (args, message) => {
    const { status, stdout, stderr } = report([...all, ...args]);
    expect(stderr).toContain(message);
    expect(stdout).toBe("");
    expect(status).toBe(1);
  });
});
