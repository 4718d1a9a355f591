import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import { awsOf, type Fields, oneRequest } from "../helpers/cluster-package.ts";
import { exports } from "../helpers/exported.ts";
import { temporary } from "../helpers/temporary.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws?.stop());
beforeEach(() => aws.reset());

const canary = "ran-what-it-must-not";
const commands = [
  `$(touch ${canary})`,
  `\`touch ${canary}\``,
  `';touch ${canary};'`,
  `";touch ${canary};"`,
  `|touch ${canary}`,
];
const escapes = "\u001b[2J\u001b]0;title\u0007\r\u0000\u007f\u009b31m\n\u2028";
const everything = `${commands.join(" ")}${escapes}\\n\\\\%s%n*?[a-z]~$HOME\${x} -x --help @file file:///etc/passwd`;

/** Runs a script and checks that no input was executed and that no output moves the cursor. */
function script(directory: string, name: string, ...args: string[]) {
  const here = temporary();
  const env = { CCF_WAIT: "0", TMPDIR: temporary(), HOME: here };
  aws.forgetCalls();
  const { status, stdout, stderr } = aws.run("sh", [join(directory, name), ...args], { cwd: here, env });
  expect(stdout).toMatch(/^[\n -~]*$/);
  expect(stderr).toMatch(/^[\n -~]*$/);
  for (const location of [here, dirname(dirname(directory)), directory, env.TMPDIR]) {
    expect(
      readdirSync(location, { recursive: true })
        .map(String)
        .filter((text) => text.split("/").includes(canary)),
    ).toEqual([]);
  }
  return { status, stdout, stderr, calls: aws.calls() };
}

const fresh = exports(undefined, oneRequest);
const odd = exports((spec) => {
  spec["issuer"] = {
    ...(spec["issuer"] as Fields),
    audiences: [
      "openshift",
      "https://example.com",
      "file:///etc/passwd",
      "fileb://x",
      "@x",
      "-x",
      "--help",
      ...commands.map((command) => command.replaceAll(" ", "${IFS}")),
      '\\"',
      "\\",
      "'",
      "*",
      "%s",
      "=",
      ",",
      "{}",
      "[]",
    ],
  };
  Object.assign(awsOf(spec), {
    tags: {
      "a_.:/=+-@ z": "_.:/=+-@ é",
      "-x": "--help",
      "@file": "=",
      "file://x": "https://x",
      "1.0": "",
      "1": " ",
      "ü 1": "😀".slice(0, 0),
    },
    roles: {
      path: `/!"#$%&'()*+,-.:;<=>?@[\\]^_\`{|}~/$(touch\${IFS}${canary})/`,
      permissionsBoundaryARN: `arn:aws:iam::123456789012:policy/$(touch\${IFS}${canary})"\\'`,
    },
    overrides: {
      "openshift-image-registry/installer-cloud-credentials": {
        roleName: "-x",
        managedPolicyARNs: ["arn:aws:iam::aws:policy/A", `arn:aws:iam::123456789012:policy/;touch\${IFS}${canary}"\\`],
      },
      "openshift-ingress-operator/cloud-credentials": { roleName: "--help" },
      "openshift-cluster-csi-drivers/ebs-cloud-credentials": { roleName: "@=+,." },
    },
  });
});

