import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import { run } from "../helpers/ccf.ts";
import { configure, newPackage, succeed } from "../helpers/cluster-package.ts";
import {
  bucket,
  cloudFront,
  cloudFrontOwnDomain,
  domainIn,
  exported,
  exportTo,
  firstPhase,
  inFront,
  Operator,
  ownDomain,
  ownerTag,
  said,
} from "../helpers/exported-package.ts";
import { temporary } from "../helpers/temporary.ts";

let aws: StubAws;
let begun: State;
let domain: string;
let first: Operator;
let second: Operator;
beforeAll(async () => {
  aws = await StubAws.start();
  first = new Operator(aws, exported(firstPhase));
  domain = domainIn(first.apply());
  begun = aws.state();
  second = new Operator(aws, exported(cloudFront(domain)));
});
afterAll(() => aws?.stop());

const changing = () => aws.calls().filter(({ changes }) => changes);
const only = (state: State) => Object.keys(state.distributions)[0] ?? "";

describe("a package with an issuer domain that AWS assigns", () => {
  it("is applied twice: once for the domain, once with it", () => {
    aws.reset();
    const directory = newPackage();
    configure(directory, firstPhase);
    const out = join(temporary(), "out");
    exportTo(directory, out);
    const operator = new Operator(aws, out);
    const made = said(operator.apply());
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect(made.lines.slice(-4)).toEqual([
      "next          add this to spec.platform.aws.issuerHosting of the ClusterIdentity, then render, export and apply again:",
      `              distributionDomain: ${domain}`,
      `next          to let ccf add it, run: ccf set spec.platform.aws.issuerHosting.distributionDomain=${domain} PACKAGE`,
      "3 changes made. Another run would make none.",
    ]);
    // Until then, nothing trusts the distribution, and it serves nothing.
    expect(aws.state()).toMatchObject({ roles: {}, providers: {} });
    expect(aws.state().buckets[bucket]?.objects).toEqual({});
    expect(domainIn(operator.apply())).toBe(domain);

    succeed(run(["set", `spec.platform.aws.issuerHosting.distributionDomain=${domain}`, directory]));
    exportTo(directory, out);
    expect(operator.status().status).toBe(2);
    const done = said(operator.apply());
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.lines.filter((line) => line.startsWith("next"))).toEqual([]);
    expect(operator.status().status).toBe(0);
    const state = aws.state();
    expect(state.distributions).toEqual(begun.distributions);
    const document = state.buckets[bucket]?.objects[".well-known/openid-configuration"]?.body ?? "{}";
    expect(JSON.parse(document).issuer).toBe(`https://${domain}`);
    expect(Object.values(state.providers).map(({ url }) => url)).toEqual([domain]);
  });

  it("prints the DNS record for a custom domain", () => {
    aws.reset();
    const { status, lines } = said(new Operator(aws, exported(cloudFrontOwnDomain)).apply());
    expect(status).toBe(0);
    expect(lines.at(-2)).toBe(`next          DNS: create a CNAME record for ${ownDomain} that points to ${domain}`);
  });

  it("is for one distribution: a distribution with another domain is refused", () => {
    aws.reset(begun);
    const other = new Operator(aws, exported(cloudFront("d111111abcdef8.cloudfront.net")));
    expect(other.apply()).toMatchObject({
      status: 1,
      stderr: `error: the package expects the distribution domain d111111abcdef8.cloudfront.net, but the distribution has ${domain}; correct spec.platform.aws.issuerHosting.distributionDomain and render again\n`,
    });
    expect(aws.state()).toMatchObject({ roles: {}, providers: {} });
  });
});

describe("a distribution that was deleted by hand", () => {
  const gone = () => {
    const { distributions: _, ...rest } = structuredClone(begun);
    aws.reset({ ...rest, distributions: {} });
  };

  it("is not replaced, because the issuer would change", () => {
    gone();
    const { status, stderr, lines } = said(second.apply());
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(lines).toContain(
      `refused       distribution: the distribution with the domain ${domain} does not exist, and a new one would get another domain. Remove distributionDomain from the configuration, then render, export and apply`,
    );
    expect(aws.state()).toMatchObject({ distributions: {}, roles: {}, providers: {} });
    expect(second.status().status).toBe(2);
  });

  it("is created again if the package has no domain, although AWS remembers the reference", () => {
    gone();
    const done = first.apply();
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(domainIn(done)).toMatch(/^d[a-z0-9]+\.cloudfront\.net$/);
    expect(domainIn(done)).not.toBe(domain);
    expect(Object.keys(aws.state().callerReferences)).toEqual([bucket, `${bucket}-${only(begun)}`]);
    expect(said(first.apply()).lines).toContain("No changes: the cloud matches the package.");
  });
});

