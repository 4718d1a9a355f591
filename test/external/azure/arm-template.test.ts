import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { assignedId, deploy } from "../../helpers/arm-template/deploy.ts";
import { azureRequest, azureSubscription, azureTenant, renderedAzurePackage } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import { succeed } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary } from "../../helpers/temporary.ts";

const group = `/subscriptions/${azureSubscription}/resourceGroups`;
const deployment = `/subscriptions/${azureSubscription}/providers/Microsoft.Resources/deployments/demo`;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/**
 * What the Azure CLI asks during a login with a managed identity and a deployment. A deployment is carried out by the stand-in
 * of the unit tests. No nested deployment reaches this server: Azure Resource Manager itself starts those.
 */
async function standInForAzure(): Promise<{ environment: NodeJS.ProcessEnv; calls: Call[] }> {
  const home = temporary();
  const [key, cert] = [join(home, "key.pem"), join(home, "cert.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2", ...names];
  expect(spawnSync("openssl", made).status).toBe(0);
  const calls: Call[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    const call = { method: request.method ?? "", path: request.url ?? "", body: await text(request) };
    calls.push(call);
    const answer = answerTo(call);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: { code: "NotFound", message: call.path } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const config = join(home, "azure");
  mkdirSync(config);
  const endpoints = ["resource_manager", "management", "active_directory"].map((name) => `endpoint_${name} = ${url}`);
  const audience = "endpoint_active_directory_resource_id = https://management.localhost/";
  writeFileSync(join(config, "clouds.config"), ["[AzureCloud]", ...endpoints, audience, ""].join("\n"));
  const identity = {
    MSI_ENDPOINT: `${url}/token`,
    MSI_SECRET: "x",
    IDENTITY_ENDPOINT: `${url}/token`,
    IDENTITY_HEADER: "x",
  };
  const quiet = { AZURE_CORE_COLLECT_TELEMETRY: "0", NO_PROXY: "localhost" };
  const trust = { REQUESTS_CA_BUNDLE: cert, SSL_CERT_FILE: cert };
  return { environment: { ...process.env, AZURE_CONFIG_DIR: config, ...identity, ...trust, ...quiet }, calls };
}

function answerTo({ path, body }: Call): unknown {
  const [resource] = path.split("?");
  if (resource === "/token")
    return { access_token: unsignedToken(), expires_on: "4102444800", expires_in: "86400", token_type: "Bearer" };
  if (resource === "/subscriptions") {
    const subscriptionId = azureSubscription;
    return {
      value: [
        {
          id: `/subscriptions/${subscriptionId}`,
          subscriptionId,
          tenantId: azureTenant,
          displayName: "demo",
          state: "Enabled",
        },
      ],
    };
  }
  if (!resource?.startsWith(deployment)) return undefined;
  const template = templateIn(body);
  const { outputs } = deploy(template, azureSubscription, [`${group}/demo`]);
  return { id: deployment, name: "demo", properties: { provisioningState: "Succeeded", outputs } };
}

// The Azure CLI puts the text of the file into the request as it is, after a key without quotes.
function templateIn(body: string): unknown {
  return JSON.parse(body.replace(/, template:\{/, ', "template":{')).properties.template;
}

function unsignedToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const issuer = `https://sts.windows.net/${azureTenant}/`;
  return [part({ alg: "none" }), part({ tid: azureTenant, iss: issuer, aud: "x", exp: 4_102_444_800 }), "none"].join(
    ".",
  );
}

describeWith(["az", "openssl"], "the ARM template and the Azure CLI", () => {
  it("the command that the export prints sends the template unchanged, and prints the client IDs", async () => {
    const custom = { permissions: ["Microsoft.Compute/disks/read"] };
    const directory = renderedAzurePackage([azureRequest("one", { provider: custom }), azureRequest("two")]);
    const out = join(temporary(), "out");
    const { stdout: printed } = succeed(run(["export", directory, "--output-dir", out, "--arm-template"]));
    const [, command = ""] = /^Next: az (deployment sub create .*)$/m.exec(printed) ?? [];
    const { environment, calls } = await standInForAzure();
    const az = (...args: string[]) => promisify(execFile)("az", args, { env: environment });
    await az("login", "--identity", "--output", "none");
    const { stdout } = await az(
      ...command.split(" "),
      "--query",
      "properties.outputs.clientIds.value",
      "--output",
      "json",
    );
    const identities = `${group}/demo-oidc/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
    expect(JSON.parse(stdout)).toEqual({
      "ns-one_credentials": assignedId(`${identities}/demo-ns-one-credentials`, "clientId"),
      "ns-two_credentials": assignedId(`${identities}/demo-ns-two-credentials`, "clientId"),
    });
    const text = readFileSync(join(out, "azure/template.json"), "utf8");
    const sent = calls.filter(({ path }) => path.startsWith(deployment));
    expect(sent.map(({ method, path }) => `${method} ${path.slice(deployment.length).replace(/\?.*/, "")}`)).toEqual([
      "POST /validate",
      "PUT ",
    ]);
    for (const { body } of sent) {
      expect(body).toContain(text.trimEnd());
      expect(body).toContain('"location": "westeurope"');
    }
  }, 120_000);
});
