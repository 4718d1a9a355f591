import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CloudError, pace } from "../../src/apply/requests.ts";
import { Once } from "../../src/apply/state-reader.ts";
import { AwsClient } from "../../src/clouds/aws/apply/account.ts";
import { type Call, connect } from "../../src/clouds/aws/apply/client.ts";
import { forms } from "../../src/clouds/aws/apply/forms.ts";
import type { ValueMap } from "../../src/core/resource.ts";
import { serviceException } from "../helpers/amazon/api.mjs";
import type { Seed } from "../helpers/amazon/types.ts";
import { cloudFrontOwnDomain, s3Public } from "../helpers/exported-package.ts";
import { AwsCloud, type AwsRequest, type SdkOutput } from "./aws-cloud.ts";
import { apply, destroy, differences, exportedFiles, usual } from "./aws-engine.ts";
import { type Trial, tryAll } from "./strange-answers.ts";

vi.setConfig({ testTimeout: 900_000 });

describe.each([
  ["S3Public", s3Public],
  ["S3CloudFront", cloudFrontOwnDomain],
])("%s", (_, change) => {
  const cloud = new AwsCloud();
  let files: Map<string, string>;
  let healthy: Seed;
  const prune = { ...usual, prune: true };

  beforeAll(async () => {
    pace.second = 0;
    files = exportedFiles(change);
    cloud.reset({}, { deployment: 1 });
    expect((await apply(cloud, files)).failed).toEqual([]);
    healthy = structuredClone(cloud.state);
  });

  const run = () => apply(cloud, files, prune);

  const destroyAll = () => destroy(cloud, files);

  const start = (seed: () => Seed) => () => cloud.reset(structuredClone(seed()), { deployment: 1 });
  const wrong = () => {
    cloud.instead = () => undefined;
    return differences(cloud, files);
  };
  // An object does not name itself, and its own ETag makes the write conditional.
  const harmless = new Map([["s3:GetObject", ["of another resource"]]]);
  const base = () => ({ ...strange(cloud), harmless, run, wrong });

  it("a reading that says nothing is not known", async () => {
    const calls = await tryAll({ ...base(), start: start(() => healthy) }, "reads", "unknown");
    expect(calls.length).toBeGreaterThan(9);
  });

  it("a write whose answer says nothing counts only if a reading shows it", async () => {
    const calls = await tryAll({ ...base(), start: start(() => ({})) }, "writes", "no false success");
    expect(calls.length).toBeGreaterThan(5);
  });

  it("a removal counts only if a reading shows it", async () => {
    const left = async () => {
      const { roles, buckets, providers, distributions } = cloud.state;
      return [roles, buckets, providers, distributions].flatMap((all) => Object.keys(all));
    };
    const trial = { ...base(), run: destroyAll, wrong: left, start: start(() => healthy) };
    await tryAll(trial, "reads", "no false success");
    const writes = await tryAll(trial, "writes", "no false success");
    expect(writes.length).toBeGreaterThan(4);
  });
});

/** What the SDK returns for answers that say nothing; see the next test for what it makes of them. */
function strange(cloud: AwsCloud): Pick<Trial, "received" | "record" | "answers"> {
  const recorded: { request: AwsRequest; output: SdkOutput }[] = [];
  const nameIn = ({ input }: AwsRequest) => JSON.stringify(input);
  return {
    received: () => cloud.received,
    record() {
      recorded.length = 0;
      cloud.instead = (request, answer) => {
        const output = answer();
        recorded.push({ request, output });
        return output;
      };
    },
    answers(call) {
      const own = recorded.filter(({ request }) => request.call === call);
      const other = recorded.find(({ request, output }) => request.call !== call && Object.keys(output).length > 2);
      const another = own.find(({ request }) => own[0] !== undefined && nameIn(request) !== nameIn(own[0].request));
      const isWrite = own.some(({ request }) => request.changes);
      const notFound = () => {
        throw Object.assign(serviceException("NotFound", "UnknownError", 404), { $metadata: { httpStatusCode: 404 } });
      };
      const outputs: [string, (() => SdkOutput) | undefined][] = [
        ["empty", () => ({})],
        ["empty objects", () => emptied(own[0]?.output ?? {})],
        ["a page, not found", notFound],
        // A write without content is acknowledged by its request ID alone.
        ["acknowledged", isWrite ? undefined : () => ({ $metadata: { requestId: "request" } })],
        ["of another call", other && (() => other.output)],
        ["of another resource", another && (() => another.output)],
        ["endless", endless(own[0]?.output)],
      ];
      const all = outputs.flatMap(([name, output]): [string, boolean, () => SdkOutput][] =>
        output === undefined
          ? []
          : [
              [name, false, output],
              ...(isWrite ? [[`${name}, carried out`, true, output] as [string, boolean, () => SdkOutput]] : []),
            ],
      );
      const begin = (isCarriedOut: boolean, output: () => SdkOutput) => () => {
        cloud.instead = (request, answer) => {
          if (request.call !== call) return undefined;
          if (isCarriedOut) answer();
          return output();
        };
      };
      return new Map(all.map(([name, isCarriedOut, output]) => [name, begin(isCarriedOut, output)]));
    },
  };
}