describe("the response to the creation of a distribution", () => {
  const distributions = () => Object.keys(aws.state().distributions);

  it("is enough for a run to continue, no matter when AWS lists the distribution", () => {
    aws.reset();
    aws.settings({ listLag: 9 });
    const done = first.apply();
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(domainIn(done)).toBe(domain);
    expect(aws.state()).toEqual(begun);
    for (const again of [first.apply(), first.apply()]) {
      expect(again).toMatchObject({ status: 0, stderr: "" });
      expect(domainIn(again)).toBe(domain);
    }
    expect(aws.state()).toEqual(begun);
  });

  it("can be lost any number of times, and there is still one distribution", () => {
    aws.reset();
    aws.settings({ listLag: 9 });
    first.apply("--dry-run");
    const at = () => aws.calls().findIndex(({ operation }) => operation === "CreateDistributionWithTags");
    expect(first.apply().status).toBe(0);
    const call = at() - aws.calls().findLastIndex(({ operation }) => operation === "GetCallerIdentity") + 1;
    aws.reset();
    aws.settings({ listLag: 9 });
    aws.failAt(call, "lost");
    expect(first.apply()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("create-distribution-with-tags"),
    });
    expect(distributions()).toHaveLength(1);
    expect(domainIn(first.apply())).toBe(domain);
    expect(aws.state()).toEqual(begun);
  });

  it("can be lost, too, if the earlier distribution was deleted by hand", () => {
    const { distributions: _, ...rest } = structuredClone(begun);
    aws.reset({ ...rest, distributions: {} });
    aws.settings({ listLag: 9 });
    const lose = `case "$*" in
      *create-distribution-with-tags*${bucket}-E*)
        if mkdir "$TMPDIR/../lost" 2>/dev/null; then "$stub" "$@" >/dev/null; echo 'Connection was closed' >&2; exit 255; fi ;;
    esac
    exec "$stub" "$@"`;
    const operator = new Operator(aws, first.out, inFront(aws, lose.replace("$TMPDIR/../lost", `${temporary()}/lost`)));
    expect(operator.apply()).toMatchObject({ status: 1, stderr: expect.stringContaining("Connection was closed") });
    const made = distributions();
    expect(made).toHaveLength(1);
    expect(operator.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(operator.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(distributions()).toEqual(made);
  });

  it("is requested again with the same reference if AWS does not name the distribution", () => {
    aws.reset(begun);
    const hide = `case "$*" in
      *list-distributions*) echo null ;;
      *) "$stub" "$@" 2>"$TMPDIR/said" || { code=$?; sed 's/ Already exists: .*//' "$TMPDIR/said" >&2; rm "$TMPDIR/said"; exit $code; }; rm "$TMPDIR/said" ;;
    esac`;
    for (let run = 0; run < 3; run++) {
      const { status, stderr } = new Operator(aws, first.out, inFront(aws, hide)).apply();
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: `error: CloudFront reports that a distribution for the bucket ${bucket} already exists, but does not list or name it; run the same command again in a few minutes\n`,
      });
    }
    expect(aws.state()).toEqual(begun);
  });
});

describe("two distributions with the owner tag", () => {
  const two = () => {
    const state = structuredClone(begun);
    const [one] = Object.values(state.distributions) as [State["distributions"][string]];
    const other = { ...one, config: { ...one.config, CallerReference: "second" } };
    state.distributions = { EFIRST: { ...other }, ...state.distributions };
    aws.reset(state);
    return Object.keys(state.distributions);
  };

  it("are distinguished by the domain in the package, or by the user", () => {
    const ids = two();
    const { status, stderr } = first.apply();
    expect(status).toBe(1);
    expect(stderr).toBe(
      `error: more than one distribution has the owner tag (${ids.join(" ")}), and the package does not say which one the issuer uses. Set distributionDomain to its domain, or delete the others\n`,
    );
    expect(changing()).toEqual([]);
    expect(second.apply()).toMatchObject({ status: 0 });
  });

  it("are both deleted", () => {
    const ids = two();
    const { status, lines } = said(first.destroy("--yes"));
    expect(status).toBe(0);
    expect(lines).toEqual(expect.arrayContaining(ids.map((id) => `removed       distribution ${id}`)));
    expect(aws.state()).toMatchObject({ distributions: {}, originAccessControls: {}, buckets: {} });
  });
});

