import { describe, expect, it } from "vitest";
import { lost, noToken, refused } from "../../../src/clouds/gcp/apply/answers.ts";

const login = "gcloud auth application-default login";
const said = (error: unknown, environment = {}) =>
  noToken(error, environment).message.replace(/^Google gave no access token: /, "");
const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more);
const file = { GOOGLE_APPLICATION_CREDENTIALS: "/a.json" };
const named =
  "Unable to read the credential file specified by the GOOGLE_APPLICATION_CREDENTIALS environment variable:";
const either = `Correct the variable, or unset it and log in: ${login}`;

describe("a login that fails:", () => {
  it.each([
    [
      failure("Could not load the default credentials. Browse to https://x for more information."),
      {},
      `there are no Application Default Credentials. Log in, for example with: ${login}`,
    ],
    [
      failure(`${named} The file at /a.json does not exist, or it is not a file. ENOENT`),
      file,
      `GOOGLE_APPLICATION_CREDENTIALS names /a.json, which does not exist or is not a file. ${either}`,
    ],
    [
      failure(`${named} Unexpected token 'S', "SECRET" is not valid JSON`),
      file,
      `the file /a.json in GOOGLE_APPLICATION_CREDENTIALS does not contain valid credentials. ${either}`,
    ],
    [
      new SyntaxError(`Unexpected token 'S', "SECRET" is not valid JSON`),
      {},
      `the file with the Application Default Credentials is not valid. Log in, for example with: ${login}`,
    ],
    [
      failure("The file at /t does not exist, or it is not a file. ENOENT: x"),
      file,
      "The file at /t does not exist or is not a file. It must contain the token of the external account in GOOGLE_APPLICATION_CREDENTIALS.",
    ],
    ...[
      "error:1E08010C:DECODER routines::unsupported",
      "error:0c00006d:ASN.1 encoding routines:OPENSSL_internal:DECODE_ERROR",
      "error:0900006e:PEM routines:OPENSSL_internal:NO_START_LINE",
    ].map((message): [Error, object, string] => [
      failure(message),
      file,
      `the private key in the file with the credentials cannot be read. Set GOOGLE_APPLICATION_CREDENTIALS to an unchanged key file, or unset it and log in: ${login}`,
    ]),
    [
      failure("invalid_grant", {
        status: 400,
        response: {
          data: {
            error: "invalid_grant",
            error_subtype: "invalid_rapt",
            error_description: "reauth related error (invalid_rapt)",
          },
        },
      }),
      {},
      `invalid_grant: reauth related error (invalid_rapt). Log in, for example with: ${login}`,
    ],
    [
      failure("Could not refresh access token: NOT_FOUND: unable to impersonate: Not found"),
      {},
      "Could not refresh access token: NOT_FOUND: unable to impersonate: Not found. The service account of --impersonate-service-account does not exist. Correct its email.",
    ],
    [failure("", { status: 407 }), {}, /^status 407\. A proxy demands a user name and a password\. Set HTTPS_PROXY/],
    // V8 and JavaScriptCore.
    ...[
      "Cannot create property 'res' on string '<html>SECRET</html>'",
      "Attempted to assign to readonly property.",
    ].map((message): [Error, object, RegExp] => [
      new TypeError(message),
      {},
      /^a web page was the answer\. A proxy or a login page/,
    ]),
    [
      failure("Could not refresh access token: unable to impersonate: Error: <html>", {
        status: 403,
        response: { data: "<html>" },
      }),
      {},
      /^a web page with status 403 was the answer\. A proxy or a login page/,
    ],
    [
      failure("request to https://x/token failed, reason: self-signed certificate", {
        code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      }),
      {},
      /^self-signed certificate\. Set NODE_EXTRA_CA_CERTS/,
    ],
    [failure(""), {}, `it said nothing. Log in, for example with: ${login}`],
  ])("%s", (error, environment, text) => {
    const actual = said(error, environment);
    typeof text === "string" ? expect(actual).toBe(text) : expect(actual).toMatch(text);
    expect(actual).not.toContain("SECRET");
    expect(noToken(error, environment).code).toBe("credentials");
  });

  it("the API for impersonation is disabled", () => {
    const page = "https://console.developers.google.com/apis/api/iamcredentials.googleapis.com/overview?project=42";
    const text = `PERMISSION_DENIED: unable to impersonate: API has not been used in project 42 before. Visit ${page}`;
    expect(said(failure(text))).toMatch(
      /Enable the API: gcloud services enable iamcredentials\.googleapis\.com --project=42$/,
    );
  });
});

describe("a request", () => {
  const asked = { method: "GET", url: "https://iam.example/v1/x?pageToken=1", form: () => true } as const;
  const answer = (status: number, type: string) => ({
    ...{ status, value: null, text: "", code: "", message: "", requestId: "" },
    header: (name: string) => (name === "content-type" ? type : ""),
  });

  it("that a proxy answers is not Google's", () => {
    expect(refused(asked, answer(407, "text/html")).message).toMatch(
      /^GET https:\/\/iam\.example\/v1\/x: 407\. .*proxy/i,
    );
    expect(refused(asked, answer(403, "text/html; charset=utf-8")).message).toMatch(
      /^GET https:\/\/iam\.example\/v1\/x: 403, a web page\. A proxy or a login page of the network probably answered\./,
    );
    expect(refused(asked, answer(403, "text/plain")).message).toBe("GET https://iam.example/v1/x: 403.");
  });

  it("whose answer is cut off does not repeat it", () => {
    const cut = new SyntaxError(`Unterminated string: "SECRET`);
    expect(lost(asked, cut).message).toBe(
      "GET https://iam.example/v1/x failed: the answer is not valid JSON, or is cut off. Run the same command again.",
    );
    expect(lost({ ...asked, method: "POST" }, cut).message).toContain(" It is not known whether it had an effect. ");
  });
});