/** The objects of an output without their fields: what the SDK makes of XML of another form. */
function emptied(output: SdkOutput): SdkOutput {
  const objects = Object.entries(output).filter(
    ([name, one]) => name !== "$metadata" && typeof one === "object" && !Array.isArray(one),
  );
  return Object.fromEntries(objects.map(([name]) => [name, {}]));
}

/** A page of a list that is followed by itself. */
function endless(output: SdkOutput | undefined): (() => SdkOutput) | undefined {
  const text = JSON.stringify(output ?? {});
  if (!text.includes('"IsTruncated":false')) return undefined;
  const more = '"IsTruncated":true,"Marker":"again","NextMarker":"again","NextKeyMarker":"again"';
  return () => JSON.parse(text.replace(/"Marker":"",/, "").replace('"IsTruncated":false', more)) as SdkOutput;
}

describe("the SDK", () => {
  let server: Server;
  let client: AwsClient;
  let answer: { status: number; type: string; body: string };
  const variables = { AWS_ACCESS_KEY_ID: "testing", AWS_SECRET_ACCESS_KEY: "testing", AWS_ENDPOINT_URL: "" };

  beforeAll(async () => {
    server = createServer((incoming, outgoing) => {
      incoming.resume();
      outgoing.writeHead(answer.status, answer.type === "" ? {} : { "content-type": answer.type });
      outgoing.end(incoming.method === "HEAD" ? undefined : answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    variables.AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(process.env, variables);
    const facts = { accountId: "123456789012", partition: "aws", region: "us-east-2" };
    client = new AwsClient(
      connect(facts, { environment: process.env, assumeRole: undefined, externalId: undefined }),
      new Once(),
    );
  });
  afterAll(async () => {
    for (const name of Object.keys(variables)) delete process.env[name];
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>";
  const other =
    "<GetUserResponse><GetUserResult><User><UserName>kim</UserName></User></GetUserResult></GetUserResponse>";
  const answers = [
    [200, "", ""],
    [200, "application/json", "{}"],
    [200, "application/json", "[]"],
    [200, "text/html", page],
    [200, "text/html", "<html><body>Sign in</body></html>"],
    [200, "text/xml", other],
    [200, "text/xml", other.slice(0, 40)],
    [404, "text/html", page],
    [404, "", ""],
    [403, "text/html", page],
  ] as const;

  const usualInput: ValueMap = {
    ...{
      RoleName: "demo",
      PolicyName: "p",
      PolicyDocument: "{}",
      AssumeRolePolicyDocument: "{}",
      PolicyArn: "arn:aws:iam::aws:policy/p",
    },
    ...{
      OpenIDConnectProviderArn: "arn:aws:iam::123456789012:oidc-provider/demo.example.com",
      Url: "https://demo.example.com",
    },
    ...{
      ClientID: "openshift",
      ThumbprintList: [],
      TagKeys: ["team"],
      PermissionsBoundary: "arn:aws:iam::aws:policy/p",
    },
    ...{ Bucket: "demo-oidc", ExpectedBucketOwner: "123456789012", Key: "keys.json", Policy: "{}", Body: "{}" },
    ...{
      PublicAccessBlockConfiguration: {},
      RequestPaymentConfiguration: { Payer: "BucketOwner" },
      Tagging: { TagSet: [] },
    },
  };
  const distribution = { CallerReference: "demo", Comment: "", Enabled: true, Origins: { Quantity: 0, Items: [] } };
  const control = {
    Name: "demo",
    SigningProtocol: "sigv4",
    SigningBehavior: "always",
    OriginAccessControlOriginType: "s3",
  };
  const cloudFrontInput: ValueMap = {
    ...{ Id: "E1", IfMatch: "E", Resource: "arn:aws:cloudfront::123456789012:distribution/E1" },
    ...{ Tags: { Items: [] }, TagKeys: { Items: ["team"] }, OriginAccessControlConfig: control },
    ...{
      DistributionConfig: distribution,
      DistributionConfigWithTags: { DistributionConfig: distribution, Tags: { Items: [] } },
    },
  };
  const inputs: Readonly<Record<string, ValueMap>> = {
    sts: {},
    iam: { ...usualInput, Tags: [] },
    s3: usualInput,
    cloudfront: cloudFrontInput,
  };

  it.each(Object.keys(forms) as Call[])("%s takes no answer that says nothing", async (call) => {
    for (const [status, type, body] of answers) {
      answer = { status, type, body };
      const input = inputs[call.replace(/:.*/, "")] ?? {};
      // Everything that any request takes for absence.
      const asked = client.ask(call, input, {
        expect: /^(NoSuch\w+|\w*NotFoundError|\w*AlreadyExists|PreconditionFailed)$/,
      });
      await expect(asked, `${status} ${type} ${body}`).rejects.toThrow(CloudError);
    }
  });
});
