import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  azureIdentities,
  azureIdentity,
  azureRequest,
  azureTenant,
  clientIdNumber,
} from "../../helpers/azure-requests.ts";
import { makeCredentials } from "../../helpers/cluster.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary } from "../../helpers/temporary.ts";

// The client library comes with az, whose Python need not be the first one.
const python = ["python3", "/usr/bin/python3"].find(
  (one) => spawnSync(one, ["-c", "import azure.identity"]).status === 0,
);

// The components of OpenShift use the credential of a workload. Where the library is older, it is the credential on which
// that one builds.
const program = `
import json, sys
import azure.identity as library
secret = json.load(sys.stdin)
who = dict(tenant_id=secret["azure_tenant_id"], client_id=secret["azure_client_id"])
path = secret["azure_federated_token_file"]
if hasattr(library, "WorkloadIdentityCredential"):
    credential = library.WorkloadIdentityCredential(token_file_path=path, disable_instance_discovery=True, **who)
else:
    credential = library.ClientAssertionCredential(func=lambda: open(path).read(), **who)
print(credential.get_token("https://management.azure.com/.default").token)
`;

/** A request of a client, as Microsoft Entra gets it. */
interface Exchange {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}

/** Runs the client library with a Secret, on a stand-in for Microsoft Entra that accepts everything. */
async function exchanged(secret: Readonly<Record<string, string>>): Promise<{ stdout: string; exchanges: Exchange[] }> {
  const directory = temporary();
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["-x509", "-days", "2", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", ...made, ...names], { stdio: "ignore" });
  const exchanges: Exchange[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString("utf8")));
    exchanges.push({ path: incoming.url ?? "", form });
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ token_type: "Bearer", expires_in: 3600, access_token: "of the identity" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", () => resolve()));
  const authority = `https://localhost:${(server.address() as AddressInfo).port}`;
  const child = spawn(python ?? "python3", ["-c", program], {
    env: { PATH: process.env["PATH"], HOME: directory, REQUESTS_CA_BUNDLE: cert, AZURE_AUTHORITY_HOST: authority },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(secret));
  const [stdout = ""] = await Promise.all([
    child.stdout
      .setEncoding("utf8")
      .toArray()
      .then((texts) => texts.join("")),
    new Promise((resolve) => child.on("close", resolve)),
  ]);
  server.closeAllConnections();
  server.close();
  return { stdout, exchanges };
}

describeWith(python === undefined ? ["azure-identity for Python"] : ["openssl"], "Azure's client library", () => {
  it("exchanges the token of a rendered Secret for one of its managed identity", async () => {
    const tokenPath = join(temporary(), "token");
    writeFileSync(tokenPath, "header.payload.signature");
    const clientId = clientIdNumber(1);
    const ids = azureIdentities({ "ns-one_credentials": clientId });
    const made = makeCredentials(azureIdentity({ spec: { tokenPath } }), [azureRequest("one"), ids]);
    expect(made.exitCode).toBe(0);
    const { stringData } = made.objects["manifests/ns-one-credentials-credentials.yaml"];
    const { stdout, exchanges } = await exchanged(stringData);
    expect(stdout).toBe("of the identity\n");
    expect(exchanges).toEqual([
      {
        path: `/${azureTenant}/oauth2/v2.0/token`,
        form: expect.objectContaining({
          client_id: clientId,
          client_assertion: "header.payload.signature",
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          grant_type: "client_credentials",
        }),
      },
    ]);
  });
});
