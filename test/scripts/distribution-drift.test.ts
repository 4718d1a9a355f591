import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import type { Fields } from "../helpers/cluster-package.ts";
import {
  bucket,
  certificate,
  cloudFront,
  cloudFrontOwnDomain,
  domainIn,
  exported,
  firstPhase,
  Operator,
  ownDomain,
  ownerTag,
  said,
} from "../helpers/exported-package.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws?.stop());

// biome-ignore lint/suspicious/noExplicitAny: the configuration of a distribution, which AWS's own tools check.
type Config = any;

/** An applied package, its distribution's ID, and the account. */
interface Applied {
  readonly operator: Operator;
  readonly state: State;
  readonly id: string;
}

function appliedWith(given: boolean): Applied {
  aws.reset();
  const domain = given ? "" : domainIn(new Operator(aws, exported(firstPhase)).apply());
  const operator = new Operator(aws, exported(given ? cloudFrontOwnDomain : cloudFront(domain)));
  expect(operator.apply()).toMatchObject({ status: 0 });
  const state = aws.state();
  return { operator, state, id: Object.keys(state.distributions)[0] ?? "" };
}

/** Edits the distribution by hand. The settings in `kept` are not in the package, so they stay. */
function edit({ state, id }: Applied, hand: (config: Config) => void): void {
  const edited = structuredClone(state);
  hand(edited.distributions[id]?.config);
  aws.reset(edited);
}

/** Checks that status.sh reports an edit, and that apply.sh reverts it and nothing else. */
function expectRepaired(applied: Applied, line: RegExp | string, detail: string, goal: State = applied.state): void {
  const looked = said(applied.operator.status());
  expect(looked).toMatchObject({ status: 2, stderr: "" });
  const differs = looked.lines.filter((line) => line.startsWith("differs"));
  expect(differs).toEqual([expect.stringMatching(line)]);
  expect(looked.lines).toContain(`              package  ${detail}`);
  const repaired = said(applied.operator.apply());
  expect(repaired).toMatchObject({ status: 0, stderr: "" });
  expect(repaired.lines).toContain("1 change made. Another run would make none.");
  expect(aws.state()).toEqual(goal);
}

const settings = /^differs {7}distribution [A-Z0-9]+: settings$/;
const origin = (config: Config) => config.Origins.Items[0];
const behavior = (config: Config) => config.DefaultCacheBehavior;
const handMade = { Quantity: 1, Items: ["cdn.example.com"] };
const handMadeCertificate = {
  ACMCertificateArn: `${certificate}-2`,
  SSLSupportMethod: "sni-only",
  MinimumProtocolVersion: "TLSv1.2_2021",
  CloudFrontDefaultCertificate: false,
  Certificate: `${certificate}-2`,
  CertificateSource: "acm",
};

