import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubAws } from "../helpers/aws-stub/index.ts";
import type { Fields } from "../helpers/cluster-package.ts";
import {
  all,
  bucket,
  type Change,
  cloudFront,
  cloudFrontOwnDomain,
  domainIn,
  exported,
  firstPhase,
  Operator,
  ownDomain,
  ownerTag,
  providerArn,
  publicHost,
  roles,
  said,
  withAws,
} from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { describeWith } from "../helpers/need.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws?.stop());

const operations = () => aws.calls().flatMap(({ changes, operation }) => (changes ? [operation] : []));
const previous =
  (...urls: string[]): Change =>
  (spec) =>
    void Object.assign(spec["issuer"] as Fields, { previous: urls });

describe("destroy.sh for a public bucket", () => {
  let operator: Operator;
  let applied: State;
  beforeAll(() => {
    operator = new Operator(aws, exported());
    aws.reset(foreign);
    expect(operator.apply()).toMatchObject({ status: 0 });
    applied = aws.state();
  });

  it("announces what it would delete, and deletes it: roles, provider, bucket", () => {
    aws.reset(applied);
    const things = [...roles.map((role) => `role ${role}`), `provider ${publicHost}`, `bucket ${bucket}`];
    expect(said(operator.destroy("--dry-run"))).toEqual({
      status: 2,
      stderr: "",
      lines: [...things.map((text) => `would remove  ${text}`), "4 resources would be deleted."],
    });
    expect(operations()).toEqual([]);
    expect(said(operator.destroy("--yes"))).toEqual({
      status: 0,
      stderr: "",
      lines: [...things.map((text) => `removed       ${text}`), "4 resources deleted."],
    });
    const made = operations();
    expect(made.slice(0, 4)).toEqual(["DeleteRolePolicy", "DeleteRole", "DeleteRolePolicy", "DeleteRole"]);
    expect(made.slice(4)).toEqual(["DeleteOpenIDConnectProvider", "DeleteObject", "DeleteObject", "DeleteBucket"]);
    // The script confirmed that the provider is gone before it deleted the bucket.
    const names = aws
      .calls()
      .map(({ operation, error }) => (error === undefined ? operation : `${operation} ${error}`));
    const seen = names.indexOf("GetOpenIDConnectProvider NoSuchEntity");
    expect(seen).toBeGreaterThan(names.indexOf("DeleteOpenIDConnectProvider"));
    expect(seen).toBeLessThan(names.indexOf("DeleteBucket"));
    expect(said(operator.destroy("--yes"))).toMatchObject({ status: 0, lines: ["Nothing to delete."] });
  });

  it("keeps the bucket if the provider is kept", () => {
    const state = structuredClone(applied);
    Object.assign(state.providers[providerArn(publicHost)] ?? {}, { tags: [] });
    aws.reset(state);
    const { status, stderr, lines } = said(operator.destroy("--yes"));
    expect(status).toBe(1);
    expect(lines).toContain(`kept          provider ${publicHost}: it has no owner tag`);
    expect(stderr).toBe(
      `error: the bucket ${bucket} is kept, because the provider ${providerArn(publicHost)} still exists and would trust the next owner of the name. Delete the provider first\n`,
    );
    aws.reset(state);
    expect(operator.destroy("--dry-run")).toMatchObject({ status: 1, stderr });
    aws.reset(state);
    operator.destroy("--yes");
    expect(aws.state().buckets[bucket]).toEqual(applied.buckets[bucket]);
    expect(aws.state().providers).toEqual(state.providers);
  });

  it("stops at a bucket with foreign objects", () => {
    const state = structuredClone(applied);
    const note = { body: "mine", headers: {}, metadata: {} };
    Object.assign(state.buckets[bucket]?.objects ?? {}, { note });
    aws.reset(state);
    const { status, stderr } = operator.destroy("--yes");
    expect(status).toBe(1);
    expect(stderr).toContain(
      "error: aws s3api delete-bucket: An error occurred (BucketNotEmpty) when calling the DeleteBucket operation: The bucket you tried to delete is not empty",
    );
    expect(aws.state().buckets[bucket]?.objects).toEqual({ note });
  });

  it("reports what still uses the resources: when a role was last used, and which other roles trust the provider", () => {
    const state = structuredClone(applied);
    const [first] = roles;
    const used = { LastUsedDate: "2026-11-20T10:00:00+00:00", Region: "us-east-2" };
    const role = state.roles[first] as State["roles"][string];
    Object.assign(role, { lastUsed: used });
    state.roles["demo-more"] = structuredClone(role);
    state.roles["by-hand"] = { ...structuredClone(role), tags: [] };
    aws.reset(state);
    const uses = (name: string) =>
      `note          role ${name} was last used at 2026-11-20T10:00:00+00:00 in us-east-2: anything that still uses it loses its credentials`;
    for (const flag of ["--dry-run", "--yes"]) {
      const { lines } = said(operator.destroy(flag));
      expect(lines.filter((line) => line.startsWith("note"))).toEqual([
        uses(first),
        uses("demo-more"),
        `note          role by-hand trusts the provider ${publicHost} and is not deleted: anything that uses it loses its credentials`,
      ]);
      expect(lines.at(-1)).toMatch(/^5 resources /);
    }
  });

  it("does not ask without a terminal, and does nothing", () => {
    aws.reset(applied);
    expect(operator.destroy()).toMatchObject({
      status: 1,
      stdout: "",
      stderr:
        "error: cannot ask for confirmation without a terminal; check the output of destroy.sh --dry-run, then use --yes\n",
    });
    expect(operations()).toEqual([]);
  });

  describeWith(["script"], "on a terminal", () => {
    const answered = (typed: string) => {
      aws.reset(applied);
      const env = { CCF_WAIT: "0", TERM: "dumb" };
      const command = `${operator.out}/aws/destroy.sh`;
      return aws.run("script", ["-q", "-e", "-c", command, "/dev/null"], { env, input: `${typed}\n` });
    };

    it("asks for the prefix, and deletes if it was typed", () => {
      const { status, stdout } = answered("demo");
      expect(stdout).toContain("Delete all of this? Type the prefix (demo) to continue: ");
      expect(stdout.indexOf(`would remove  bucket ${bucket}`)).toBeLessThan(stdout.indexOf("Delete all of this?"));
      expect({ status, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
        status: 0,
        last: "4 resources deleted.",
      });
      aws.change({ callerReferences: {} });
      expect(aws.state().roles).toEqual(expect.not.objectContaining({ [roles[0]]: expect.anything() }));
    });

    it.each(["yes", "", "demo2"])("deletes nothing if %j was typed", (typed) => {
      const { status, stdout } = answered(typed);
      expect(status).toBe(1);
      expect(stdout).toContain("error: nothing was deleted");
      expect(operations()).toEqual([]);
    });
  });
});