describe("a package with every value that its schema accepts", () => {
  it("is applied once, found in sync, repaired and destroyed", () => {
    const boundary = `arn:aws:iam::123456789012:policy/$(touch\${IFS}${canary})"\\'`;
    aws.reset({ policies: [boundary, `arn:aws:iam::123456789012:policy/;touch\${IFS}${canary}"\\`] });
    const directory = odd();
    const first = script(directory, "apply.sh");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(Object.keys(aws.state().roles).sort()).toEqual(["--help", "-x", "@=+,."]);
    expect(script(directory, "apply.sh").stdout).toMatch(/No changes: /);
    expect(script(directory, "status.sh")).toMatchObject({ status: 0, stderr: "" });
    const made = aws.state();
    const { providers, roles } = aws.state();
    for (const provider of Object.values(providers)) provider.clientIds = [];
    for (const role of Object.values(roles))
      Object.assign(role, { attachedPolicies: [], tags: role.tags.slice(-1), permissionsBoundary: undefined });
    for (const role of Object.values(roles))
      role.tags = [{ Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" }];
    aws.change({ providers, roles });
    expect(script(directory, "apply.sh")).toMatchObject({ status: 0, stderr: "" });
    const sets = (state: State) => {
      for (const provider of Object.values(state.providers)) provider.clientIds.sort();
      return state;
    };
    expect(sets(aws.state())).toEqual(sets(made));
    expect(script(directory, "destroy.sh", "--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(aws.state()).toMatchObject({ roles: {}, buckets: {}, providers: {} });
  });
});

describe("a directory", () => {
  it.each([" a  b ", `${commands[0]}${commands[1]}`, "-x=*?[a]%s%n#;&|<>", "~", "é😀'\"\\\nb"])(
    "with the name %j is handled like any other",
    (name) => {
      const directory = fresh(name);
      expect(script(directory, "apply.sh")).toMatchObject({ status: 0, stderr: "" });
      expect(script(directory, "status.sh")).toMatchObject({ status: 0, stderr: "" });
      expect(script(directory, "destroy.sh", "--yes")).toMatchObject({ status: 0, stderr: "" });
    },
  );
});

describe("a cloud with hostile values", () => {
  const tagged = [{ Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" }];
  const spoiled = () => {
    const { roles, buckets, providers } = aws.state();
    for (const role of Object.values(roles)) {
      Object.assign(role, { description: everything, permissionsBoundary: everything });
      role.inlinePolicies[everything] = {
        Version: everything,
        Statement: [{ Effect: everything, [everything]: everything }],
      };
      role.trustPolicy = { Version: everything, Statement: { [everything]: { [everything]: [everything] } } };
      role.attachedPolicies.push(everything);
      role.tags.push({ Key: everything, Value: everything });
    }
    for (const bucket of Object.values(buckets)) {
      bucket.policy = JSON.stringify({
        Version: everything,
        Statement: [{ Condition: { [everything]: { [everything]: everything } } }],
      });
      bucket.tags?.push({ Key: everything, Value: everything });
      for (const object of Object.values(bucket.objects)) object.body = everything;
    }
    for (const provider of Object.values(providers)) {
      provider.clientIds = [everything];
      provider.thumbprints = [everything];
      provider.tags.push({ Key: everything, Value: everything });
    }
    const other = { tags: tagged, inlinePolicies: { [everything]: {} }, attachedPolicies: [everything] };
    const names = commands.map((command) => `demo-${command}`);
    aws.change({ buckets, providers, roles: { ...roles, ...Object.fromEntries(names.map((name) => [name, other])) } });
  };

  it("differs from the package, and is shown without terminal control characters", () => {
    const directory = fresh();
    script(directory, "apply.sh");
    spoiled();
    expect(script(directory, "status.sh")).toMatchObject({ status: 2, stderr: "" });
    expect(script(directory, "apply.sh", "--dry-run")).toMatchObject({ status: 2, stderr: "" });
  });

  it.each([
    ["apply.sh", "--prune"],
    ["destroy.sh", "--yes"],
  ])("gets the expected calls with the expected arguments from %s", (name, flag) => {
    const directory = fresh();
    script(directory, "apply.sh");
    spoiled();
    const own = new Set([...Object.keys(aws.state().roles), "demo-oidc"]);
    const { status, calls } = script(directory, name, flag);
    expect([0, 1]).toContain(status);
    const bare = (text: string) => JSON.stringify(text).slice(1, -1);
    for (const { args, parameters = {} } of calls) {
      // A name from the cloud is always a complete value, never an option.
      for (const value of Object.values(parameters).filter((value) => String(value).includes("touch"))) {
        expect([...own].flatMap((text) => [text, bare(text)]).concat(everything), args.join(" ")).toContain(value);
      }
      for (const word of args.filter((arg) => arg.includes("touch"))) expect(word).toMatch(/^(?:--role-name=demo-|\{)/);
    }
    if (flag === "--prune") {
      const gone = calls.filter(({ operation }) => ["DeleteRolePolicy", "DetachRolePolicy"].includes(operation));
      expect(gone.length).toBeGreaterThan(5);
      for (const { parameters } of gone) {
        expect(parameters).toMatchObject(
          parameters.PolicyName === undefined ? { PolicyArn: everything } : { PolicyName: everything },
        );
      }
    }
  });

  it("is refused if an ID is invalid, and errors are shown without escapes", () => {
    const directory = fresh();
    aws.reset({ caller: `arn:aws:iam::123456789012:user/${everything}` });
    expect(script(directory, "status.sh").status).toBe(2);
    aws.policy({ Version: "2012-10-17", Statement: [] });
    const refused = script(directory, "status.sh");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^error: /);
  });
});

describe("an export that a user edited", () => {
  it.each(["resourcePrefix", "ownerTag", "region", "partition", "identityProviderARN", "accountID"])(
    "runs nothing: %s of cluster.json",
    (field) => {
      const directory = fresh();
      const path = join(directory, "cluster.json");
      const cluster = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, JSON.stringify({ ...cluster, [field]: everything }));
      for (const [name = "", ...args] of [["status.sh"], ["apply.sh"], ["destroy.sh", "--yes"]]) {
        expect([0, 1, 2]).toContain(script(directory, name, ...args).status);
      }
    },
  );

  it("executes nothing: every string of every input", () => {
    const directory = fresh();
    for (const role of readdirSync(join(directory, "roles")).slice(1))
      rmSync(join(directory, "roles", role), { recursive: true });
    const files = readdirSync(directory, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".json") && name !== "cluster.json");
    for (const name of files) {
      const path = join(directory, name);
      const before = readFileSync(path, "utf8");
      writeFileSync(
        path,
        before.replace(/: "([^"]*)"/g, (_, value: string) => `: ${JSON.stringify(`${value}${everything}`)}`),
      );
      expect([0, 1]).toContain(script(directory, "apply.sh").status);
      writeFileSync(path, before);
    }
  });

  it.each(["", "{", "{}", "[]", "null", "<html>", '{"accountID": 1}'])(
    "is refused where cluster.json is %j",
    (text) => {
      const directory = fresh();
      writeFileSync(join(directory, "cluster.json"), text);
      for (const [name = "", ...args] of [["status.sh"], ["apply.sh"], ["destroy.sh", "--yes"]]) {
        expect(script(directory, name, ...args)).toMatchObject({
          status: 1,
          stdout: "",
          calls: text.includes("1") ? expect.anything() : [],
        });
      }
    },
  );
});

describe("the values of flags", () => {
  it.each([...commands, "-x", "--prune", "*", ".*", "", "a\nb", escapes, "\\", '"'])(
    "is a name and nothing else: %j",
    (name) => {
      const directory = fresh();
      const adopted = script(directory, "apply.sh", "--adopt", name.replaceAll("\0", ""));
      expect(adopted).toMatchObject({ stdout: "", status: 1 });
      expect(adopted.stderr).toMatch(/^error: --adopt /);
      expect(aws.state()).toMatchObject({ roles: {}, buckets: {} });
    },
  );

  it("is used only as the key of a tag", () => {
    const directory = fresh();
    expect(script(directory, "apply.sh").status).toBe(0);
    const { roles } = aws.state();
    const keys = ["-x", "$(touch x)", ".*", "a b", "é"];
    for (const role of Object.values(roles)) role.tags.push(...[...keys, "kept"].map((Key) => ({ Key, Value: "" })));
    aws.change({ roles });
    expect(script(directory, "apply.sh", ...keys.flatMap((key) => ["--remove-tag", key]))).toMatchObject({
      status: 0,
      stderr: "",
    });
    for (const { tags } of Object.values(aws.state().roles))
      expect(tags.map(({ Key }) => Key).sort()).toEqual([
        "Name",
        "kept",
        "openshift.io/cloud-credential-operator/demo",
      ]);
    for (const key of ["a\nb", '"', "\\", "Name", ""]) {
      expect(script(directory, "apply.sh", "--remove-tag", key)).toMatchObject({ status: 1, stdout: "" });
    }
  });
});