describe("a distribution with AWS's domain", () => {
  let applied: Applied;
  beforeAll(() => {
    applied = appliedWith(false);
  });

  it.each<[string, (config: Config) => void, string]>([
    ["is disabled", (config) => Object.assign(config, { Enabled: false }), "Enabled=true"],
    [
      "answers without TLS",
      (config) => Object.assign(behavior(config), { ViewerProtocolPolicy: "allow-all" }),
      "DefaultCacheBehavior.ViewerProtocolPolicy=https-only",
    ],
    [
      "caches",
      (config) => Object.assign(behavior(config), { CachePolicyId: "658327ea-f89d-4fab-a63d-7e88639e58f6" }),
      "DefaultCacheBehavior.CachePolicyId=4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
    ],
    [
      "has legacy cache settings",
      (config) => {
        const { CachePolicyId: _, ...rest } = behavior(config);
        const ForwardedValues = { QueryString: false, Cookies: { Forward: "none" } };
        config.DefaultCacheBehavior = { ...rest, ForwardedValues, MinTTL: 60, DefaultTTL: 3600, MaxTTL: 86400 };
      },
      "DefaultCacheBehavior.CachePolicyId=4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
    ],
    [
      "accepts more methods",
      (config) => {
        const Items = ["HEAD", "DELETE", "POST", "GET", "OPTIONS", "PUT", "PATCH"];
        behavior(config).AllowedMethods = { ...behavior(config).AllowedMethods, Quantity: 7, Items };
      },
      "DefaultCacheBehavior.AllowedMethods.Quantity=2",
    ],
    ["has another comment", (config) => Object.assign(config, { Comment: "mine" }), `Comment=${ownerTag}`],
    ["has a root object", (config) => Object.assign(config, { DefaultRootObject: "index.html" }), "DefaultRootObject="],
    [
      "reads another folder",
      (config) => Object.assign(origin(config), { OriginPath: "/x" }),
      "Origins.Items.1.OriginPath=",
    ],
    [
      "has an alias and its certificate",
      (config) => Object.assign(config, { Aliases: handMade, ViewerCertificate: handMadeCertificate }),
      "Aliases.Quantity=0",
    ],
  ])("that %s", (_, hand, detail) => {
    edit(applied, hand);
    expectRepaired(applied, settings, detail);
  });

  it("that reads with another access control, or with none", () => {
    for (const other of ["EOTHERCONTROL", ""]) {
      const more = { EOTHERCONTROL: { config: { Name: "other" }, version: 1 } };
      const state = { ...structuredClone(applied.state) };
      state.originAccessControls = { ...state.originAccessControls, ...more };
      origin(state.distributions[applied.id]?.config).OriginAccessControlId = other;
      aws.reset(state);
      const [control] = Object.keys(applied.state.originAccessControls);
      const goal = structuredClone(applied.state);
      Object.assign(goal.originAccessControls, { EOTHERCONTROL: { config: { Name: "other" } } });
      expectRepaired(applied, settings, `Origins.Items.1.OriginAccessControlId=${control}`, goal);
    }
  });

  it("keeps settings that are not in the package", () => {
    const foreign = (config: Config) => {
      Object.assign(config, {
        WebACLId: "arn:aws:wafv2:us-east-1:123456789012:global/webacl/mine/1",
        Logging: { Enabled: true, IncludeCookies: false, Bucket: "logs.s3.amazonaws.com", Prefix: "demo/" },
        PriceClass: "PriceClass_100",
        HttpVersion: "http2and3",
      });
      behavior(config).ResponseHeadersPolicyId = "headers";
      origin(config).ConnectionAttempts = 1;
    };
    const goal = structuredClone(applied.state);
    foreign(goal.distributions[applied.id]?.config);
    edit(applied, foreign);
    expect(applied.operator.status()).toMatchObject({ status: 0 });
    edit(applied, (config) => {
      foreign(config);
      config.Enabled = false;
    });
    expectRepaired(applied, settings, "Enabled=true", goal);
  });

  it("gets its tags back, and keeps other tags", () => {
    const state = structuredClone(applied.state);
    const theirs = { Key: "team", Value: "platform" };
    const tags = [{ Key: ownerTag, Value: "owned" }, theirs];
    Object.assign(state.distributions[applied.id] ?? {}, { tags });
    aws.reset(state);
    const goal = structuredClone(applied.state);
    goal.distributions[applied.id]?.tags.push(theirs);
    expectRepaired(applied, /^differs {7}distribution [A-Z0-9]+: tags$/, "Name=demo", goal);
  });

  it("is the only reader of the bucket", () => {
    const state = structuredClone(applied.state);
    const itsBucket = state.buckets[bucket];
    const policy = itsBucket?.policy?.replace(applied.id, "EANOTHER");
    Object.assign(itsBucket ?? {}, { policy });
    aws.reset(state);
    expectRepaired(
      applied,
      `differs       bucket ${bucket}: policy`,
      `Action ["s3:getobject"]; Condition StringEquals aws:sourcearn ["arn:aws:cloudfront::123456789012:distribution/${applied.id}"]; Effect ["Allow"]; Principal Service ["cloudfront.amazonaws.com"]; Resource ["arn:aws:s3:::demo-oidc/.well-known/openid-configuration" "arn:aws:s3:::demo-oidc/keys.json"]`,
    );
  });

  it("has an access control that signs always", () => {
    const state = structuredClone(applied.state);
    for (const { config } of Object.values(state.originAccessControls)) (config as Fields)["SigningBehavior"] = "never";
    aws.reset(state);
    expectRepaired(applied, `differs       origin access control ${bucket}`, "SigningBehavior=always");
  });
});

describe("a distribution with a custom domain", () => {
  let applied: Applied;
  beforeAll(() => {
    applied = appliedWith(true);
  });

  it.each<[string, (config: Config) => void, string]>([
    ["answers to another", (config) => Object.assign(config, { Aliases: handMade }), `Aliases.Items=${ownDomain}`],
    [
      "has an additional domain",
      (config) => Object.assign(config, { Aliases: { Quantity: 2, Items: [ownDomain, ...handMade.Items] } }),
      "Aliases.Quantity=1",
    ],
    [
      "has another certificate",
      (config) => Object.assign(config, { ViewerCertificate: handMadeCertificate }),
      `ViewerCertificate.ACMCertificateArn=${certificate}`,
    ],
    [
      "accepts old TLS",
      (config) => Object.assign(config.ViewerCertificate, { MinimumProtocolVersion: "TLSv1" }),
      "ViewerCertificate.MinimumProtocolVersion=TLSv1.2_2021",
    ],
    [
      "has lost its domain and its certificate",
      (config) => {
        const ViewerCertificate = {
          CloudFrontDefaultCertificate: true,
          SSLSupportMethod: "vip",
          MinimumProtocolVersion: "TLSv1",
          CertificateSource: "cloudfront",
        };
        Object.assign(config, { Aliases: { Quantity: 0 }, ViewerCertificate });
      },
      "Aliases.Quantity=1",
    ],
  ])("that %s", (_, hand, detail) => {
    edit(applied, hand);
    expectRepaired(applied, settings, detail);
  });
});
