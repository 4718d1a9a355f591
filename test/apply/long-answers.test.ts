import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { maxAnswer, pace } from "../../src/apply/requests.ts";
import { Once } from "../../src/apply/state-reader.ts";
import { AwsClient } from "../../src/clouds/aws/apply/account.ts";
import { connect } from "../../src/clouds/aws/apply/client.ts";
import { AzureClient } from "../../src/clouds/azure/apply/client.ts";
import { GcpClient } from "../../src/clouds/gcp/apply/client.ts";
import { GcpCloud } from "./gcp-cloud.ts";

let server: Server;
let address: string;
/** The parts of the next answer. */
let parts: () => Iterable<string>;
let type = "application/json";
const variables = { AWS_ACCESS_KEY_ID: "testing", AWS_SECRET_ACCESS_KEY: "testing", AWS_ENDPOINT_URL: "" };

beforeAll(async () => {
  pace.second = 0;
  server = createServer(async (incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(200, { "content-type": type, "x-amzn-requestid": "request" });
    for (const part of parts()) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(part)) await new Promise((resolve) => outgoing.once("drain", resolve).once("close", resolve));
    }
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  variables.AWS_ENDPOINT_URL = address;
  Object.assign(process.env, variables);
});
afterAll(async () => {
  for (const name of Object.keys(variables)) delete process.env[name];
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const azure = () =>
  new AzureClient({ arm: address, audience: address, blobs: undefined, token: () => Promise.resolve("token") });
const gcp = async () => {
  const cloud = await GcpCloud.start();
  const client = new GcpClient(cloud.connection());
  await cloud.stop();
  return client;
};
const aws = () =>
  new AwsClient(
    connect({ accountId: "123456789012", partition: "aws", region: "us-east-2" }, { environment: process.env }),
    new Once(),
  );

/** A list of so many entries, in parts. */
function* list(start: string, entry: (index: number) => string, count: number, end: string): Iterable<string> {
  yield start;
  for (let from = 0; from < count; from += 10_000)
    yield Array.from({ length: Math.min(10_000, count - from) }, (_, index) => entry(from + index)).join("");
  yield end;
}

it("a list of 150,000 entries in one answer is read", async () => {
  parts = () =>
    list(
      '{"value":[{"id":"/x/storageAccounts/a"}',
      (index) => `,{"id":"/x/storageAccounts/${index}","pad":"${"x".repeat(200)}"}`,
      149_999,
      "]}",
    );
  expect(await azure().list("/subscriptions/s/storageAccounts")).toHaveLength(150_000);
  parts = () =>
    list('{"accounts":[{"name":"p/a"}', (index) => `,{"name":"p/${index}","pad":"${"x".repeat(200)}"}`, 149_999, "]}");
  expect(await (await gcp()).list(`${address}/v1/accounts`, "accounts", () => true)).toHaveLength(150_000);
});

it("a list of more than 200,000 entries is an error", async () => {
  parts = () =>
    list('{"value":[{"id":"/x/storageAccounts/a"}', (index) => `,{"id":"/x/storageAccounts/${index}"}`, 200_001, "]}");
  await expect(azure().list("/subscriptions/s/storageAccounts")).rejects.toThrow(
    /longer than 200000 entries or 1000 pages, and is not read/,
  );
});

it("an answer without an end is not read to it, on each cloud", async () => {
  let sent = 0;
  parts = function* () {
    yield type === "text/xml" ? "<GetRoleResponse>" : '{"value":"';
    for (sent = 0; sent < 4 * maxAnswer; sent += 1_000_000) yield "x".repeat(1_000_000);
  };
  type = "application/json";
  await expect(azure().read("/subscriptions/s")).rejects.toThrow(
    /^The answer to GET .* is longer than 64 MiB, and is not read\.$/,
  );
  await expect((await gcp()).read(`${address}/v1/x`, () => true)).rejects.toThrow(/is longer than 64 MiB/);
  type = "text/xml";
  await expect(aws().send("iam:GetRole", { RoleName: "demo" })).rejects.toThrow(/is longer than 64 MiB/);
  expect(sent).toBeLessThan(2 * maxAnswer);
});