describe("destroy.sh for a distribution", () => {
  it("disables it, waits, deletes it, and then deletes its origin", () => {
    aws.reset();
    const operator = new Operator(aws, exported(cloudFrontOwnDomain));
    expect(operator.apply()).toMatchObject({ status: 0 });
    const [id] = Object.keys(aws.state().distributions);
    aws.settings({ deployment: 4 });
    aws.forgetCalls();
    const { status, stderr, lines } = said(operator.destroy("--yes"));
    expect(status).toBe(0);
    expect(lines.slice(2)).toEqual([
      `removed       provider ${ownDomain}`,
      `removed       distribution ${id}`,
      `removed       origin access control ${bucket}`,
      `removed       bucket ${bucket}`,
      "6 resources deleted.",
    ]);
    const waits = stderr.split("\n").slice(0, -1);
    expect(waits.length).toBeGreaterThan(2);
    const progress = new RegExp(`^waiting until distribution ${id} is disabled everywhere \\(\\d minutes\\)$`);
    for (const line of waits) expect(line).toMatch(progress);
    const made = aws
      .calls()
      .filter(({ changes }) => changes)
      .slice(5);
    expect(made.map(({ operation }) => operation)).toEqual([
      "UpdateDistribution",
      "DeleteDistribution",
      "DeleteOriginAccessControl",
      "DeleteObject",
      "DeleteObject",
      "DeleteBucket",
    ]);
    expect(made[0]?.parameters.DistributionConfig.Enabled).toBe(false);
    // Each change has its own ETag.
    expect(made[0]?.parameters.IfMatch).not.toBe(made[1]?.parameters.IfMatch);
  });
});

