// Measures `ccf status` of packages for Azure with 10 and 150 identities, on a stand-in for Azure that keeps its state:
// elapsed time, processor time, and requests.
//
//   npm run bench:apply
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "../test/helpers/arm/http.mjs";
import { stateOf, usualSettings } from "../test/helpers/arm/state.mjs";

/** @import { World } from "../test/helpers/arm/types.ts" */

const { values } = parseArgs({ options: { samples: { type: "string", default: "5" } } });
const ccf = fileURLToPath(new URL("../dist/ccf", import.meta.url));
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
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
world.address = `http://127.0.0.1:${port}`;
const environment = {
  PATH: process.env["PATH"],
  HOME: work,
  TMPDIR: work,
  CCF_AZURE_ARM_ENDPOINT: world.address,
  CCF_AZURE_BLOB_ENDPOINT: `${world.address}/demooidc`,
  IDENTITY_ENDPOINT: `${world.address}/msi/token`,
  IDENTITY_HEADER: "secret",
};

console.log(`Node ${process.version}, medians of ${values.samples} samples; the stand-in is on the same machine.\n`);
console.log("| identities | elapsed | processor time | requests |");
console.log("|---:|---:|---:|---:|");
for (const count of [10, 150]) {
  const pkg = join(work, String(count));
  writePackage(pkg, count);
  world.state = stateOf({});
  await run([ccf, "render", "--quiet", pkg]);
  await run([ccf, "apply", "--yes", "--quiet", pkg]);
  await report(count, () => run([ccf, "status", pkg]), Number(values.samples));
}
server.close();
server.closeAllConnections();
rmSync(work, { recursive: true });

/** @param {number} count @param {() => Promise<number>} measure @param {number} samples */
async function report(count, measure, samples) {
  /** @type {{ elapsed: number, cpu: number, asked: number }[]} */
  const taken = [];
  for (let sample = 0; sample < samples; sample++) {
    const [start, before] = [performance.now(), requests];
    const cpu = await measure();
    taken.push({ elapsed: performance.now() - start, cpu, asked: requests - before });
  }
  const median = (/** @type {(one: typeof taken[0]) => number} */ of) =>
    taken.map(of).sort((a, b) => a - b)[Math.floor(taken.length / 2)] ?? 0;
  const seconds = (/** @type {number} */ milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;
  const [elapsed, cpu] = [seconds(median((one) => one.elapsed)), seconds(median((one) => one.cpu))];
  console.log(`| ${count} | ${elapsed} | ${cpu} | ${median((one) => one.asked)} |`);
}

/** Runs a program, and resolves to its processor time and that of its children, in milliseconds. @param {string[]} args @returns {Promise<number>} */
function run(args) {
  const timed = ["-c", 'TIMEFORMAT="%U %S"; time "$@"', "bash", process.execPath, ...args];
  return new Promise((resolve, reject) => {
    execFile("bash", timed, { env: environment, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      const [, user, system] = /([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? [];
      if (error !== null) reject(new Error(`${args.join(" ")}\n${stdout}${stderr}`));
      else resolve(1000 * (Number(user) + Number(system)));
    });
  });
}

/** @param {string} directory @param {number} count */
function writePackage(directory, count) {
  mkdirSync(join(directory, "credentials-requests"), { recursive: true });
  const hosting = { type: "BlobPublic", storageAccount: "demooidc" };
  const azure = { subscriptionID: subscription, tenantID: tenant, region: "eastus", issuerHosting: hosting };
  const spec = { issuer: { signingKeys: [{ publicKey: key }] }, platform: { azure } };
  write(join(directory, "cluster-identity.yaml"), {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name: "demo", annotations: { "config.kubernetes.io/local-config": "true" } },
    spec,
  });
  for (let index = 0; index < count; index++) {
    const may =
      index % 2 === 0 ? { permissions: ["Microsoft.Compute/disks/read"] } : { roleBindings: [{ role: "Reader" }] };
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
        providerSpec: { apiVersion: "cloudcredential.openshift.io/v1", kind: "AzureProviderSpec", ...may },
      },
    });
  }
}

/** @param {string} path @param {object} value */
function write(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
