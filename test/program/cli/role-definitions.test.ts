import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { request } from "../../helpers/cluster.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

/** A directory with a request for GCP. */
function asking(providerSpec: object): string {
  const directory = temporary();
  writeTree(directory, {
    "request.yaml": dump(request("one", { spec: { providerSpec: { kind: "GCPProviderSpec", ...providerSpec } } })),
  });
  return directory;
}

/** A directory with what "gcloud iam roles describe ROLE --format=json" printed. */
function definitions(files: Readonly<Record<string, unknown>>): string {
  const directory = temporary();
  const texts = Object.entries(files).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  writeTree(directory, Object.fromEntries(texts));
  return directory;
}

const diff = (...args: string[]) => run(["diff", "--quiet", ...args]);
const old = () => asking({ predefinedRoles: ["roles/dns.admin"] });
const now = () => asking({ permissions: ["dns.changes.create", "dns.other.get"] });

describe("the definitions of roles", () => {
  it("are those that the program contains, with their date", () => {
    const { status, stdout } = diff(old(), now());
    expect(status).toBe(2);
    expect(stdout).toMatch(/^ {2}\+ permission dns\.other\.get$/m);
    expect(stdout).toMatch(/^ {2}- role roles\/dns\.admin {2}# NEW does not allow \d+ of its \d+ permissions$/m);
    expect(stdout).toMatch(/^Role definitions of \d{4}-\d{2}: roles\/dns\.admin\.$/m);
  });

  it("are replaced by those of --role-definitions", () => {
    const given = definitions({
      "dns.json": { name: "roles/dns.admin", includedPermissions: ["dns.changes.create", "dns.other.get"] },
      "README.md": "not a definition",
    });
    const { status, stdout } = diff(old(), now(), "--role-definitions", given);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `moved: GCP ns-one/credentials (one)
  ~ role roles/dns.admin removed  # NEW allows all of its 2 permissions
  ~ by name now, and through a role in OLD: dns.changes.create, dns.other.get

Verdict, permissions only: none (1 moved).
Role definitions in ${join(given, "dns.json")}: roles/dns.admin.

Before the upgrade:
  grant ns-one/credentials: permissions dns.changes.create, dns.other.get (in OLD through a role)

Only after the upgrade:
  revoke from ns-one/credentials: role roles/dns.admin
`,
    });
  });

  it("are also those of custom roles, in JSON that fits its schema", () => {
    const custom = "projects/my-project/roles/disks";
    const given = definitions({ "a.json": { name: custom, includedPermissions: ["compute.disks.get"] } });
    const sides = [asking({ predefinedRoles: [custom, "roles/x"] }), asking({ permissions: ["compute.disks.get"] })];
    const { stdout } = diff(...sides, "--role-definitions", given, "-o", "json");
    const report = JSON.parse(stdout);
    expect(report.roleDefinitions).toEqual([{ role: custom, file: join(given, "a.json") }, { role: "roles/x" }]);
    expect(report.identities[0].roles.removed).toEqual([
      { role: custom, permissions: 1, changed: 0 },
      { role: "roles/x", permissions: null, changed: null },
    ]);
    const schema = JSON.parse(readFileSync("schemas/diff.schema.json", "utf8"));
    const fits = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);
    expect(fits(report), JSON.stringify(fits.errors)).toBe(true);
    expect(diff(asking({ predefinedRoles: [custom] }), sides[1] as string).status).toBe(2);
  });

  const cure =
    'save the output of "az role definition list --name ROLE --output json" or "gcloud iam roles describe ROLE --format=json" there.';
  const role = { name: "roles/x", includedPermissions: ["a.b.get"] };
  it.each<[string, unknown, string]>([
    ["not JSON", "name: roles/x", "is not JSON"],
    ["JSON with a key twice", '{"name": "roles/x", "name": "roles/y"}', "has a duplicate key"],
    ["a list of roles", [role], "must contain one role"],
    [
      "no role's",
      { kind: "Policy" },
      'must have a "name" such as "roles/dns.admin" or "projects/my-project/roles/disks"',
    ],
    ["that of a name that no role has", { ...role, name: "x" }, 'must have a "name" such as "roles/dns.admin"'],
    ["without permissions, as in a list", { name: "roles/x" }, 'has no "includedPermissions"'],
    ["without any permission", { ...role, includedPermissions: [] }, 'has no "includedPermissions"'],
    ["with a wildcard", { ...role, includedPermissions: ["a.b.*"] }, 'contains "a.b.*" in "includedPermissions"'],
    ["with a number", { ...role, includedPermissions: [4] }, 'contains 4 in "includedPermissions"'],
    ["deleted", { ...role, deleted: true }, 'describes "roles/x", which is deleted'],
  ])("in a file that is %s are an error with its place and cure", (_name, value, problem) => {
    const given = definitions({ "wrong.json": value, "right.json": role });
    const { status, stdout, stderr } = diff(old(), now(), "--role-definitions", given);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`error: "${join(given, "wrong.json")}" ${problem}`);
    expect(stderr).toContain(`${cure} [role-definition-invalid]\n`);
  });

  it("of one role in two files are an error, and so is a directory without any", () => {
    const given = definitions({ "a.json": role, "b.json": role });
    const { status, stderr } = diff(old(), now(), "--role-definitions", given);
    expect([status, stderr]).toEqual([
      1,
      `error: "${join(given, "b.json")}" defines "roles/x", and so does "${join(given, "a.json")}"; remove one of the two. [role-definition-invalid]\n`,
    ]);
    const none = definitions({ "a.txt": "" });
    for (const [path, problem] of [
      [none, "contains no JSON file"],
      [join(none, "a.txt"), "is not a directory"],
      [join(none, "missing"), "is not a directory"],
    ] as const) {
      const said = diff(old(), now(), "--role-definitions", path);
      expect([said.status, said.stderr]).toEqual([
        1,
        expect.stringContaining(`--role-definitions "${path}" ${problem}`),
      ]);
    }
  });
});