describe("destroy.sh --previous", () => {
  it("deletes only a previous public issuer", () => {
    aws.reset(foreign);
    expect(new Operator(aws, exported(withAws({ issuerHosting: { bucket: "demo-first" } }))).apply().status).toBe(0);
    const operator = new Operator(aws, exported(previous("https://demo-first.s3.us-east-2.amazonaws.com")));
    expect(operator.apply().status).toBe(0);
    const both = aws.state();
    expect(said(operator.destroy("--previous", "--yes"))).toMatchObject({
      status: 0,
      lines: [
        "removed       provider demo-first.s3.us-east-2.amazonaws.com",
        "removed       bucket demo-first",
        "2 resources deleted.",
      ],
    });
    const { "demo-first": _, ...buckets } = both.buckets;
    const { [providerArn("demo-first.s3.us-east-2.amazonaws.com")]: __, ...providers } = both.providers;
    expect(aws.state()).toEqual({ ...both, buckets, providers });
    expect(operator.status()).toMatchObject({ status: 0 });
  });

  it.each<[string, Change, (domain: string) => Change]>([
    ["a distribution's bucket that is public now", cloudFrontOwnDomain, () => previous(`https://${ownDomain}`)],
    [
      "a distribution that has a custom domain now",
      firstPhase,
      (domain) => all(cloudFrontOwnDomain, previous(`https://${domain}`)),
    ],
  ])("keeps what the current issuer uses, too: %s", (_, before, after) => {
    aws.reset(foreign);
    const first = new Operator(aws, exported(before));
    const domain = domainIn(first.apply());
    if (before === firstPhase) expect(new Operator(aws, exported(cloudFront(domain))).apply().status).toBe(0);
    const operator = new Operator(aws, exported(after(domain)));
    expect(operator.apply()).toMatchObject({ status: 0 });
    const now = aws.state();
    // A distribution that was just changed may not have its new domain everywhere.
    if (before === firstPhase) {
      const [id] = Object.keys(now.distributions).filter((text) => !(text in foreign.distributions));
      expect(said(operator.destroy("--previous", "--yes"))).toMatchObject({
        status: 1,
        stderr: `error: --previous: distribution ${id} is not deployed everywhere yet; run the same command again in a few minutes. Nothing was deleted\n`,
      });
      expect(aws.state()).toEqual(now);
      // It has the domain everywhere after enough reads.
      expect(operator.status()).toMatchObject({ status: 0 });
    }
    const dry = said(operator.destroy("--previous", "--dry-run"));
    const { status, lines } = said(operator.destroy("--previous", "--yes"));
    expect(status).toBe(0);
    expect(dry.lines.at(-1)?.replace(" would be", "")).toBe(lines.at(-1));
    expect(lines.filter((line) => /: the package's own issuer uses it$/.test(line))).toHaveLength(1);
    expect(aws.state().buckets[bucket]).toEqual(now.buckets[bucket]);
    expect(operator.status()).toMatchObject({ status: 0 });
    expect(said(operator.destroy("--yes")).status).toBe(0);
    const { callerReferences, ...rest } = aws.state();
    aws.reset(foreign);
    const { callerReferences: ___, ...empty } = aws.state();
    expect(rest).toEqual(empty);
  });

  describe("refuses while the cluster may still depend on the previous issuer", () => {
    const old = "demo-first.s3.us-east-2.amazonaws.com";
    let operator: Operator;
    let before: State;
    let moved: State;
    beforeAll(() => {
      aws.reset(foreign);
      expect(new Operator(aws, exported(withAws({ issuerHosting: { bucket: "demo-first" } }))).apply().status).toBe(0);
      before = aws.state();
      operator = new Operator(aws, exported(previous(`https://${old}`)));
      expect(operator.apply().status).toBe(0);
      moved = aws.state();
    });

    const refused = (state: Seed, one = operator, flags = ["--yes", "--dry-run"]) => {
      for (const flag of flags) {
        aws.reset(state);
        const at = aws.state();
        const { status, stderr, lines } = said(one.destroy("--previous", flag));
        expect(status, stderr).toBe(1);
        expect(aws.state()).toEqual(at);
        expect(operations()).toEqual([]);
        if (flag === flags.at(-1)) return { stderr, lines };
      }
      throw new Error("it ran");
    };
    const first = roles[0];
    const arn = providerArn(publicHost);

    it("because the package was never applied", () => {
      const { stderr, lines } = refused(before);
      expect(stderr).toBe(
        "error: --previous: the package's own issuer does not match the package (see above), so the cluster may still depend on the previous one. Run apply.sh first. Nothing was deleted\n",
      );
      expect(lines).toContain(`missing       provider ${publicHost}`);
      expect(lines).toContain(`missing       bucket ${bucket}`);
      expect(lines).toContain(`differs       role ${first}: trust policy`);
    });

    it("because its own issuer is not known yet", () => {
      const own = { type: "S3CloudFront", bucket: "demo-private" };
      const phase = all(withAws({ issuerHosting: own }), previous(`https://${old}`));
      const operator = new Operator(aws, exported(phase));
      const unknown =
        "error: --previous: the package's own issuer is not known yet, so the cluster still depends on the previous one. Run apply.sh, add the domain that it prints to the configuration, then render, export and apply. Nothing was deleted\n";
      expect(refused(before, operator)).toEqual({ stderr: unknown, lines: [] });
      aws.reset(before);
      expect(operator.apply().status).toBe(0);
      expect(refused(aws.state(), operator).stderr).toBe(unknown);
    });

    it.each<[string, (state: State) => void, string]>([
      [
        "the provider is missing",
        ({ providers }) => void delete providers[arn],
        `missing       provider ${publicHost}`,
      ],
      [
        "the provider has no owner tag",
        ({ providers }) => void Object.assign(providers[arn] ?? {}, { tags: [] }),
        `refused       provider ${publicHost}: it already exists without the owner tag, so it is not touched. To adopt it, run: apply.sh --adopt ${publicHost}`,
      ],
      [
        "the provider has other client IDs",
        ({ providers }) => void Object.assign(providers[arn] ?? {}, { clientIds: ["x"] }),
        `differs       provider ${publicHost}: client IDs`,
      ],
      [
        "the keys are missing",
        ({ buckets }) => void delete buckets[bucket]?.objects["keys.json"],
        "missing       document keys.json",
      ],
      [
        "the keys differ",
        ({ buckets }) => void Object.assign(buckets[bucket]?.objects["keys.json"] ?? {}, { body: "{}" }),
        "differs       document keys.json",
      ],
      [
        "the discovery document is missing",
        ({ buckets }) => void delete buckets[bucket]?.objects[".well-known/openid-configuration"],
        "missing       document .well-known/openid-configuration",
      ],
      [
        "the documents are not public",
        ({ buckets }) => void delete buckets[bucket]?.policy,
        `differs       bucket ${bucket}: policy`,
      ],
      ["a role is missing", ({ roles: all }) => void delete all[first], `missing       role ${first}`],
      [
        "a role trusts only the previous issuer",
        ({ roles: all }) => void Object.assign(all[first] ?? {}, { trustPolicy: before.roles[first]?.trustPolicy }),
        `differs       role ${first}: trust policy`,
      ],
    ])("because %s", (_, change, line) => {
      const state = structuredClone(moved);
      change(state);
      const { stderr, lines } = refused(state, operator, ["--yes"]);
      expect(stderr).toContain("error: --previous: ");
      expect(lines).toContain(line);
      expect(lines.filter((line) => line.startsWith("in sync"))).toEqual([]);
    });

    it("because its documents are hosted elsewhere, unless the user confirms that they were checked", () => {
      const elsewhere = all(withAws({ issuerHosting: { type: "External" } }), (spec) => {
        spec["issuer"] = {
          ...(spec["issuer"] as Fields),
          url: "https://issuer.example.org",
          previous: [`https://${old}`],
        };
      });
      aws.reset(before);
      const operator = new Operator(aws, exported(elsewhere));
      expect(refused(before, operator).lines).toContain("missing       provider issuer.example.org");
      aws.reset(before);
      // Checked documents are not enough if the provider is missing.
      expect(operator.destroy("--previous", "--documents-checked", "--yes").status).toBe(1);
      expect(operations()).toEqual([]);
      expect(operator.apply().status).toBe(0);
      const applied = aws.state();
      expect(refused(applied, operator)).toEqual({
        stderr:
          "error: --previous: the documents of issuer.example.org are hosted elsewhere, and this script does not check them, so the cluster may still depend on the previous issuer. Check them with ccf check-issuer --package DIR, where DIR is this export. If it exits with 0, add --documents-checked. Nothing was deleted\n",
        lines: [],
      });
      expect(operator.destroy("--previous").stderr).toContain("add --documents-checked");
      const note =
        "note          documents of issuer.example.org: they are hosted elsewhere; --documents-checked confirms that they were checked";
      const things = [`provider ${old}`, "bucket demo-first"];
      aws.reset(applied);
      expect(said(operator.destroy("--previous", "--documents-checked", "--dry-run"))).toEqual({
        status: 2,
        stderr: "",
        lines: [note, ...things.map((thing) => `would remove  ${thing}`), "2 resources would be deleted."],
      });
      expect(operations()).toEqual([]);
      expect(said(operator.destroy("--previous", "--documents-checked", "--yes"))).toEqual({
        status: 0,
        stderr: "",
        lines: [note, ...things.map((thing) => `removed       ${thing}`), "2 resources deleted."],
      });
      expect(aws.state().providers).toEqual(expect.not.objectContaining({ [providerArn(old)]: expect.anything() }));
      expect(operator.status().status).toBe(0);
    });

    it("regardless of --documents-checked, if it can check the documents itself", () => {
      aws.reset(moved);
      const { status, lines } = said(operator.destroy("--previous", "--documents-checked", "--dry-run"));
      expect(status).toBe(2);
      expect(lines[0]).toBe(
        `note          documents of ${publicHost}: this script checked them; --documents-checked is not needed`,
      );
      const state = structuredClone(moved);
      delete state.buckets[bucket]?.objects["keys.json"];
      aws.reset(state);
      expect(operator.destroy("--previous", "--documents-checked", "--yes").status).toBe(1);
      expect(operations()).toEqual([]);
    });

    it("and accepts --documents-checked only with --previous", () => {
      aws.reset(moved);
      for (const flag of ["--yes", "--dry-run"])
        expect(operator.destroy("--documents-checked", flag)).toMatchObject({
          status: 1,
          stdout: "",
          stderr: "error: --documents-checked requires --previous; see destroy.sh --help\n",
        });
      expect(aws.calls()).toEqual([]);
    });

    it("and names a role that trusts only the previous issuer", () => {
      const state = structuredClone(moved);
      state.roles["by-hand"] = { ...(before.roles[first] as State["roles"][string]), tags: [] };
      aws.reset(state);
      expect(said(operator.destroy("--previous", "--yes"))).toMatchObject({
        status: 0,
        lines: expect.arrayContaining([
          `note          role by-hand trusts the provider ${old} and is not deleted: anything that uses it loses its credentials`,
        ]),
      });
    });
  });

  it("deletes the shared bucket of two previous issuers after both providers are gone, and counts it once", () => {
    aws.reset(foreign);
    const alias = "old.example.com";
    const certificateARN = "arn:aws:acm:us-east-1:123456789012:certificate/x";
    const issuerHosting = { type: "S3CloudFront", bucket: "demo-first", domain: alias, certificateARN };
    expect(new Operator(aws, exported(withAws({ issuerHosting }))).apply().status).toBe(0);
    const url = "demo-first.s3.us-east-2.amazonaws.com";
    const providers = { ...aws.state().providers };
    providers[providerArn(url)] = { ...(providers[providerArn(alias)] as State["providers"][string]), url };
    aws.change({ providers });
    const operator = new Operator(aws, exported(previous(`https://${url}`, `https://${alias}`)));
    expect(operator.apply().status).toBe(0);
    const dry = said(operator.destroy("--previous", "--dry-run")).lines.at(-1);
    aws.forgetCalls();
    const { status, lines } = said(operator.destroy("--previous", "--yes"));
    expect(status).toBe(0);
    expect(dry?.replace(" would be", "")).toBe(lines.at(-1));
    expect(operations().slice(0, 2)).toEqual(["DeleteOpenIDConnectProvider", "DeleteOpenIDConnectProvider"]);
    expect(Object.keys(aws.state().buckets)).toEqual(expect.not.arrayContaining(["demo-first"]));
  });

  it("has nothing to do without previous issuers", () => {
    aws.reset({ buckets: { [bucket]: { tags: [{ Key: ownerTag, Value: "owned" }] } } });
    expect(said(new Operator(aws, exported()).destroy("--previous", "--yes"))).toMatchObject({
      status: 0,
      lines: ["Nothing to delete."],
    });
  });
});
