import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type CloudError, pace } from "../../src/apply/requests.ts";
import { refusedBy } from "../../src/clouds/aws/apply/answers.ts";
import { connect as connectAws } from "../../src/clouds/aws/apply/client.ts";
import { AzureClient, connect as connectAzure } from "../../src/clouds/azure/apply/client.ts";
import { connect as connectGcp, GcpClient } from "../../src/clouds/gcp/apply/client.ts";
import { notShown } from "../../src/core/text.ts";
import { commandLine } from "../helpers/ccf.ts";
import { renderedGcpPackage, twoGcpRequests } from "../helpers/gcp-package.ts";
import { temporary } from "../helpers/temporary.ts";

/*
 * What the clouds' own client libraries say about answers that a server on loopback gives.
 */

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

let server: Server;
let proxy: Server;
let address: string;
let proxyAddress: string;
let answer: Answer;
const before = { ...process.env };

beforeAll(async () => {
  pace.second = 0;
  server = createServer((incoming, outgoing) => {
    incoming.resume();
    answer(incoming, outgoing);
  });
  proxy = createServer().on("connect", (_, client) => {
    client.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
  });
  [address, proxyAddress] = [await listen(server), (await listen(proxy)).replace("http://", "")];
});
afterEach(() => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, before);
});
afterAll(async () => {
  for (const one of [server, proxy]) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
});

