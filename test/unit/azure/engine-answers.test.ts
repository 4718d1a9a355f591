import { describe, expect, it } from "vitest";
import { lost, refused } from "../../../src/clouds/azure/apply/answers.ts";
import { noToken } from "../../../src/clouds/azure/apply/no-token.ts";

const tenant = "11111111-1111-4111-8111-111111111111";
const login = `az login --tenant ${tenant}`;

/** An error as the chain of the library throws it. */
function chained(...messages: string[]): Error {
  const always = [
    "EnvironmentCredential is unavailable. No underlying credential could be used. To troubleshoot, visit https://aka.ms/x.",
    "ManagedIdentityCredential: Network unreachable. Message: network_error: See https://aka.ms/y for details",
    "Visual Studio Code Authentication is not available. Ensure you have have",
  ];
  const errors = [...always, ...messages].map((message) => new Error(message));
  return Object.assign(new Error("ChainedTokenCredential authentication failed.\nCredentialUnavailableError: x"), {
    errors,
  });
}

const said = (error: Error, failed?: Parameters<typeof noToken>[2], environment = {}) =>
  noToken(tenant, error, failed, environment).message.replace(
    `Azure gave no access token for the tenant ${tenant}: `,
    "",
  );

const code = (number: number) => `AADSTS${number}: It says why. Trace ID: 1 Correlation ID: 2`;

describe("a login that fails:", () => {
  it.each([
    [["Please run 'az login' from a command prompt"], `az is not logged in. Log in: ${login}`],
    [
      ["Azure CLI could not be found. Please visit https://aka.ms/azure-cli"],
      `az is not installed, and nothing else gave a token. Install the Azure CLI and log in: ${login}. Or set AZURE_TENANT_ID, AZURE_CLIENT_ID, and AZURE_CLIENT_SECRET.`,
    ],
    // V8 and JavaScriptCore.
    ...[
      `Unexpected token 'S', "quoted-token\n" is not valid JSON`,
      'JSON Parse error: Unexpected identifier "quoted"',
    ].map((message): [string[], string] => [
      [message],
      `the output of az account get-access-token is not valid JSON. Log in again: ${login}`,
    ]),
    ...[
      "Cannot read properties of undefined (reading 'expires_on')",
      "undefined is not an object (evaluating 'e.body.expires_on')",
      'JSON Parse error: Unexpected identifier "quoted"',
    ].map((message): [string[], string] => [
      [`ManagedIdentityCredential: Authentication failed. Message ${message}`],
      "the managed identity: the answer contains no token. Check which managed identity this machine has, and AZURE_CLIENT_ID.",
    ]),
    [[`ERROR: ${code(700082)}`], `AADSTS700082: It says why. Log in, for example with: ${login}`],
    [
      [`ERROR: ${code(90002)}`],
      `AADSTS90002: It says why. Check spec.platform.azure.tenantID of the package, and log in to this tenant: ${login}`,
    ],
    [[code(7000215)], "AADSTS7000215: It says why. Set AZURE_CLIENT_SECRET to a valid secret of the application."],
    [[code(700016)], "AADSTS700016: It says why. Set AZURE_CLIENT_ID to an application of the tenant."],
    [[code(700213)], /^AADSTS700213: It says why\. A federated credential of the application must name/],
    [[code(700024)], /^AADSTS700024: It says why\. Set the clock of this machine\./],
    [[code(53003)], /^AADSTS53003: It says why\. A Conditional Access policy/],
    [
      ["invalid_client: Error(s): Not Available - Description: AADSTS7000222: It is old. x - Correlation ID: 1"],
      "AADSTS7000222: It is old. x. Set AZURE_CLIENT_SECRET to a valid secret of the application.",
    ],
    [
      ["ENOENT: no such file or directory, open '/t'", "Please run 'az login'"],
      "the file /t does not exist. Correct AZURE_FEDERATED_TOKEN_FILE or AZURE_CLIENT_CERTIFICATE_PATH.",
    ],
    [
      [
        "ManagedIdentityCredential: Authentication failed. Message x: Description: Identity not found - Correlation ID: 1",
        "Please run 'az login'",
      ],
      "the managed identity: Identity not found. Check which managed identity this machine has, and AZURE_CLIENT_ID.",
    ],
    [[], `no credentials were found. Log in, for example with: ${login}`],
  ])("%j", (messages, text) => {
    const actual = said(chained(...messages));
    typeof text === "string" ? expect(actual).toBe(text) : expect(actual).toMatch(text);
    expect(actual).not.toMatch(/quoted-token|aka\.ms|Trace/);
  });

  it("half of a service principal is named", () => {
    const error = chained("Please run 'az login'");
    expect(said(error, undefined, { AZURE_CLIENT_ID: "x" })).toMatch(
      /^az is not logged in\. AZURE_CLIENT_ID is set, but none of AZURE_CLIENT_SECRET, .* is\. Log in/,
    );
    expect(said(error, undefined, { AZURE_CLIENT_ID: "x", AZURE_CLIENT_SECRET: "y" })).toMatch(
      /^az is not logged in\. Log in/,
    );
    expect(said(error, undefined, { AZURE_TOKEN_CREDENTIALS: "dev" })).toMatch(
      /AZURE_TOKEN_CREDENTIALS selects dev\. Log in/,
    );
  });

  it("the error of one credential is its last detail", () => {
    const error = new Error(
      "EnvironmentCredential authentication failed. Status code: 400\nMore details:\nAADSTS70021: No match. Trace ID: 1, ",
    );
    expect(said(error)).toMatch(/^AADSTS70021: No match\. A federated credential/);
  });

  const url = "https://login.example/t/oauth2/v2.0/token";
  const network = new Error("network_error: See https://aka.ms/msal.js.errors#network_error for details");
  it.each([
    [
      { url, error: Object.assign(new Error("unknown CA"), { code: "SELF_SIGNED_CERT_IN_CHAIN" }) },
      {},
      /^unknown CA\. Set NODE_EXTRA_CA_CERTS/,
    ],
    [
      { url, error: Object.assign(new Error("getaddrinfo ENOTFOUND x"), { code: "ENOTFOUND" }) },
      { AZURE_AUTHORITY_HOST: "https://login.example" },
      /^getaddrinfo ENOTFOUND x\. Check the endpoint in AZURE_AUTHORITY_HOST, and the network\./,
    ],
    [
      { url, status: 407 },
      { HTTPS_PROXY: "http://p:1" },
      /token was answered with status 407\. The proxy in HTTPS_PROXY \(p:1\) demands/,
    ],
    [
      { url, status: 200, isPage: true },
      {},
      /token was answered with a web page and status 200\. A proxy or a login page/,
    ],
  ])("%j", (failed, environment, text) => {
    expect(said(network, failed, environment)).toMatch(text);
    expect(said(network, failed, environment)).not.toContain("network_error");
  });
});

