import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { cloudState, exportedState } from "../../helpers/cloud-state.ts";
import { awsOf, oneRequest, renderedPackage } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { commands, exported, ScriptsAws } from "../../helpers/scripts-aws.ts";
import { temporary } from "../../helpers/temporary.ts";

let aws: ScriptsAws;

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

async function start(): Promise<void> {
  aws = await ScriptsAws.start();
}
async function stop(): Promise<void> {
  await aws?.stop();
}

describeWith(["aws", "moto_server"], "the scripts, wherever they run", () => {
  beforeAll(start);
  afterAll(stop);

  it("work from any directory, with any user settings, and under any path", async () => {
    await aws.reset();
    const location = temporary();
    const out = exported(renderedPackage(oneRequest()), join(location, `out $HOME 'a' "b" \`c\` größe; *`));
    const [cwd, scratch] = [join(location, "some where"), join(location, "scratch 'x' $y")];
    mkdirSync(cwd);
    mkdirSync(scratch);
    const config = join(location, "config");
    const lines = [
      "[profile mine]",
      "region = eu-west-3",
      "output = text",
      "cli_pager = false",
      "cli_auto_prompt = on",
    ];
    writeFileSync(config, `${lines.join("\n")}\n`);
    const settings = { AWS_PROFILE: "mine", AWS_CONFIG_FILE: config, AWS_REGION: "eu-west-1", AWS_PAGER: "false" };
    const own = {
      AWS_DEFAULT_REGION: "eu-west-2",
      AWS_DEFAULT_OUTPUT: "table",
      LC_ALL: "de_DE.UTF-8",
      CDPATH: location,
    };
    // Which settings apply depends on how the CLI is started: for every call of one run, and for all that change something.
    const env = { ...settings, ...own, TMPDIR: scratch };
    const options = { cwd, cold: "changes", env } as const;

    expect(await aws.script(out, "apply.sh", [], options)).toMatchObject({ status: 0, stderr: "" });
    expect(await cloudState(aws)).toEqual(exportedState(out));
    const status = await aws.script(out, "status.sh", [], { ...options, cold: "every call" });
    expect(status).toMatchObject({ status: 0, stderr: "" });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one.
    expect(status.stdout).not.toMatch(/\u001b/);
    expect(await aws.script(out, "destroy.sh", ["--yes"], options)).toMatchObject({ status: 0, stderr: "" });
    expect(await cloudState(aws)).toEqual({ buckets: {}, providers: {}, roles: {} });
    // No files remain, next to the scripts or anywhere else.
    expect(readdirSync(scratch)).toEqual([]);
    expect(readdirSync(cwd)).toEqual([]);
    expect(readdirSync(join(out, "aws")).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("change nothing in another account", async () => {
    await aws.reset();
    const directory = renderedPackage(oneRequest(), (spec) => {
      awsOf(spec)["accountID"] = "210987654321";
    });
    const out = exported(directory);
    for (const [name, ...args] of [["apply.sh"], ["destroy.sh", "--yes"]]) {
      const done = await aws.script(out, String(name), args);
      expect(done).toMatchObject({
        status: 1,
        stdout: "",
        stderr:
          "error: the credentials are for the account 123456789012, but the package is for 210987654321; nothing was changed\n",
      });
      // That account has no role that would identify it.
      const roles = name === "destroy.sh" ? [] : ["iam get-account-authorization-details"];
      expect(commands(done)).toEqual([...roles, "sts get-caller-identity"]);
    }
    expect(await cloudState(aws)).toEqual({ buckets: {}, providers: {}, roles: {} });
  });

  it("print their usage and refuse unknown options without a call", async () => {
    const out = exported(renderedPackage(oneRequest()));
    const help = await aws.script(out, "apply.sh", ["--help"]);
    expect(help).toMatchObject({ status: 0, stderr: "", calls: [] });
    const refused = [
      [["apply.sh", "--force"], 'unknown option "--force"; see apply.sh --help'],
      [["destroy.sh", "all"], 'unknown option "all"; see destroy.sh --help'],
    ] as const;
    for (const [[name, ...args], message] of refused) {
      const done = await aws.script(out, name, args);
      expect(done).toEqual({ status: 1, stdout: "", stderr: `error: ${message}\n`, calls: [] });
    }
    const unasked = await aws.script(out, "destroy.sh");
    expect(unasked).toMatchObject({
      status: 1,
      stdout: "",
      stderr:
        "error: cannot ask for confirmation without a terminal; check the output of destroy.sh --dry-run, then use --yes\n",
    });
    expect(commands(unasked)).toEqual(["sts get-caller-identity"]);
  });

  it("report a missing AWS CLI", async () => {
    const out = exported(renderedPackage(oneRequest()));
    const programs = temporary();
    for (const name of ["dirname", "tr"]) writeFileSync(join(programs, name), script(name), { mode: 0o755 });
    const done = await aws.script(out, "status.sh", [], { env: { PATH: programs } });
    expect(done).toEqual({
      status: 1,
      stdout: "",
      stderr: "error: the AWS CLI (aws) is required, version 1.27 or later\n",
      calls: [],
    });
  });
});

function script(name: string): string {
  return `#!/bin/sh\nPATH=/usr/bin:/bin exec ${name} "$@"\n`;
}