async function listen(one: Server): Promise<string> {
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

/** The message of the error that a promise rejects with. */
async function problem(work: Promise<unknown>): Promise<string> {
  const found = await work.then(
    () => new Error("it succeeded"),
    (error: Error) => error,
  );
  return found.message.replaceAll(address, "").replaceAll(proxyAddress, "PROXY");
}

function json(status: number, value: unknown): Answer {
  return (_, outgoing) => outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

const page: Answer = (_, outgoing) =>
  outgoing.writeHead(200, { "content-type": "text/html" }).end("<html><br>Sign in</html>");

describe("AWS", () => {
  const secretKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  const sessionToken = "FwoGZXIvYXdzEXAMPLETOKEN==";
  const keys = { AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE", AWS_SECRET_ACCESS_KEY: secretKey };
  const send = (environment: Record<string, string>, call = "sts:GetCallerIdentity", assumeRole?: string) => {
    Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: "true", AWS_CONFIG_FILE: "/nonexistent/c" }, environment);
    const facts = { accountId: "123456789012", partition: "aws", region: "us-east-2" };
    const { send } = connectAws(facts, { environment: process.env, assumeRole });
    const input = call.startsWith("s3:") ? { Bucket: "demo-bucket" } : {};
    return problem(
      send(call, input).catch((error: unknown) => Promise.reject(refusedBy(call, input, error) as CloudError)),
    );
  };
  const here = () => ({ ...keys, AWS_ENDPOINT_URL: address, AWS_SHARED_CREDENTIALS_FILE: "/nonexistent/s" });
  const profile = (content: string) => {
    const file = join(temporary(), "config");
    writeFileSync(file, `[profile one]\n${content}\n`);
    return { AWS_PROFILE: "one", AWS_CONFIG_FILE: file, AWS_SHARED_CREDENTIALS_FILE: "/nonexistent/s" };
  };
  const refusal =
    (status: number, code: string, message: string): Answer =>
    (_, outgoing) =>
      outgoing
        .writeHead(status, { "content-type": "text/xml" })
        .end(`<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`);

  it("repeats the secret key and the session token, which are not shown", async () => {
    answer = refusal(403, "SignatureDoesNotMatch", `${secretKey} ${encodeURIComponent(sessionToken)} is wrong`);
    expect(await send({ ...here(), AWS_SESSION_TOKEN: sessionToken })).toMatch(
      `sts GetCallerIdentity: 403 SignatureDoesNotMatch ${notShown} ${notShown} is wrong. Log in`,
    );
  });

  it("says that the clock is wrong, also for a role", async () => {
    answer = refusal(403, "SignatureDoesNotMatch", "Signature expired: 1 is now earlier than 2");
    for (const role of [undefined, "deployer"])
      expect(await send(here(), "sts:GetCallerIdentity", role)).toMatch(
        /earlier than 2\. Set the clock of this machine:/,
      );
  });

  it("says in which region a bucket is", async () => {
    answer = (incoming, outgoing) =>
      outgoing
        .writeHead(301, { "content-type": "application/xml", "x-amz-bucket-region": "eu-west-1" })
        .end(
          incoming.method === "HEAD"
            ? ""
            : "<Error><Code>PermanentRedirect</Code><Message>Elsewhere.</Message></Error>",
        );
    for (const call of ["s3:HeadBucket", "s3:GetBucketPolicy"])
      expect(await send(here(), call)).toContain("The bucket is in the region eu-west-1,");
  });

  it.each([undefined, "deployer"])("a web page is not an answer, role %s", async (role) => {
    answer = page;
    expect(await send(here(), "sts:GetCallerIdentity", role)).toMatch(
      /was not answered by AWS, but with a web page and status 200\. A proxy or a login page/,
    );
  });

  it("an empty answer gives no credentials", async () => {
    answer = (_, outgoing) => outgoing.end();
    expect(await send(here(), "sts:GetCallerIdentity", "deployer")).toMatch(
      /the answer of STS contains no credentials\./,
    );
  });

  it("names the proxy that requires a login, and never its password", async () => {
    const HTTPS_PROXY = `http://kim:s3cret-password@${proxyAddress}`;
    expect(await send({ ...keys, HTTPS_PROXY })).toMatch(
      /^sts GetCallerIdentity: 407\. The proxy in HTTPS_PROXY \(PROXY\) does not accept the user name and the password/,
    );
  });

  it.each([
    ["", "the profile one does not exist in"],
    [
      "credential_process = sh -c 'echo hidden-output >&2; exit 3'",
      "the credential_process of the profile one failed.",
    ],
    ["credential_process = echo hidden-output", "the credential_process of the profile one returned invalid JSON."],
    ["sso_session = none\nsso_account_id = 1\nsso_role_name = r", "sso_session of the profile one names a section"],
    ["role_arn = arn:aws:iam::123456789012:role/r\nsource_profile = two", "the profile two does not exist in"],
  ])("a profile with %j gives no credentials", async (content, text) => {
    const said = await send({ ...profile(content) });
    expect(said).toContain(`There are no credentials for AWS: ${text}`);
    expect(said).not.toContain("hidden-output");
  });
});

describe("Google Cloud", () => {
  const token = "ya29.access-token-of-google";
  const login = () => {
    const [file, subject] = ["account.json", "subject"].map((name) => join(temporary(), name)) as [string, string];
    writeFileSync(subject, "subject-token-of-a-file\n");
    const account = {
      ...{ type: "external_account", subject_token_type: "urn:ietf:params:oauth:token-type:jwt" },
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p",
      ...{ token_url: `${address}/v1/token`, credential_source: { file: subject } },
    };
    writeFileSync(file, JSON.stringify(account));
    process.env["GOOGLE_APPLICATION_CREDENTIALS"] = file;
  };
  const read = () =>
    problem(
      new GcpClient(connectGcp("demo", "googleapis.com", { environment: process.env })).read(
        `${address}/v1/x`,
        () => true,
      ),
    );
  const loggedIn =
    (then: Answer): Answer =>
    (incoming, outgoing) =>
      incoming.url === "/v1/token"
        ? json(200, { access_token: token, token_type: "Bearer", expires_in: 3600 })(incoming, outgoing)
        : then(incoming, outgoing);

  it("repeats the access token, which is not shown", async () => {
    login();
    answer = loggedIn((incoming, outgoing) =>
      json(401, { error: { code: 401, status: "UNAUTHENTICATED", message: String(incoming.headers.authorization) } })(
        incoming,
        outgoing,
      ),
    );
    expect(await read()).toMatch(`GET /v1/x: 401 UNAUTHENTICATED Bearer ${notShown}. Log in`);
  });

  it("repeats the token of the file, which is not shown", async () => {
    login();
    answer = json(400, { error: "invalid_grant", error_description: "stale: subject-token-of-a-file" });
    expect(await read()).toMatch(`Error code invalid_grant: stale: ${notShown}. Write a new token`);
  });

  it("a web page, or an answer without a token, is not a login", async () => {
    login();
    answer = page;
    expect(await read()).toMatch(/^Google gave no access token: a web page was the answer\. A proxy/);
    answer = json(200, {});
    expect(await read()).toMatch(/^Google gave no access token: The answer to the login contains no access token\. /);
  });

  it("the built program prints one line without credentials, and no warning of Node.js", async () => {
    // The library warns of every error that it does not expect.
    answer = (incoming) => incoming.socket.destroy();
    const env = { PATH: process.env["PATH"], HOME: temporary(), GCE_METADATA_HOST: address.replace("http://", "") };
    const pkg = renderedGcpPackage({}, twoGcpRequests.slice(0, 1));
    const failed = await promisify(execFile)(...commandLine("status", pkg), { env }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 1,
      stderr:
        "error: Google gave no access token: there are no Application Default Credentials. Log in, for example with: gcloud auth application-default login [cloud-credentials]\n",
    });
  });
});