describe("a request", () => {
  const asked = {
    method: "GET",
    url: "https://arm.example/x?api-version=1",
    answers: "json",
    form: () => true,
  } as const;
  const answer = (status: number, type: string) => ({
    ...{ status, value: null, text: "" },
    header: (name: string) => (name === "content-type" ? type : ""),
  });

  it("that a proxy answers is not Azure's", () => {
    expect(refused(asked, answer(407, "text/html"), "").message).toMatch(
      /^GET https:\/\/arm\.example\/x: 407\. .*proxy/i,
    );
    expect(refused(asked, answer(403, "text/html"), "").message).toMatch(
      /^GET https:\/\/arm\.example\/x was answered with a web page and status 403, not by Azure\. A proxy or a login page/,
    );
    expect(refused(asked, answer(403, "text/html"), "AuthorizationFailed").message).toMatch(/admin-role\.json/);
  });

  it("that may be sent again says so, and no other", () => {
    const failure = (error: string) => lost(asked, Object.assign(new Error("x"), { code: error })).message;
    expect(failure("ECONNRESET")).toMatch(/Run the same command again\.$/);
    expect(failure("SELF_SIGNED_CERT_IN_CHAIN")).not.toContain("same command");
    expect(lost({ ...asked, method: "PUT" }, new Error("x")).message).toContain(
      "It is not known whether it had an effect.",
    );
  });
});
