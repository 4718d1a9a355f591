import { execFile, execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createPlainServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { commandLine } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { describeWith } from "../../helpers/need.ts";
import type { Run } from "../../helpers/programs.ts";
import { expectFits } from "../../helpers/schema.ts";
import { keptTemporary, temporary } from "../../helpers/temporary.ts";
import { ecSigner, rsaSigner } from "../../helpers/token.ts";
import { exportedCluster, exportedJson, type Made } from "../../program/verify-token/exported.ts";

const [signer, other, rsa] = [ecSigner(), ecSigner(), rsaSigner()];
const { directory, remove } = keptTemporary();
const [caFile, keyFile, certFile] = ["ca.pem", "server.key", "server.pem"].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];

/** A name that leads nowhere: the server is found by --connect-to alone. */
const host = "oidc.example.test";
const origin = `https://${host}`;

// A server of this process answers only while nothing here waits for a process.
const run = (args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env["PATH"] } };
    const isOfAws = !args.some((arg) => arg === "--platform" || arg === "--package" || arg === "--help");
    const platform = isOfAws ? ["--platform", "aws"] : [];
    const child = execFile(...commandLine("check-issuer", ...args, ...platform), options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });

/** An authority, and a certificate of it for the issuer's name and the server's own. Keys go with the directory. */
function makeCertificates(): void {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: directory, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", caFile, "-subj", "/CN=authority", "-days", "2");
  openssl("req", ...key, "-keyout", keyFile, "-out", "server.csr", "-subj", `/CN=${host}`);
  writeFileSync(join(directory, "names"), `subjectAltName=DNS:${host},DNS:localhost\n`);
  const by = ["-CA", caFile, "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names", "-days", "2"];
  openssl("x509", "-req", "-in", "server.csr", ...by, "-out", certFile);
}

/** What an issuer of a name publishes: its document, changed, and its keys. */
interface Site {
  readonly document?: Any;
  readonly keys?: Any;
  /** In the place of the document, or of the keys. */
  readonly status?: number;
  readonly keysStatus?: number;
  readonly headers?: Record<string, string>;
  readonly isSilent?: boolean;
}

const { d: _d, ...privateJwk } = signer.privateKey.export({ format: "jwk" });
const sites: Readonly<Record<string, Site>> = {
  ok: {},
  "wrong-issuer": { document: { issuer: origin } },
  "no-issuer": { document: { issuer: undefined } },
  "keys-over-http": { document: { jwks_uri: `http://${host}/keys.json` } },
  "no-json": { document: "<html></html>" },
  "key-twice": { document: '{"issuer":"x","issuer":"y"}' },
  denied: { status: 403 },
  gone: { status: 404 },
  broken: { status: 503 },
  "not-permitted": { status: 409 },
  "for-azure": { document: { subject_types_supported: ["public"] }, keys: { keys: [rsa.jwk] } },
  "without-subject-types": { document: { subject_types_supported: [] }, keys: { keys: [rsa.jwk] } },
  "rsa-and-ec": { document: { subject_types_supported: ["public"] }, keys: { keys: [rsa.jwk, signer.jwk] } },
  "ec-only": { document: { subject_types_supported: ["public"] }, keys: { keys: [signer.jwk] } },
  "too-many-keys": {
    document: { subject_types_supported: ["public"] },
    keys: { keys: Array.from({ length: 101 }, (_, index) => ({ ...rsa.jwk, kid: `k${index}` })) },
  },
  elsewhere: { status: 301, headers: { location: `${origin}/elsewhere` } },
  silent: { isSilent: true },
  huge: { document: "x".repeat((1 << 20) + 1) },
  "keys-gone": { keysStatus: 404 },
  "keys-denied": { keysStatus: 403 },
  "no-keys": { keys: { keys: [] } },
  "no-jwks": { keys: "[]" },
  "unusable-keys": {
    keys: {
      keys: [
        { ...signer.jwk, use: "enc" },
        { kty: "OKP", crv: "Ed25519", kid: "x" },
      ],
    },
  },
  "private-key": { keys: { keys: [{ ...signer.jwk, d: _d, x: privateJwk["x"] }] } },
  "other-keys": { keys: { keys: [other.jwk] } },
  "one-key-more": { keys: { keys: [signer.jwk, other.jwk] } },
  "same-id-other-key": { keys: { keys: [{ ...other.jwk, kid: signer.kid }] } },
  "keys-elsewhere": { document: { jwks_uri: "KEYS.v2" } },
  "keys-with-query": { document: { jwks_uri: "KEYS?v=2" } },
  "keys-at-a-port": { document: { jwks_uri: `https://${host}:8443/ok/keys.json` } },
  "keys-of-another-host": { document: { jwks_uri: "https://localhost/ok/keys.json" } },
  "keys-at-a-repaired-url": { document: { jwks_uri: `https://${host}/x/../ok/keys.json` } },
  "sent-to-another-host": { status: 302, headers: { location: "https://localhost/ok" } },
  "keys-sent-to-another-host": { keysStatus: 307, headers: { location: "//localhost/ok" } },
  "no-utf-8": { document: Buffer.from([0x7b, 0xff, 0x7d]) },
  "no-modulus": { keys: { keys: [{ kty: "RSA", kid: "x", e: "AQAB" }] } },
  "good-and-weak": { keys: { keys: [signer.jwk, { kty: "RSA", kid: "x", n: "w".repeat(342), e: "AQ" }] } },
  "good-and-malformed": { keys: { keys: [signer.jwk, { kty: "EC", kid: "x", crv: "P-256" }] } },
};