describe("the package's own distribution without its owner tag", () => {
  it("is not touched, and no other is created", () => {
    const state = structuredClone(begun);
    const id = only(state);
    Object.assign(state.distributions[id] ?? {}, { tags: [{ Key: "team", Value: "x" }] });
    aws.reset(state);
    const before = aws.state();
    expect(first.apply()).toMatchObject({
      status: 1,
      stderr: `error: distribution ${id} was created for the bucket ${bucket} but no longer has the owner tag, so it is not touched, and no other is created. Tag it with ${ownerTag}=owned, or delete it\n`,
    });
    expect(aws.state()).toEqual(before);
  });
});

describe("a foreign distribution with the same origin", () => {
  it("is not touched, and the package's own is created", () => {
    const state = structuredClone(begun);
    const id = "EOTHERS";
    const [ours] = Object.values(state.distributions) as [State["distributions"][string]];
    const theirs = { ...ours, config: { ...ours.config, CallerReference: "theirs" } };
    state.distributions = { [id]: { ...theirs, tags: [{ Key: "team", Value: "x" }] } };
    state.callerReferences = {};
    aws.reset(state);
    const before = aws.state().distributions[id];
    const { status, lines } = said(first.apply());
    expect(status).toBe(0);
    expect(lines).toContain(
      `note          distribution ${id}: it has the same origin but not the owner tag, so it is not touched`,
    );
    expect(aws.state().distributions[id]).toEqual(before);
    expect(Object.keys(aws.state().distributions)).toHaveLength(2);
  });
});

describe("responses of AWS are checked before they become part of a call", () => {
  const strange = "E1$(touch gone)";

  it("an ID of a distribution", () => {
    const state = structuredClone(begun);
    state.distributions = { [strange]: state.distributions[only(state)] as State["distributions"][string] };
    aws.reset(state);
    for (const { status, stderr } of [first.apply(), first.status(), first.destroy("--yes")]) {
      expect(status).toBe(1);
      expect(stderr).toContain(`error: AWS returned an invalid ID: ${strange}\n`);
    }
    expect(changing()).toEqual([]);
  });

  it("an ID of an access control", () => {
    const state = structuredClone(begun);
    const [control] = Object.values(state.originAccessControls);
    state.originAccessControls = { [`E1", "x`]: control as State["originAccessControls"][string] };
    aws.reset({ ...state, distributions: {} });
    const { status, stderr } = first.apply();
    expect(status).toBe(1);
    expect(stderr).toBe('error: AWS returned an invalid ID: E1\\", \\"x\n');
    expect(changing()).toEqual([]);
  });

  it.each([
    [
      "the ID of a new access control",
      /"Id": "E[A-Z2-7]*"/,
      `"Id": "${strange}"`,
      "create-origin-access-control",
      "ID",
    ],
    [
      "the domain of a new distribution",
      /d[a-z0-9]*\.cloudfront\.net/,
      "x.net; touch gone",
      "create-distribution-with-tags",
      "domain",
    ],
    ["the ID of a new distribution", /"Id": "E[A-Z2-7]*"/, `"Id": "${strange}"`, "create-distribution-with-tags", "ID"],
  ])("%s", (_, from, to, call, what) => {
    aws.reset();
    const lie = `s/${from.source.replaceAll("\\.", "[.]")}/${to}/`;
    const script = `case "$*" in *${call}*) "$stub" "$@" | sed '${lie}' ;; *) exec "$stub" "$@" ;; esac`;
    const { status, stderr } = new Operator(aws, first.out, inFront(aws, script)).apply();
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^error: AWS returned an invalid ${what}: `));
    expect(changing().at(-1)?.operation).toMatch(/^Create/);
    expect(existsSync(join(first.out, "aws", "issuer", "gone"))).toBe(false);
    expect(existsSync("gone")).toBe(false);
  });
});
