import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { renderedAzurePackage } from "../../helpers/azure-package.ts";
import { ccf } from "../../helpers/ccf.ts";
import { renderedPackage, sampleRequests } from "../../helpers/cluster-package.ts";
import { builtExecutable } from "../../helpers/executable.ts";
import { renderedGcpPackage, twoGcpRequests } from "../../helpers/gcp-package.ts";
import { describeWith } from "../../helpers/need.ts";
import type { Run } from "../../helpers/programs.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

/*
 * What the client libraries say about a network that answers badly depends on errors of Node.js, which Bun imitates. The program
 * says the same with both, except for the texts of the TLS libraries.
 */

const { directory, remove } = keptTemporary();
const [keyFile, certificate] = ["key.pem", "cert.pem"].map((name) => join(directory, name)) as [string, string];
const forms = { bun: [builtExecutable()], node: [process.execPath, ccf] } as const;
const clouds = ["aws", "azure", "gcp"] as const;
const servers: Server[] = [];
const packages = {} as Record<(typeof clouds)[number], string>;
const urls = {} as Record<string, string>;
let proxy = "";

const json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
/** What a server does with a connection that sends it something. */
const answers: Readonly<Record<string, (socket: Socket) => void>> = {
  "a connection that is reset": (socket) => socket.resetAndDestroy(),
  "a connection that is closed": (socket) => socket.destroy(),
  "an answer that is not HTTP": (socket) => socket.end("hello there\r\n\r\n"),
  "an answer that is cut off": (socket) => {
    socket.write(`${json}content-length: 500\r\n\r\n{"a":`);
    setTimeout(() => socket.destroy(), 20);
  },
  "an answer in chunks that is cut off": (socket) => {
    socket.write(`${json}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`);
    setTimeout(() => socket.destroy(), 20);
  },
  "an answer that is not compressed, as it says": (socket) =>
    socket.end(`${json}content-encoding: gzip\r\ncontent-length: 8\r\n\r\nnot gzip`),
  "a web page": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>"),
};
const overTls = [
  "an authority that is not known",
  "an authority in NODE_EXTRA_CA_CERTS",
  "an authority in SSL_CERT_FILE",
];
const throughProxy = "a proxy that refuses the password";
const cases = [...Object.keys(answers), ...overTls, throughProxy].flatMap((name) =>
  clouds.map((cloud) => [name, cloud] as const),
);
const results = new Map<string, Run>();

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function environmentOf(name: string, cloud: string): Record<string, string> {
  const url = urls[name] ?? "";
  const account = join(directory, `${cases.findIndex(([one]) => one === name)}-${cloud}.json`);
  const audience = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p";
  const token = join(directory, "token");
  const common = { type: "external_account", subject_token_type: "urn:ietf:params:oauth:token-type:jwt", audience };
  writeFileSync(
    account,
    JSON.stringify({ ...common, token_url: `${url}/v1/token`, credential_source: { file: token } }),
  );
  const apis = ["IAM", "RESOURCE_MANAGER", "SERVICE_USAGE", "STORAGE"].map((api) => [`CCF_GCP_${api}_ENDPOINT`, url]);
  return {
    PATH: "/usr/bin:/bin",
    ...{ AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_ENDPOINT_URL: url },
    ...{ GOOGLE_APPLICATION_CREDENTIALS: account, ...Object.fromEntries(apis) },
    ...{ IDENTITY_ENDPOINT: `${url}/msi/token`, IDENTITY_HEADER: "x", CCF_AZURE_ARM_ENDPOINT: url },
    AZURE_TOKEN_CREDENTIALS: "ManagedIdentityCredential",
    ...(name.endsWith("NODE_EXTRA_CA_CERTS") || name === throughProxy ? { NODE_EXTRA_CA_CERTS: certificate } : {}),
    ...(name.endsWith("SSL_CERT_FILE") ? { SSL_CERT_FILE: certificate } : {}),
    ...(name === throughProxy ? { HTTPS_PROXY: proxy } : {}),
  };
}

function start(form: keyof typeof forms, name: string, cloud: (typeof clouds)[number]): Promise<Run> {
  const [program = "", ...args] = forms[form];
  const options = { env: environmentOf(name, cloud), timeout: 100_000 };
  return new Promise((resolve) => {
    const child = execFile(program, [...args, "status", packages[cloud]], options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

describeWith(["openssl"], "a network with", () => {
  beforeAll(async () => {
    const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
    const files = ["-keyout", keyFile, "-out", certificate];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...subject], {
      stdio: "ignore",
    });
    writeFileSync(join(directory, "token"), "token");
    packages.aws = renderedPackage(sampleRequests);
    packages.azure = renderedAzurePackage();
    packages.gcp = renderedGcpPackage({}, twoGcpRequests.slice(0, 1));
    for (const [name, answer] of Object.entries(answers)) {
      const server = createSocketServer((socket) =>
        socket.on("error", () => undefined).once("data", () => answer(socket)),
      );
      urls[name] = `http://127.0.0.1:${await listen(server)}`;
    }
    const identity = { key: readFileSync(keyFile), cert: readFileSync(certificate) };
    const tls = await listen(createTlsServer(identity, (_, answer) => answer.writeHead(404).end("{}")));
    for (const name of [...overTls, throughProxy]) urls[name] = `https://127.0.0.1:${tls}`;
    const refusing = createServer().on("connect", (_, client) =>
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"),
    );
    proxy = `http://kim:pass-of-proxy@127.0.0.1:${await listen(refusing)}`;
    // The libraries repeat requests for seconds, so all of them wait at the same time.
    await Promise.all(
      cases.flatMap(([name, cloud]) =>
        (["bun", "node"] as const).map(async (form) => {
          results.set(`${form} ${name} ${cloud}`, await start(form, name, cloud));
        }),
      ),
    );
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) server.close();
    remove();
  });

  it.each(cases)("%s, on %s", (name, cloud) => {
    const [bun, node] = [results.get(`bun ${name} ${cloud}`), results.get(`node ${name} ${cloud}`)];
    expect(bun).toMatchObject({ status: 1, stdout: "" });
    expect(bun?.stderr).toMatch(/^error: .*\[cloud-(?:credentials|request-failed)\]\n$/);
    expect(bun?.stderr).not.toMatch(/pass-of-proxy|undefined is not|JSON Parse/);
    if (name === "an authority that is not known" && cloud !== "azure") {
      // The text before the cure is that of the TLS library.
      for (const run of [bun, node])
        expect(run?.stderr).toContain("Set NODE_EXTRA_CA_CERTS to a file with the CA certificate");
    } else if (name === "an authority in SSL_CERT_FILE") {
      // Node.js reads this variable only with --use-openssl-ca.
      expect(bun).toEqual(results.get(`bun an authority in NODE_EXTRA_CA_CERTS ${cloud}`));
      expect(node).toEqual(results.get(`node an authority that is not known ${cloud}`));
    } else expect(bun).toEqual(node);
  });
});
