import { beforeAll, describe, expect, it, vi } from "vitest";
import { unexpected } from "../../src/apply/approval.ts";
import { runPlan } from "../../src/apply/run.ts";
import { planJson } from "../../src/apply/show.ts";
import { serviceException } from "../helpers/amazon/api.mjs";
import { settled } from "../helpers/amazon/state.mjs";
import type { State } from "../helpers/amazon/types.ts";
import {
  cloudFront,
  cloudFrontOwnDomain,
  firstPhase,
  ownDomain,
  providerArn,
  roles,
} from "../helpers/exported-package.ts";
import { distribution, foreign } from "../helpers/foreign.ts";
import { type Applied, applied, prune } from "./aws-applied.ts";
import { AwsCloud } from "./aws-cloud.ts";
import {
  apply,
  assignedDomain,
  destroy,
  differences,
  exportedFiles,
  open,
  plan,
  problems,
  usual,
} from "./aws-engine.ts";
import { quiet } from "./carried-out.ts";

vi.setConfig({ testTimeout: 600_000 });

const cloud = new AwsCloud();
let of: Applied["of"];
let start: Applied["start"];
beforeAll(async () => {
  ({ of, start } = await applied(cloud));
});

describe("a distribution", () => {
  it("is applied twice if AWS assigns its domain: once for the domain, once with it", async () => {
    cloud.reset(foreign, { deployment: 2 });
    expect(problems(await apply(cloud, exportedFiles(firstPhase)))).toBe("");
    expect([cloud.state.providers, cloud.state.roles]).toEqual([
      expect.objectContaining(cloud.state.providers),
      expect.not.objectContaining({ [roles[0]]: expect.anything() }),
    ]);
    const [id = ""] = Object.keys(cloud.state.distributions).filter((one) => !(one in foreign.distributions));
    const domain = assignedDomainOf(id);
    const second = exportedFiles(cloudFront(domain));
    expect(problems(await apply(cloud, second))).toBe("");
    expect(await differences(cloud, second)).toEqual([]);
    expect(Object.keys(cloud.state.providers)).toContain(providerArn(domain));
  });

  it("with another domain than the package's is refused", async () => {
    const state = start("S3CloudFront");
    const wrong = exportedFiles(cloudFront("d111111abcdef8.cloudfront.net"));
    expect(await differences(cloud, wrong)).toContainEqual(expect.stringMatching(/distribution demo-oidc/));
    await apply(cloud, wrong);
    expect(Object.keys(state.distributions)).toHaveLength(1);
    expect(Object.keys(state.providers)).not.toContain(providerArn("d111111abcdef8.cloudfront.net"));
  });

  it("that was deleted by hand is not replaced if the issuer would change", async () => {
    cloud.reset({}, { deployment: 0 });
    await apply(cloud, exportedFiles(firstPhase));
    const second = exportedFiles(cloudFront(assignedDomain(cloud)));
    await apply(cloud, second);
    cloud.state.distributions = {};
    await apply(cloud, second);
    expect(cloud.state.distributions).toEqual({});
  });

  it("that was deleted by hand is replaced in one run if the issuer stays, and so is its access control", async () => {
    for (const part of ["distributions", "originAccessControls"] as const) {
      const state = start("S3CloudFront");
      if (part === "distributions") state[part] = {};
      else for (const id of Object.keys(state[part])) delete state[part][id];
      expect(problems(await apply(cloud, of("S3CloudFront")))).toBe("");
      expect(await differences(cloud, of("S3CloudFront"))).toEqual([]);
    }
  });

  it("of another owner that serves the domain is not touched, and nothing is created behind it", async () => {
    const theirs = distribution("demo-oidc");
    const Aliases = { Quantity: 1, Items: [ownDomain] };
    const ViewerCertificate = { ACMCertificateArn: "x" };
    cloud.reset({ distributions: { EHAND: { ...theirs, config: { ...theirs.config, Aliases, ViewerCertificate } } } });
    const before = settled(cloud.state).distributions;
    const outcome = await apply(cloud, of("S3CloudFront"));
    expect(outcome.failed.length + outcome.skipped.length).toBeGreaterThan(0);
    expect(settled(cloud.state).distributions).toEqual(before);
    expect(cloud.state.roles).toEqual({});
  });

  it("with another origin is found by its caller reference, and gets its origin back", async () => {
    const state = start("S3CloudFront");
    const [id = ""] = Object.keys(state.distributions);
    const origins = () => state.distributions[id]?.config.Origins.Items;
    origins()[0].DomainName = "other.s3.us-east-2.amazonaws.com";
    expect(await differences(cloud, of("S3CloudFront"))).toEqual(["update distribution demo-oidc"]);
    expect(problems(await apply(cloud, of("S3CloudFront")))).toBe("");
    expect(origins()[0].DomainName).toBe("demo-oidc.s3.us-east-2.amazonaws.com");
    expect(Object.keys(state.distributions)).toEqual([id]);
  });

  it("without its owner tag is refused, until it is adopted", async () => {
    const state = start("S3CloudFront");
    for (const one of Object.values(state.distributions)) one.tags = [{ Key: "team", Value: "a" }];
    expect(await differences(cloud, of("S3CloudFront"))).toContainEqual(
      expect.stringContaining("refuse distribution demo-oidc it exists without the owner mark"),
    );
    expect(problems(await apply(cloud, of("S3CloudFront"), { ...usual, adopt: ["distribution/demo-oidc"] }))).toBe("");
    expect(await differences(cloud, of("S3CloudFront"))).toEqual([]);
    const [{ tags } = { tags: [] }] = Object.values(state.distributions);
    expect(tags).toContainEqual({ Key: "team", Value: "a" });
  });

  it("without its owner tag is not touched, and no other is created", async () => {
    const state = start("S3CloudFront");
    for (const one of Object.values(state.distributions)) one.tags = [{ Key: "team", Value: "a" }];
    const before = structuredClone(state.distributions);
    await apply(cloud, of("S3CloudFront"), prune);
    await destroy(cloud, of("S3CloudFront"));
    expect(cloud.state.distributions).toEqual(before);
  });

  it("is waited for until it is deployed, before it is deleted", async () => {
    start("S3CloudFront");
    cloud.world.settings.deployment = 4;
    expect(problems(await destroy(cloud, of("S3CloudFront")))).toBe("");
    expect(cloud.state.distributions).toEqual({});
  });

  it("that a list does not contain yet is not created twice", async () => {
    cloud.reset({}, { deployment: 0, listLag: 3 });
    cloud.fault = { at: 0, how: "reset-before" };
    for (let tries = 0; tries < 6; tries++) {
      cloud.fault = undefined;
      cloud.before = ({ call }) => {
        if (call === "cloudfront:CreateDistributionWithTags" && tries === 0)
          cloud.fault = { at: cloud.received.length - 1, how: "reset-after" };
      };
      await apply(cloud, of("S3CloudFront"));
    }
    expect(Object.keys(cloud.state.distributions)).toHaveLength(1);
    expect(await differences(cloud, of("S3CloudFront"))).toEqual([]);
  });
});