describe("Azure", () => {
  const tenant = "11111111-1111-4111-8111-111111111111";
  const accessToken = "access-token-of-azure";
  const get = (arm = address) => {
    Object.assign(process.env, {
      ...{ AZURE_TOKEN_CREDENTIALS: "ManagedIdentityCredential", CCF_AZURE_ARM_ENDPOINT: arm },
      ...{ IDENTITY_ENDPOINT: `${address}/msi/token`, IDENTITY_HEADER: "header-of-an-identity" },
    });
    return problem(
      new AzureClient(connectAzure("AzurePublicCloud", tenant, process.env)).arm("GET", "/subscriptions/x"),
    );
  };
  const loggedIn =
    (then: Answer): Answer =>
    (incoming, outgoing) =>
      incoming.url?.startsWith("/msi/")
        ? json(200, { access_token: accessToken, expires_on: 4e9, resource: "x", token_type: "Bearer" })(
            incoming,
            outgoing,
          )
        : then(incoming, outgoing);

  it("repeats the access token, which is not shown", async () => {
    answer = loggedIn((incoming, outgoing) =>
      json(401, { error: { code: "InvalidAuthenticationToken", message: String(incoming.headers.authorization) } })(
        incoming,
        outgoing,
      ),
    );
    expect(await get()).toMatch(`GET /subscriptions/x: 401 InvalidAuthenticationToken Bearer ${notShown}. Log in`);
  });

  it("a managed identity is refused, and its header is not shown", async () => {
    answer = json(400, { error: "invalid_request", error_description: "unknown, header-of-an-identity" });
    expect(await get()).toMatch(
      `tenant ${tenant}: the managed identity: unknown, ${notShown}. Check which managed identity`,
    );
  });

  it("a connection that is refused leaves no timer, so the program ends", async () => {
    answer = loggedIn(page);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const count = timers();
    expect(await get("http://127.0.0.1:1")).toMatch(
      /^GET http:\/\/127\.0\.0\.1:1\/subscriptions\/x failed: connect ECONNREFUSED .* Check the endpoint in CCF_AZURE_ARM_ENDPOINT/,
    );
    expect(timers()).toBeLessThanOrEqual(count);
  });

  it("a web page is not an answer", async () => {
    answer = loggedIn(page);
    expect(await get()).toMatch(/the answer does not have the form of an answer of Azure\. A proxy/);
  });
});
