// Measures `ccf status` of packages with 10 and 150 identities, and of 10 and 100 packages of one account: elapsed time,
// processor time, and requests. Azure and Google Cloud are stand-ins that keep their state, AWS is moto, which must be installed.
// With --cloud NAME, only one cloud.
//
//   npm run bench:apply
//   npm run bench:apply -- --executable dist/standalone/linux-x64/ccf
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "../test/helpers/arm/http.mjs";
import { stateOf, usualSettings } from "../test/helpers/arm/state.mjs";
import { answer as answerAsGoogle } from "../test/helpers/google/http.mjs";
import { usualSettings as googleSettings, stateOf as googleState } from "../test/helpers/google/state.mjs";
import { MotoShim } from "../test/helpers/moto-shim.mjs";

/** @import { ChildProcess } from "node:child_process" */
/** @import { World } from "../test/helpers/arm/types.ts" */
/** @import { World as GoogleWorld } from "../test/helpers/google/types.ts" */

const { values } = parseArgs({
  options: { samples: { type: "string", default: "5" }, cloud: { type: "string" }, executable: { type: "string" } },
});
const installed = [process.execPath, fileURLToPath(new URL("../dist/ccf", import.meta.url))];
const program = values.executable === undefined ? installed : [values.executable];
const key = readFileSync(new URL("../testdata/sample-cluster/serviceaccount-signer.public", import.meta.url), "utf8");
const subscription = "22222222-2222-2222-2222-222222222222";
const tenant = "11111111-1111-1111-1111-111111111111";
const work = mkdtempSync(join(tmpdir(), "ccf-bench-apply-"));

/** @type {World} */
const world = { state: stateOf({}), settings: { ...usualSettings(), pending: 0 }, used: new Set(), address: "" };
let requests = 0;
const server = createServer((incoming, outgoing) => {
  requests++;
  void serve(incoming, outgoing, world);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
world.address = `http://127.0.0.1:${portOf(server)}`;

/** @type {GoogleWorld} */
const google = { state: googleState({}), settings: { ...googleSettings(), pending: 0 }, used: new Set(), address: "" };
const googleServer = createServer((incoming, outgoing) => {
  // The library exchanges the token of an external account for one of Google.
  if (incoming.url === "/v1/token") {
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end('{"access_token":"token","token_type":"Bearer","expires_in":3600}');
    return;
  }
  requests++;
  answerAsGoogle(incoming, outgoing, google).catch((error) => outgoing.writeHead(501).end(String(error)));
});
await new Promise((resolve) => googleServer.listen(0, "127.0.0.1", () => resolve(undefined)));
google.address = `http://127.0.0.1:${portOf(googleServer)}`;
const clouds = values.cloud === undefined ? ["azure", "gcp", "aws"] : [values.cloud];
const aws = clouds.includes("aws") ? await startMoto() : undefined;
const environment = {
  PATH: process.env["PATH"],
  HOME: work,
  TMPDIR: work,
  CCF_AZURE_ARM_ENDPOINT: world.address,
  CCF_AZURE_BLOB_ENDPOINT: `${world.address}/demooidc`,
  IDENTITY_ENDPOINT: `${world.address}/msi/token`,
  IDENTITY_HEADER: "secret",
  ...googleEnvironment(),
  ...(aws === undefined ? {} : { AWS_ENDPOINT_URL: aws.shim.endpoint }),
  ...{
    AWS_ACCESS_KEY_ID: "testing",
    AWS_SECRET_ACCESS_KEY: "testing",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_PAGER: "",
  },
};

console.log(`Node ${process.version}, medians of ${values.samples} samples; the stand-in is on the same machine.\n`);
console.log("| cloud | identities | command | elapsed | processor time | requests |");
console.log("|---|---:|---|---:|---:|---:|");
for (const cloud of clouds) {
  for (const count of [10, 150]) {
    const pkg = join(work, `${cloud}-${count}`);
    writePackage(cloud, pkg, count);
    await forget();
    await run(["render", "--quiet", pkg]);
    await run(["apply", "--yes", "--quiet", pkg]);
    await report(cloud, count, "ccf status", () => run(["status", pkg]), Number(values.samples));
  }
}
console.log("\n| cloud | packages | command | elapsed | processor time | requests |");
console.log("|---|---:|---|---:|---:|---:|");
for (const cloud of clouds) {
  for (const packages of [10, 100]) {
    const root = join(work, `${cloud}-fleet-${packages}`);
    for (let index = 0; index < packages; index++) writePackage(cloud, join(root, `${index}`), 8, `demo-${index}`);
    await forget();
    const all = ["--quiet", "--recursive", root];
    await run(["render", ...all]);
    await run(["apply", "--yes", "--no-fetch", "--jobs", "8", ...all]);
    // The stand-in for Azure serves the blobs of one storage account, so the documents of these are elsewhere.
    const fetch = cloud === "azure" ? ["--no-fetch"] : [];
    const status = () => run(["status", ...fetch, "--jobs", "8", ...all]);
    await report(cloud, packages, "ccf status --jobs 8", status, Number(values.samples));
  }
}
for (const one of [server, googleServer]) {
  one.close();
  one.closeAllConnections();
}
await aws?.stop();
rmSync(work, { recursive: true });

/** Empties all clouds. */
async function forget() {
  world.state = stateOf({});
  google.state = googleState({});
  await aws?.reset();
}

/** Starts moto, and the shim before it. */
async function startMoto() {
  const moto = spawn("moto_server", ["-H", "127.0.0.1", "-p", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], MOTO_IAM_LOAD_MANAGED_POLICIES: "false" },
  });
  const endpoint = await addressOf(moto);
  const shim = await MotoShim.start(endpoint);
  return {
    shim,
    reset: () => fetch(`${endpoint}/moto-api/reset`, { method: "POST" }),
    async stop() {
      await shim.stop();
      moto.kill();
    },
  };
}