function assignedDomainOf(id: string): string {
  const copy = new AwsCloud();
  copy.reset({ distributions: { [id]: cloud.state.distributions[id] as object } });
  return assignedDomain(copy);
}

describe("two distributions with the owner tag", () => {
  const two = (state: State) => {
    const [one] = Object.values(state.distributions) as [State["distributions"][string]];
    const second = { ...structuredClone(one), config: { ...structuredClone(one.config), CallerReference: "second" } };
    state.distributions = { EFIRST: second, ...state.distributions };
  };

  it("are not changed if the package does not name one, and are distinguished by the domain", async () => {
    cloud.reset({}, { deployment: 0 });
    await apply(cloud, exportedFiles(firstPhase));
    const named = exportedFiles(cloudFront(assignedDomain(cloud)));
    two(cloud.state);
    cloud.received.length = 0;
    expect(await differences(cloud, exportedFiles(firstPhase))).toContainEqual(
      expect.stringMatching(/unknown .*More than one distribution has the owner tag/),
    );
    await apply(cloud, exportedFiles(firstPhase), prune);
    expect(cloud.changing()).toEqual([]);
    expect(problems(await apply(cloud, named))).toBe("");
  });
});

describe("answers of AWS are checked before they become part of a request", () => {
  it.each(["distributions", "originAccessControls"] as const)("an ID: %s", async (part) => {
    const state = start("S3CloudFront");
    const [one] = Object.values(state[part]);
    state[part] = { "E1$(touch gone)": one } as never;
    const now = await differences(cloud, of("S3CloudFront")).catch((error: Error) => [error.message]);
    expect(now.join("\n")).toMatch(/unknown|ID/);
    await apply(cloud, of("S3CloudFront"), prune).catch(() => undefined);
    await destroy(cloud, of("S3CloudFront")).catch(() => undefined);
    expect(Object.keys(cloud.state[part])).toEqual(["E1$(touch gone)"]);
    const about = cloud.received.filter(({ input }) => JSON.stringify(input).includes("touch gone"));
    expect(about).toEqual([]);
  });
});

it("a run ends with what remains to be done: the DNS record, or the domain to add to the package", async () => {
  cloud.reset({}, { deployment: 0 });
  for (const [change, expected] of [
    [firstPhase, /ccf set spec\.platform\.aws\.issuerHosting\.distributionDomain=d[a-z0-9]+\.cloudfront\.net pkg/],
    [
      cloudFrontOwnDomain,
      /^DNS: oidc\.example\.com must be a CNAME record that points to d[a-z0-9]+\.cloudfront\.net\.$/,
    ],
  ] as const) {
    const target = open(cloud, exportedFiles(change));
    await runPlan(target, await plan(target), quiet);
    expect(target.next?.("pkg").join("\n")).toMatch(expected);
  }
});

it.each(["cloudfront:CreateDistributionWithTags", "s3:PutBucketPolicy"])(
  "a run that ended before %s goes on with the plan that was approved",
  async (last) => {
    cloud.reset({}, { deployment: 0 });
    const approved = planJson(await plan(open(cloud, of("S3CloudFront"))));
    cloud.before = ({ call }) => {
      if (call === last) throw serviceException("ServiceUnavailable", "Please reduce your request rate.", 503);
    };
    expect(problems(await apply(cloud, of("S3CloudFront")))).not.toBe("");
    cloud.before = () => undefined;
    expect(unexpected(await plan(open(cloud, of("S3CloudFront"))), approved)).toBeUndefined();
    expect(problems(await apply(cloud, of("S3CloudFront")))).toBe("");
    expect(await differences(cloud, of("S3CloudFront"))).toEqual([]);
  },
);
