import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { connect, GcpClient } from "../../src/clouds/gcp/apply/client.ts";
import type { State, Value } from "../helpers/google/types.ts";
import { temporary } from "../helpers/temporary.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import {
  apply,
  destroy,
  destroyPlan,
  differences,
  exportedFiles,
  open,
  plan,
  problems,
  said,
  usual,
} from "./gcp-engine.ts";

let cloud: GcpCloud;
let files: Map<string, string>;
let bucketFiles: Map<string, string>;
let healthy: State;

beforeAll(async () => {
  pace.second = 0;
  cloud = await GcpCloud.start();
  [files, bucketFiles] = [exportedFiles(), exportedFiles({ keyStorage: "Bucket" })];
  await apply(cloud, files);
  healthy = structuredClone(cloud.state);
});
beforeEach(() => {
  cloud.reset();
  cloud.world.state = structuredClone(healthy);
});
afterAll(() => cloud.stop());

describe("an organization policy is explained", () => {
  it.each([
    ["iam.workloadIdentityPoolProviders", "PoolJWKFile", /provider demo: .*add the issuer's URL to the constraint/],
    ["storage.publicAccessPrevention", "Bucket", /keyStorage to "PoolJWKFile", and render again/],
    ["iam.allowedPolicyMemberDomains", "Bucket", /keyStorage to "PoolJWKFile", and render again/],
    [
      "iam.disableServiceAccountCreation",
      "PoolJWKFile",
      /service account .*exception from the constraint iam\.disable/,
    ],
  ] as const)("%s, with the keys in %s", async (constraint, keyStorage, text) => {
    cloud.reset({}, { constraints: [constraint] });
    const outcome = await apply(cloud, keyStorage === "Bucket" ? bucketFiles : files);
    expect(problems(outcome)).toMatch(text);
  });
});

describe("an error names the request, the code, the ID of the request, and the fix:", () => {
  /** What a client says about an answer of Google. */
  async function said(error: Value, url: string, headers: Record<string, string> = {}): Promise<string> {
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(error.code, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error }));
    });
    const address = await listen(server);
    const client = new GcpClient(cloud.connection());
    const answer = await client.read(`${address}${url}`, () => true).catch((problem: Error) => problem.message);
    await close(server);
    return String(answer).replace(address, "");
  }
  const api = "https://console.developers.google.com/apis/api/cloudresourcemanager.googleapis.com/overview?project=42";

  it.each([
    [
      {
        code: 403,
        status: "PERMISSION_DENIED",
        message: `Cloud Resource Manager API has not been used in project 42 before or it is disabled. Enable it by visiting ${api} then retry.`,
      },
      /gcloud services enable cloudresourcemanager\.googleapis\.com --project=42$/,
    ],
    [
      { code: 400, status: "INVALID_ARGUMENT", message: "Permission compute.x.y is not valid." },
      /^GET \/v1\/projects\/p: 400 INVALID_ARGUMENT Permission compute\.x\.y is not valid\. A request lists a permission/,
    ],
    [
      {
        code: 400,
        status: "FAILED_PRECONDITION",
        message: "One or more users named in the policy do not belong to a permitted customer.",
      },
      /exception from the constraint iam\.allowedPolicyMemberDomains\.$/,
    ],
    [
      { code: 403, status: "PERMISSION_DENIED", message: "denied", details: [{ requestId: "abc123" }] },
      /denied\. Request ID abc123\. admin-role\.json of the export/,
    ],
  ])("%j", async (error, text) => {
    expect(await said(error, "/v1/projects/p")).toMatch(text);
  });

  it("the ID is in a header of Cloud Storage", async () => {
    const error = { code: 400, message: "bad", errors: [{ reason: "invalid" }] };
    expect(await said(error, "/storage/v1/b/x", { "x-guploader-uploadid": "ADPycd" })).toBe(
      "GET /storage/v1/b/x: 400 invalid bad. Request ID ADPycd.",
    );
  });
});

it("an error that is not Google's never means that nothing is there", async () => {
  for (const status of [403, 404, 501]) {
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(status, { "content-type": "text/html" }).end("<h1>proxy</h1>");
    });
    const address = await listen(server);
    const client = new GcpClient(cloud.connection());
    await expect(client.list(`${address}/v1/list`, "accounts", () => true)).rejects.toThrow(
      `GET ${address}/v1/list: ${status}, a web page. A proxy`,
    );
    await expect(client.read(`${address}/v1/one`, () => true)).rejects.toThrow(
      `GET ${address}/v1/one: ${status}, a web page. A proxy`,
    );
    await close(server);
  }
});

describe("a custom role", () => {
  it("whose ID Google blocks is refused with the setting for another ID", async () => {
    const [role = ""] = Object.keys(cloud.state.roles);
    Object.assign(cloud.state.roles[role] as Value, { blocked: true, deleted: true });
    expect(problems(await apply(cloud, files))).toMatch(
      /marked for deletion.*until 37 days after its deletion\. Set customRoleID in spec\.platform\.gcp\.overrides/,
    );
  });

  it("that Google cannot restore anymore is not taken for restored", async () => {
    const [role = ""] = Object.keys(cloud.state.roles);
    (cloud.state.roles[role] as Value).deleted = true;
    cloud.before = ({ url }) => {
      if (url.includes(":undelete")) (cloud.state.roles[role] as Value).blocked = true;
    };
    expect(problems(await apply(cloud, files))).toMatch(/Google did not restore the custom role .* until 37 days/);
  });

  it("is removed with a warning that names who else has it", async () => {
    const [role = ""] = Object.keys(cloud.state.roles);
    const name = `projects/demo-project/roles/${role}`;
    cloud.state.policy.bindings.find((one) => one.role === name)?.members.push("user:kim@example.com");
    const notes = async (deleteRoles: boolean) => (await destroyPlan(open(cloud, files, deleteRoles))).notes;
    expect(await notes(false)).toEqual([]);
    expect(await notes(true)).toEqual([
      expect.stringContaining("until 37 days after its removal"),
      `if the custom role ${role} is removed, user:kim@example.com loses its permissions`,
    ]);
  });
});