/** A document as the site publishes it. */
function textOf(issuer: string, isKeys: boolean, { document, keys }: Site): string | Uint8Array {
  const usual = { issuer, jwks_uri: `${issuer}/keys.json` };
  const isWhole = typeof document === "string" || document instanceof Uint8Array;
  const whole = isKeys ? (keys ?? { keys: [signer.jwk] }) : isWhole ? document : { ...usual, ...document };
  return typeof whole === "string" || whole instanceof Uint8Array
    ? whole
    : JSON.stringify(whole).replace("KEYS", `${issuer}/keys.json`);
}

describeWith(["openssl"], "ccf check-issuer", () => {
  let server: Server;
  let at: string[] = [];
  let made: Made;
  const requests: string[] = [];

  beforeAll(async () => {
    makeCertificates();
    made = exportedCluster([signer]);
    server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (request, response) => {
      const { url = "", headers: asked, socket } = request;
      // As a server of many names does, for which the connection's and the request's name decide.
      const { servername } = socket as TLSSocket;
      requests.push(`${asked.host} ${url}`);
      if (asked.host?.replace(/:8443$/, "") !== servername || (servername !== host && servername !== "localhost"))
        return response.writeHead(421).end();
      const [, name = "", file = ""] = /^\/([^/]+)\/(.+)$/.exec(url) ?? [];
      const { isSilent, headers, ...site } = sites[name] ?? { status: 404, keysStatus: 404 };
      if (isSilent === true) return response;
      const isKeys = file.startsWith("keys.json");
      const status = (isKeys ? site.keysStatus : site.status) ?? 200;
      return response.writeHead(status, headers).end(textOf(`${origin}/${name}`, isKeys, site));
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    at = ["--connect-to", `localhost:${(server.address() as AddressInfo).port}`];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    made.remove();
    remove();
  });

  /** An export whose issuer is the one of a name, with the documents in a bucket of the package, or hosted elsewhere. */
  function exportFor(name: string, isElsewhere = false): string {
    const copy = join(temporary(), "out");
    cpSync(made.out, copy, { recursive: true });
    const issuer = `${origin}/${name}`;
    const edit = (path: string, change: Any) =>
      writeFileSync(join(copy, path), JSON.stringify({ ...exportedJson(copy, path), ...change }));
    edit("aws/issuer/create-open-id-connect-provider.json", { Url: issuer });
    edit("aws/issuer/openid-configuration", { issuer, jwks_uri: `${issuer}/keys.json` });
    if (isElsewhere) rmSync(join(copy, "aws/issuer/create-bucket.json"));
    return copy;
  }

  /** Who must publish what, if applying the package does not. */
  const putOf = (name: string) =>
    `have the administrator of ${host} put \`aws/issuer/openid-configuration\` of \`ccf export\` at ${origin}/${name}/.well-known/openid-configuration, and \`aws/issuer/keys.json\` at ${origin}/${name}/keys.json, because \`ccf apply\` does not publish`;

  type Row = [name: string, status: 0 | 1 | 2, check: string | undefined, detail?: string, cure?: string];
  const statusOf: Readonly<Record<number, string>> = { 1: "unknown", 2: "failed" };

  function expectAnswer(done: Run, [, status, check, detail = "", cure = ""]: Row): void {
    expect({ status: done.status, stderr: done.stderr }).toEqual({ status, stderr: "" });
    expectFits("check-issuer", done.stdout);
    const { verdict, checks } = JSON.parse(done.stdout);
    expect(verdict).toBe(["usable", "unknown", "unusable"][status]);
    const wrong = checks.filter((check: Any) => check.status !== "passed");
    expect(wrong.map((value: Any) => [value.name, value.status])).toEqual(
      check === undefined ? [] : [[check, statusOf[status]]],
    );
    if (check === undefined) return;
    expect(wrong[0].detail).toContain(detail);
    expect(wrong[0].cure).toContain(cure);
  }

  it.each<Row>([
    ["ok", 0, undefined],
    ["other-keys", 0, undefined],
    [
      "wrong-issuer",
      2,
      "issuer",
      `the document's "issuer" is "${origin}", but must be "${origin}/wrong-issuer"`,
      "ccf apply",
    ],
    ["no-issuer", 2, "issuer", 'the document\'s "issuer" is missing', "ccf apply"],
    ["keys-over-http", 2, "jwks_uri", `"http://${host}/keys.json", but must be an https URL`, "ccf apply"],
    ["no-json", 2, "discovery", "the document is not JSON", "ccf apply"],
    ["key-twice", 2, "discovery", "has a duplicate key", "ccf apply"],
    ["denied", 2, "discovery", "the server responds with status 403", "Block Public Access"],
    ["gone", 2, "discovery", "the server responds with status 404", "publish it"],
    ["broken", 2, "discovery", "the server responds with status 503", "publish it"],
    ["elsewhere", 1, "discovery", `the server redirects (301) to "${origin}/elsewhere"`, "does not document"],
    ["huge", 1, "discovery", "too large (more than 1048576 bytes)", "does not document"],
    ["keys-gone", 2, "keys", "the server responds with status 404", "publish it"],
    ["keys-denied", 2, "keys", "the server responds with status 403", "Block Public Access"],
    ["no-keys", 2, "keys", "no key that AWS can use", "ccf apply"],
    ["no-jwks", 2, "keys", 'the JWKS has no list "keys"', "ccf apply"],
    ["unusable-keys", 2, "keys", "no key that AWS can use", "ccf apply"],
    [
      "private-key",
      2,
      "keys",
      `the key "${signer.kid}" is published with parts of its private key`,
      "create a new key pair",
    ],
    [
      "keys-with-query",
      1,
      "jwks_uri",
      "the URL has a query; how AWS handles that is not documented",
      "only a host and a path",
    ],
    ["keys-at-a-port", 1, "jwks_uri", "the URL has the port 8443; how AWS handles that", "only a host and a path"],
    [
      "keys-of-another-host",
      1,
      "jwks_uri",
      'the keys are at "https://localhost/ok/keys.json", on a different host than the issuer: "localhost"; no request was sent to that host',
      "--allow-host localhost",
    ],
    [
      "keys-at-a-repaired-url",
      2,
      "jwks_uri",
      `the document's "jwks_uri" is "https://${host}/x/../ok/keys.json", which has "." or ".." in its path`,
      "ccf apply",
    ],
    [
      "sent-to-another-host",
      1,
      "discovery",
      'redirects (302) to "https://localhost/ok", on another host: "localhost"',
      "none was followed",
    ],
    [
      "keys-sent-to-another-host",
      1,
      "keys",
      'redirects (307) to "//localhost/ok", on another host: "localhost"',
      "none was followed",
    ],
    ["no-utf-8", 2, "discovery", "not UTF-8", "as UTF-8"],
    ["no-modulus", 2, "keys", 'no key that AWS can use: the key "x" has no modulus ("n")', "ccf apply"],
    ["good-and-weak", 2, "keys", 'the key "x" is an RSA key with', "create a new key pair"],
    ["good-and-malformed", 1, "keys", 'the key "x" has no coordinate "x"', "ccf apply"],
  ])("of an issuer that is %s: exit %i", async (...row) => {
    const done = await run([`${origin}/${row[0]}`, ...at, "--ca-file", caFile, "-o", "json"]);
    expectAnswer(done, row);
    expect(JSON.parse(done.stdout).connectedTo).toBe(at[1]);
    expect(done.stdout).not.toContain(String(_d));
  });

  it.each<Row>([
    ["for-azure", 0, undefined],
    [
      "denied",
      2,
      "discovery",
      "the server responds with status 403, and Microsoft Entra refuses tokens with AADSTS50166, AADSTS501661 or AADSTS90061",
      "check `allowBlobPublicAccess`, the firewall",
    ],
    ["not-permitted", 2, "discovery", "the server responds with status 409, and", "check `allowBlobPublicAccess`"],
    ["gone", 2, "discovery", "status 404, and", "`ccf apply`; a private container also responds with 404"],
    [
      "without-subject-types",
      1,
      "discovery",
      'the document has no list "subject_types_supported", or an empty one; Microsoft Entra is reported to refuse such documents',
      "ccf apply",
    ],
    [
      "rsa-and-ec",
      1,
      "keys",
      `the key "${signer.kid}" has the type "EC", but Microsoft Entra accepts only RSA`,
      "publish only keys that Microsoft Entra can use",
    ],
    ["ec-only", 2, "keys", "no key that Microsoft Entra can use", "ccf apply"],
    [
      "too-many-keys",
      2,
      "keys",
      "the JWKS has 101 keys, but Microsoft Entra reads only the first 100",
      "publish fewer keys",
    ],
  ])("of an issuer for Azure that is %s: exit %i", async (...row) => {
    const args = [`${origin}/${row[0]}`, "--platform", "azure", ...at, "--ca-file", caFile, "-o", "json"];
    expectAnswer(await run(args), row);
  });

  it.each<Row>([
    ["ok", 0, undefined],
    [
      "other-keys",
      2,
      "package",
      `its key "${signer.kid}" is not published; it does not have the published key "${other.kid}"`,
      "AWS trusts keys that others published",
    ],
    ["one-key-more", 2, "package", `it does not have the published key "${other.kid}"`, "ccf apply"],
    ["same-id-other-key", 2, "package", `the key that is published as "${signer.kid}" is another key`, "ccf apply"],
    ["keys-elsewhere", 2, "package", `its keys are at "${origin}/keys-elsewhere/keys.json"`, "ccf apply"],
    ["wrong-issuer", 2, "issuer", `"issuer" is "${origin}"`, "ccf apply"],
  ])("against a package whose issuer is %s: exit %i", async (...row) => {
    expectAnswer(await run(["--package", exportFor(row[0]), ...at, "--ca-file", caFile, "-o", "json"]), row);
  });

  it.each<Row>([
    ["denied", 2, "discovery", "status 403", "make it publicly readable on the server that hosts it"],
    ...["gone", "broken"].map((name): Row => [name, 2, "discovery", "the server responds with", putOf(name)]),
    ["keys-gone", 2, "keys", "status 404", putOf("keys-gone")],
    ["no-json", 2, "discovery", "is not JSON", putOf("no-json")],
    ["other-keys", 2, "package", "is not published", putOf("other-keys")],
    ["wrong-issuer", 2, "issuer", `"issuer" is "${origin}"`, putOf("wrong-issuer")],
  ])("against a package whose documents are hosted elsewhere, at %s: exit %i", async (...row) => {
    const done = await run(["--package", exportFor(row[0], true), ...at, "--ca-file", caFile, "-o", "json"]);
    expectAnswer(done, row);
    expect(done.stdout).not.toContain("publish it: `ccf apply`");
  });

  it("asks another host than the issuer's for keys only where it is allowed by name", async () => {
    const ask = async (...allowed: string[]) => {
      requests.length = 0;
      const flags = allowed.flatMap((text) => ["--allow-host", text]);
      const args = [`${origin}/keys-of-another-host`, ...flags, ...at, "--ca-file", caFile, "-o", "json"];
      const { status, stdout } = await run(args);
      return { status, checks: JSON.parse(stdout).checks, asked: requests.map((request) => request.split(" ")[0]) };
    };
    for (const allowed of [[], ["example.test"], ["xlocalhost", host]])
      expect(await ask(...allowed)).toMatchObject({ status: 1, asked: [host] });
    const done = await ask("keys.example", "localhost");
    expect(done).toMatchObject({ status: 0, asked: [host, "localhost"] });
    expect(done.checks[3].detail).toBe(
      'the keys are at "https://localhost/ok/keys.json", on a different host than the issuer: "localhost"',
    );
  });

  it("says that keys on a host that was not asked are not where the package has them", async () => {
    const args = ["--package", exportFor("keys-of-another-host"), ...at, "--ca-file", caFile, "-o", "json"];
    const done = await run(args);
    const { checks } = JSON.parse(done.stdout);
    expect([done.status, checks.at(-2).status, checks.at(-1).name, checks.at(-1).status]).toEqual([
      2,
      "unknown",
      "package",
      "failed",
    ]);
  });

  it("waits no longer than it is told", async () => {
    const done = await run([`${origin}/silent`, ...at, "--ca-file", caFile, "--timeout", "0.3", "-o", "json"]);
    expectAnswer(done, [
      "silent",
      2,
      "discovery",
      "timeout (no complete response within 0.3 s)",
      "AWS waits 5 seconds",
    ]);
  });

  it("trusts the usual authorities alone, where it is told of no other", async () => {
    const done = await run([`${origin}/ok`, ...at, "-o", "json"]);
    expectAnswer(done, ["", 1, "discovery", "untrusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)", "--ca-file"]);
  });

  it("takes no certificate of another name", async () => {
    // Nor one of the server that is connected to, where the URL has an address.
    for (const other of ["other.example.test", "127.0.0.1", "[::1]"]) {
      const done = await run([`https://${other}/ok`, ...at, "--ca-file", caFile, "-o", "json"]);
      const cause = "certificate (ERR_TLS_CERT_ALTNAME_INVALID)";
      expectAnswer(done, ["", 2, "discovery", cause, "for this name"]);
    }
  });

  it("says of a server that speaks no TLS, and of none, what is so", async () => {
    const plain = createPlainServer((_, response) => response.end("x"));
    await new Promise<void>((resolve) => plain.listen(0, "localhost", resolve));
    const args = [origin, "--connect-to", `localhost:${(plain.address() as AddressInfo).port}`, "-o", "json"];
    expectAnswer(await run(args), ["", 2, "discovery", "no TLS", "over HTTPS"]);
    await new Promise((resolve) => plain.close(resolve));
    expectAnswer(await run(args), ["", 1, "discovery", "unreachable (ECONNREFUSED)", "from outside"]);
  });

  it.each([
    ["http://localhost/x", "is not an https URL"],
    ["ftp://localhost/x", "is not an https URL"],
    ["https://localhost/x?y=1", "has a query, a fragment or a user"],
    ["https://localhost/#", "has a query, a fragment or a user"],
    ["https://user:word@localhost/x", "has a query, a fragment or a user"],
    [`https://localhost/${"x".repeat(255)}`, "has 273 characters, but IAM accepts at most 255"],
    [
      "https://localhost:8443/x",
      '"https://localhost:8443/x" has a port, but IAM does not accept a provider with a port',
    ],
    ["https://localhost:443", "has a port"],
    ["https://localhost:/x", "has a port"],
    ["https://[::1]:8443", "has a port"],
    ["https:///localhost", 'does not begin with "https://" and a host'],
    ["https://localhost/x\n", "has white space or an invisible character"],
  ])("sends no request for %s", async (url, detail) => {
    const done = await run([url, "-o", "json"]);
    expectAnswer(done, ["", 2, "url", detail]);
    expect(JSON.parse(done.stdout)).not.toHaveProperty("connectedTo");
  });

  it("says for people what is so", async () => {
    expect(await run([`${origin}/ok`, ...at, "--ca-file", caFile])).toEqual({
      status: 0,
      stderr: "",
      stdout: `Issuer "${origin}/ok": AWS could read it if its name resolved to ${at[1]}
  passed       url             "${origin}/ok" is an https URL
  passed       discovery       the document is publicly readable JSON
  passed       issuer          the document names the issuer
  passed       jwks_uri        the keys are at "${origin}/ok/keys.json"
  passed       keys            1 of 1 keys can be used: "${signer.kid}"
`,
    });
    const denied = await run([`${origin}/denied`, ...at, "--ca-file", caFile]);
    expect(denied.stdout).toContain(`Issuer "${origin}/denied": AWS would refuse its tokens\n`);
    expect(denied.stdout).toContain("  FAILED       discovery       the server responds with status 403\n");
    expect(denied.stdout).toContain("\n                               Fix: make it publicly readable: ");
  });

  it.each<[string[], string]>([
    [[], "check-issuer requires either the URL of an issuer or --package DIR"],
    [["https://a.example", "https://b.example"], "too many arguments: expected 1 argument but got 2"],
    [["https://a.example", "--package", "x"], "check-issuer requires either the URL of an issuer or --package DIR"],
    [["https://a.example", "-o", "yaml"], '--output must be "text" or "json", not "yaml"'],
    [["https://a.example", "--timeout", "0"], '--timeout is "0", but must be a positive number of seconds'],
    [["https://a.example", "--timeout", "soon"], '--timeout is "soon", but must be a positive number of seconds'],
    // What is not a URL is a mistake of the command line, and no answer about AWS.
    ...["nosuch", "", "oidc.example.com/x", "oidc.example.com:443", "./package"].map((text): [string[], string] => [
      [text],
      `"${text}" is not a URL; give the issuer exactly as in a token, "https://...", or a package as --package DIR`,
    ]),
    ...["localhost", "localhost:0", "localhost:65536", ":443", "a b:443", "::1:443", "https://a.example:443"].map(
      (where): [string[], string] => [
        ["https://a.example", "--connect-to", where],
        `--connect-to is "${where}", but must be HOST:PORT`,
      ],
    ),
    ...[
      "",
      "https://a.example",
      "A.example",
      "a.example:443",
      "a.example:8443",
      "a.example/x",
      "a.example.",
      "u@a.example",
      "127.1",
    ].map((name): [string[], string] => [
      ["https://a.example", "--allow-host", name],
      `--allow-host is "${name}", but must be a lowercase host without a port`,
    ]),
    [
      ["--package", "testdata/sample-cluster"],
      '"testdata/sample-cluster" contains neither a package rendered for AWS, Azure or GCP nor an export',
    ],
  ])("%j is refused", async (args, message) => {
    expect(await run(args)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${message}. [usage]\nRun "ccf check-issuer --help".\n`,
    });
  });

  it("an authority that is not there is refused", async () => {
    const { status, stderr } = await run(["https://a.example", "--ca-file", "nowhere"]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'error: The file "nowhere" of --ca-file does not exist. [input-file-invalid]\n',
    });
    const cut = join(temporary(), "ca.pem");
    writeFileSync(cut, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    for (const path of ["README.md", keyFile, cut]) {
      const done = await run(["https://a.example", "--ca-file", path]);
      expect(done).toEqual({
        status: 1,
        stdout: "",
        stderr: `error: The file "${path}" of --ca-file does not contain a valid PEM certificate. [input-file-invalid]\n`,
      });
    }
  });
});