/** The address that moto prints. @param {ChildProcess} moto @returns {Promise<string>} */
function addressOf(moto) {
  return new Promise((resolve, reject) => {
    moto.once("error", reject);
    let said = "";
    moto.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      said += text;
      const address = /Running on (http:\/\/127\.0\.0\.1:\d+)\s/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

/** @param {import("node:net").Server} of */
function portOf(of) {
  return /** @type {import("node:net").AddressInfo} */ (of.address()).port;
}

/** @param {string | number} what the first column. @param {number} count @param {string} name @param {() => Promise<number>} measure @param {number} samples */
async function report(what, count, name, measure, samples) {
  /** @type {{ elapsed: number, cpu: number, asked: number }[]} */
  const taken = [];
  for (let sample = 0; sample < samples; sample++) {
    const [start, before] = [performance.now(), counted()];
    const cpu = await measure();
    taken.push({ elapsed: performance.now() - start, cpu, asked: counted() - before });
  }
  const median = (/** @type {(one: typeof taken[0]) => number} */ of) =>
    taken.map(of).sort((a, b) => a - b)[Math.floor(taken.length / 2)] ?? 0;
  const seconds = (/** @type {number} */ milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;
  const [elapsed, cpu] = [seconds(median((one) => one.elapsed)), seconds(median((one) => one.cpu))];
  console.log(`| ${what} | ${count} | \`${name}\` | ${elapsed} | ${cpu} | ${median((one) => one.asked)} |`);
}

/** The requests to all clouds. */
function counted() {
  return requests + (aws?.shim.requests ?? 0);
}

/** Runs a program, and resolves to its processor time and that of its children, in milliseconds. @param {string[]} args @returns {Promise<number>} */
function run(args) {
  const timed = ["-c", 'TIMEFORMAT="%U %S"; time "$@"', "bash", ...program, ...args];
  return new Promise((resolve, reject) => {
    execFile("bash", timed, { env: environment, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      const [, user, system] = /([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? [];
      if (error !== null) reject(new Error(`${args.join(" ")}\n${stdout}${stderr}`));
      else resolve(1000 * (Number(user) + Number(system)));
    });
  });
}

/** @param {string} cloud @param {string} directory @param {number} count @param {string} name */
function writePackage(cloud, directory, count, name = "demo") {
  mkdirSync(join(directory, "credentials-requests"), { recursive: true });
  const isAlone = name === "demo";
  const hosting = isAlone ? { type: "BlobPublic", storageAccount: "demooidc" } : { type: "External" };
  /** @type {Record<string, object>} */
  const platforms = {
    azure: { subscriptionID: subscription, tenantID: tenant, region: "eastus", issuerHosting: hosting },
    gcp: {
      projectID: "demo-project",
      projectNumber: "123456789012",
      keyStorage: isAlone ? "Bucket" : "PoolJWKFile",
    },
    aws: { accountID: "123456789012", region: "us-east-2" },
  };
  const url = cloud === "azure" && !isAlone ? { url: `https://issuer.example.com/${name}` } : {};
  const spec = { issuer: { ...url, signingKeys: [{ publicKey: key }] }, platform: { [cloud]: platforms[cloud] } };
  write(join(directory, "cluster-identity.yaml"), {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name, annotations: { "config.kubernetes.io/local-config": "true" } },
    spec,
  });
  for (let index = 0; index < count; index++) {
    const may = requestOf(cloud, index);
    write(join(directory, "credentials-requests", `${index}.yaml`), {
      apiVersion: "cloudcredential.openshift.io/v1",
      kind: "CredentialsRequest",
      metadata: {
        name: `component-${index}-azure`,
        namespace: "openshift-cloud-credential-operator",
        annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
      },
      spec: {
        secretRef: { namespace: `openshift-component-${index}`, name: "cloud-credentials" },
        serviceAccountNames: ["operator"],
        providerSpec: { apiVersion: "cloudcredential.openshift.io/v1", ...may },
      },
    });
  }
}

/** @param {number} index */
function azureRequest(index) {
  const may =
    index % 2 === 0 ? { permissions: ["Microsoft.Compute/disks/read"] } : { roleBindings: [{ role: "Reader" }] };
  return { kind: "AzureProviderSpec", ...may };
}

/** @param {string} cloud @param {number} index */
function requestOf(cloud, index) {
  if (cloud === "azure") return azureRequest(index);
  return cloud === "gcp" ? gcpRequest(index) : awsRequest();
}

function awsRequest() {
  const entry = { effect: "Allow", action: ["ec2:DescribeInstances", "ec2:DescribeVolumes"], resource: "*" };
  return { kind: "AWSProviderSpec", statementEntries: [entry] };
}

/** @param {number} index */
function gcpRequest(index) {
  const may =
    index % 2 === 0
      ? { permissions: ["compute.disks.get", "compute.disks.list"] }
      : { predefinedRoles: ["roles/dns.admin"] };
  return { kind: "GCPProviderSpec", skipServiceCheck: true, ...may };
}

/** An external account, whose tokens come from the stand-in, and the endpoints. */
function googleEnvironment() {
  const config = join(work, "google");
  mkdirSync(config);
  writeFileSync(join(config, "token"), "token\n");
  const pool = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p";
  write(join(config, "account.json"), {
    ...{ type: "external_account", audience: pool, subject_token_type: "urn:ietf:params:oauth:token-type:jwt" },
    ...{ token_url: `${google.address}/v1/token`, credential_source: { file: join(config, "token") } },
  });
  return {
    GOOGLE_APPLICATION_CREDENTIALS: join(config, "account.json"),
    CCF_GCP_IAM_ENDPOINT: google.address,
    CCF_GCP_RESOURCE_MANAGER_ENDPOINT: google.address,
    CCF_GCP_SERVICE_USAGE_ENDPOINT: google.address,
    CCF_GCP_STORAGE_ENDPOINT: google.address,
  };
}

/** @param {string} path @param {object} value */
function write(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