describe("a destroy", () => {
  it("reports a service account that it may not delete, and does not say that it is gone", async () => {
    cloud.before = ({ method, url }) => {
      if (method === "DELETE" && url.includes("/serviceAccounts/")) cloud.world.settings.permissions = [];
      else delete cloud.world.settings.permissions;
    };
    const outcome = await destroy(cloud, files);
    expect(problems(outcome)).toMatch(/service account .* 403 PERMISSION_DENIED/);
    expect(outcome.done.filter(({ kind }) => kind === "service account")).toEqual([]);
    expect(Object.keys(cloud.state.accounts)).not.toEqual([]);
  });

  it("finds nothing to do a second time, although Google keeps the pool for 30 days", async () => {
    expect(problems(await destroy(cloud, files))).toBe("");
    expect(said(await destroyPlan(open(cloud, files))).filter((line) => !line.startsWith("keep custom role"))).toEqual(
      [],
    );
  });
});

it("the former bucket of an issuer is named with what its removal means", async () => {
  cloud.reset();
  expect(problems(await apply(cloud, bucketFiles))).toBe("");
  const { notes } = await plan(open(cloud, files), { ...usual, prune: true });
  expect(notes).toEqual([
    "if the bucket demo-oidc is removed, others can create one with this name; Google does not read the keys there, but other programs that trust https://storage.googleapis.com/demo-oidc may",
  ]);
  expect(await differences(cloud, files)).toContainEqual("remove bucket demo-oidc");
});

it("an API that only a component calls is named with the command that enables it", async () => {
  const [path = ""] = [...files.keys()].filter((one) => one.endsWith("/identity.json"));
  const identity = JSON.parse(files.get(path) ?? "") as Value;
  const more = new Map([...files, [path, JSON.stringify({ ...identity, services: ["file.googleapis.com"] })]]);
  expect((await plan(open(cloud, more))).notes).toEqual([
    "a component calls the API file.googleapis.com, which the project has not enabled: gcloud services enable file.googleapis.com --project=demo-project",
  ]);
});

describe("a login", () => {
  let server: Server;
  let address: string;
  let answers: [status: number, body: Value][];
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    server = createServer((incoming, outgoing) => {
      asked.push(incoming.url ?? "");
      const [status, body] = answers.shift() ?? [500, {}];
      incoming.resume();
      outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    address = await listen(server);
    const [file, token] = ["account.json", "token"].map((name) => join(temporary(), name)) as [string, string];
    writeFileSync(token, "token");
    const account = {
      ...{ type: "external_account", subject_token_type: "urn:ietf:params:oauth:token-type:jwt" },
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p",
      ...{ token_url: `${address}/v1/token`, credential_source: { file: token } },
    };
    writeFileSync(file, JSON.stringify(account));
    process.env["GOOGLE_APPLICATION_CREDENTIALS"] = file;
  });
  afterEach(async () => {
    delete process.env["GOOGLE_APPLICATION_CREDENTIALS"];
    await close(server);
  });

  const token: [number, Value] = [200, { access_token: "a", token_type: "Bearer", expires_in: 3600 }];
  const client = (impersonate?: string) => {
    const environment = { CCF_GCP_IAM_CREDENTIALS_ENDPOINT: address };
    const connection = connect("demo-project", "googleapis.com", { environment, impersonate });
    return new GcpClient({ ...connection, iam: cloud.world.address });
  };
  const read = (one: GcpClient) =>
    one.list(`${one.connection.iam}/v1/projects/demo-project/serviceAccounts?x=1`, "accounts", () => true);

  it("that is refused is not repeated, and says how to log in", async () => {
    answers = [[400, { error: "invalid_grant", error_description: "The token is stale." }]];
    await expect(read(client())).rejects.toThrow(
      /^Google gave no access token: Error code invalid_grant: The token is stale\. Write a new token to the credential source .*, or log in, for example with: gcloud auth/,
    );
    expect(asked).toHaveLength(1);
    expect(cloud.received).toEqual([]);
  });

  it("that cannot reach Google names the network", async () => {
    await close(server);
    await expect(read(client())).rejects.toThrow(
      /no access token: connect ECONNREFUSED .*\. Check the network\. If it requires a proxy, set HTTPS_PROXY\.$/,
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  it("as a service account asks for its token, and says which role it needs", async () => {
    const email = "deployer@demo-project.iam.gserviceaccount.com";
    answers = [token, [200, { accessToken: "token", expireTime: "2099-01-01T00:00:00Z" }]];
    expect(await read(client(email))).not.toEqual([]);
    expect(asked).toEqual(["/v1/token", `/v1/projects/-/serviceAccounts/${email}:generateAccessToken`]);
    answers = [token, [403, { error: { code: 403, status: "PERMISSION_DENIED", message: "denied" } }]];
    await expect(read(client(email))).rejects.toThrow(
      /PERMISSION_DENIED: unable to impersonate: denied\. Grant your account/,
    );
  });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
