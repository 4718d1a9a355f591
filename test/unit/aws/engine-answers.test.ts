import { describe, expect, it } from "vitest";
import { refusedBy } from "../../../src/clouds/aws/apply/answers.ts";
import { noCredentials } from "../../../src/clouds/aws/apply/no-credentials.ts";

/** An error as the SDK throws it. */
function sdkError(name: string, message: string, status?: number, more: object = {}): Error {
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status }, ...more });
}

const clock = "Set the clock of this machine: AWS refuses requests whose time differs too much from its own.";
const login = /Log in, for example with: aws sso login\. The SDK reads/;

describe("an answer of AWS:", () => {
  it.each([
    ["iam:GetRole", "SignatureDoesNotMatch", "Signature expired: 1 is now earlier than 2 (3 - 15 min.)"],
    ["iam:GetRole", "SignatureDoesNotMatch", "Signature not yet current: 2 is still later than 1"],
    [
      "s3:GetBucketPolicy",
      "RequestTimeTooSkewed",
      "The difference between the request time and the current time is too large.",
    ],
    ["iam:GetRole", "RequestExpired", "Request has expired."],
  ])("%s %s, because the clock is wrong", (call, name, message) => {
    const error = refusedBy(call, {}, sdkError(name, message, 403));
    expect(error.message).toBe(`${call.replace(":", " ")}: 403 ${name} ${message.replace(/\.?$/, ".")} ${clock}`);
    expect(error.code).toBe(name);
  });

  const notAuthorized =
    "User: arn:aws:iam::1:user/kim is not authorized to perform: iam:CreateRole on resource: role demo";
  it.each([
    ["with an explicit deny in a service control policy", /A policy of the organization denies this/],
    ["because no service control policy allows the iam:CreateRole action", /A policy of the organization denies this/],
    ["with an explicit deny in a resource control policy", /A policy of the organization denies this/],
    ["with an explicit deny in a permissions boundary", /The permissions boundary of your credentials/],
    [
      "because no permissions boundary allows the iam:CreateRole action",
      /The permissions boundary of your credentials/,
    ],
    ["because no session policy allows the iam:CreateRole action", /The session policy of your credentials/],
    ["because no VPC endpoint policy allows the iam:CreateRole action", /The policy of the VPC endpoint/],
    ["with an explicit deny in an identity-based policy", /A statement denies this/],
  ])("what admin-policy.json cannot allow: %s", (why, cure) => {
    const { message } = refusedBy("iam:CreateRole", {}, sdkError("AccessDenied", `${notAuthorized} ${why}`, 403));
    expect(message).toMatch(cure);
    expect(message).not.toContain("admin-policy.json");
  });

  it("a missing permission is in admin-policy.json", () => {
    const why = "because no identity-based policy allows the iam:CreateRole action";
    const { message } = refusedBy("iam:CreateRole", {}, sdkError("AccessDenied", `${notAuthorized} ${why}`, 403));
    expect(message).toMatch(/admin-policy\.json of the export contains the permissions that are needed\.$/);
  });

  it("a wrong secret key is not a wrong clock", () => {
    const message = "The request signature we calculated does not match the signature you provided.";
    const error = refusedBy("sts:GetCallerIdentity", {}, sdkError("SignatureDoesNotMatch", message, 403));
    expect(error.message).toMatch(login);
    expect(error.code).toBe("credentials");
  });

  const other = "must be addressed using the specified endpoint.";
  it.each([
    [
      "PermanentRedirect",
      other,
      301,
      { $response: { headers: { "x-amz-bucket-region": "eu-west-1" } } },
      "the region eu-west-1",
    ],
    ["PermanentRedirect", other, 301, { Endpoint: "b.s3.eu-west-1.amazonaws.com" }, "the region eu-west-1"],
    ["PermanentRedirect", other, 301, { Endpoint: "b.s3-eu-west-1.amazonaws.com" }, "the region eu-west-1"],
    ["PermanentRedirect", other, 301, {}, "another region"],
    [
      "Unknown",
      "UnknownError",
      301,
      { $response: { headers: { "x-amz-bucket-region": "eu-west-1" } } },
      "the region eu-west-1",
    ],
    ["Unknown", "UnknownError", 301, { $response: { headers: { "x-amz-bucket-region": "e u" } } }, "another region"],
    ["AuthorizationHeaderMalformed", "the region 'a' is wrong", 400, { Region: "eu-west-1" }, "the region eu-west-1"],
    ["AuthorizationHeaderMalformed", "the region 'a' is wrong; expecting 'eu-west-1'", 400, {}, "the region eu-west-1"],
    [
      "IllegalLocationConstraintException",
      "The eu-west-1 location constraint is incompatible",
      400,
      {},
      "the region eu-west-1",
    ],
  ])("%s of a bucket in another region: %s %s %j", (name, message, status, more, where) => {
    const { message: said } = refusedBy("s3:HeadBucket", { Bucket: "b" }, sdkError(name, message, status, more));
    expect(said).toContain(
      ` The bucket is in ${where}, or the request went to the endpoint of that region. Set spec.platform.aws.`,
    );
  });

  it("a header that is malformed in another way says nothing about a region", () => {
    const error = sdkError("AuthorizationHeaderMalformed", "a non-empty Access Key is required", 400);
    expect(refusedBy("s3:HeadBucket", {}, error).message).not.toMatch(/bucket is in/);
  });

  const parsing =
    "@aws-sdk XML parse error: mismatched tags <br> and </body>.\n  Deserialization error: to see the raw";
  const html = { $response: { headers: { "content-type": "text/html" } } };
  it.each([
    ["Error", parsing, 200, html, "with a web page and status 200"],
    ["Unknown", "Unknown", 403, html, "with a web page and status 403"],
    ["Error", parsing, 502, {}, "with another text and status 502"],
  ])("%s %s %d %j is not one of AWS", (name, message, status, more, how) => {
    const error = refusedBy("iam:PutRolePolicy", { RoleName: "r" }, sdkError(name, message, status, more));
    expect(error.message).toContain(`iam PutRolePolicy r was not answered by AWS, but ${how}. A proxy or a login page`);
    expect(error.message).not.toMatch(/admin-policy|same command|XML/);
    expect(error.code).toBe("");
  });

  it("an answer with a code is one of AWS, whatever its type", () => {
    const more = { ...html, Code: "NoSuchEntity" };
    expect(refusedBy("iam:GetRole", {}, sdkError("NoSuchEntityException", "none", 404, more)).code).toBe(
      "NoSuchEntity",
    );
    expect(refusedBy("s3:HeadBucket", {}, sdkError("NotFound", "UnknownError", 404, html)).code).toBe("NotFound");
  });

  it("a proxy that requires a login is named", () => {
    const error = refusedBy("iam:GetRole", { RoleName: "r" }, sdkError("Unknown", "Unknown", 407, html));
    expect(error.message).toMatch(/^iam GetRole r: 407\. (A|The) proxy .*demands a user name and a password/);
  });

  it.each([
    ["iam:GetRole", ""],
    ["iam:PutRolePolicy", " It is not known whether it had an effect."],
  ])("of %s that is cut off", (call, effect) => {
    const { message } = refusedBy(call, {}, sdkError("Error", parsing, 200));
    expect(message).toBe(
      `${call.replace(":", " ")} failed: the answer is not valid XML, or is cut off.${effect} Run the same command again.`,
    );
  });

  it.each(["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "SELF_SIGNED_CERT_IN_CHAIN"])("none, because of %s", (code) => {
    const { message } = refusedBy("iam:GetRole", {}, Object.assign(new Error("unknown CA"), { code }));
    expect(message).toMatch(/^iam GetRole failed: unknown CA\. .*NODE_EXTRA_CA_CERTS/);
    expect(message).not.toContain("same command");
  });
});

describe("there are no credentials for AWS:", () => {
  const none = sdkError("CredentialsProviderError", "Could not load credentials from any providers");
  const said = (error: Error, reasons: readonly string[] = [], environment = {}, roleArn?: string) =>
    noCredentials(error, { reasons, environment, roleArn }).message.replace("There are no credentials for AWS: ", "");
  const missing = "Could not resolve credentials using profile: [x] in configuration/credentials file(s).";

  it.each([
    [{}, "Could not resolve credentials using profile: [default] in files.", /^the SDK found none\. Log in/],
    [
      { AWS_PROFILE: "x" },
      missing,
      /^the profile x does not exist in ~\/\.aws\/config or ~\/\.aws\/credentials, or contains no credentials that the SDK can use\. Correct AWS_PROFILE, or the files\. .*aws configure list-profiles$/,
    ],
    [
      { AWS_PROFILE: "y", AWS_CONFIG_FILE: "/c" },
      missing,
      /does not exist in \/c or ~.* Correct the source_profile that names it/,
    ],
    [
      { AWS_PROFILE: "x" },
      "Command failed: sh -c 'get --password abc'",
      /^the credential_process of the profile x failed\. Run its command to see why\.$/,
    ],
    [
      {},
      "Profile x credential_process returned invalid JSON.",
      /^the credential_process of the profile x returned invalid JSON\. It must print JSON/,
    ],
    [
      {},
      "URL not accepted. It must either be HTTPS",
      /^the URL in AWS_CONTAINER_CREDENTIALS_FULL_URI is not accepted\./,
    ],
    [{}, "Error: connect ECONNREFUSED 127.0.0.1:1", /^connect ECONNREFUSED 127\.0\.0\.1:1\. Check AWS_CONTAINER_/],
    [{ AWS_ACCESS_KEY_ID: "a" }, "", /^AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not\. Set both/],
    [{ AWS_SECRET_ACCESS_KEY: "a" }, "", /^AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is not\. Set both/],
  ])("%j %s", (environment, reason, text) => {
    expect(said(none, ["AWS_PROFILE is set, skipping fromEnv provider.", reason], environment)).toMatch(text);
  });

  it.each([
    [
      "The SSO session token associated with profile=x was not found or is invalid. To refresh this SSO session run 'aws sso login' with the corresponding profile.",
      "The SSO session token associated with profile=x was not found or is invalid. Log in: aws sso login --profile x",
    ],
    // V8 and JavaScriptCore.
    ...[
      "Cannot read properties of undefined (reading 'sso_region')",
      "undefined is not an object (evaluating 'e.sso_region')",
    ].map((reason): [string, RegExp] => [
      reason,
      /^sso_session of the profile x names a section that does not exist\. Add/,
    ]),
    [
      "Profile x requires multi-factor authentication, but no",
      /^the profile x demands a code of multi-factor authentication\. ccf cannot/,
    ],
    [
      "Profile is configured with invalid SSO credentials. Required",
      "the profile x lacks fields of SSO. Complete it: aws configure sso --profile x",
    ],
    [
      "ENOENT: no such file or directory, open '/t'",
      "the file /t does not exist. Correct AWS_WEB_IDENTITY_TOKEN_FILE or web_identity_token_file.",
    ],
    [
      "Token expired: now must be before then",
      /^Token expired: .* Write a new token to the file in AWS_WEB_IDENTITY_TOKEN_FILE\.$/,
    ],
    ["Signature expired: 1 is now earlier than 2", `Signature expired: 1 is now earlier than 2. ${clock}`],
    ["Invalid response from STS.assumeRole call with role x", /^the answer of STS contains no credentials\. A proxy/],
  ])("%s", (message, text) => {
    const actual = said(sdkError("Error", message), [], { AWS_PROFILE: "x" });
    typeof text === "string" ? expect(actual).toBe(text) : expect(actual).toMatch(text);
  });

  it("the role cannot be assumed", () => {
    const denied = sdkError("AccessDenied", "not authorized to perform: sts:AssumeRole", 403);
    expect(said(denied, [], {}, "arn:r")).toBe(
      "not authorized to perform: sts:AssumeRole. Check whether the credentials may assume the role arn:r.",
    );
    expect(said(sdkError("ExpiredTokenException", "The security token is expired", 403), [], {}, "arn:r")).toMatch(
      login,
    );
    expect(said(sdkError("SignatureDoesNotMatch", "Signature expired: x", 403), [], {}, "arn:r")).toContain(clock);
  });

  it("the answer is not one of STS", () => {
    const page = sdkError("Error", "@aws-sdk XML parse error: x", 200, {
      $response: { headers: { "content-type": "text/html" } },
    });
    expect(said(page, [], {}, "arn:r")).toMatch(
      /^STS was not answered by AWS, but with a web page and status 200\. .*\.$/,
    );
  });

  it("the network failed", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED"), {
      code: "ECONNREFUSED",
      url: "https://sts.example",
    });
    expect(said(refused, [], { HTTPS_PROXY: "http://kim:secret-word@p:1" }, "arn:r")).toBe(
      "connect ECONNREFUSED. Check the proxy in HTTPS_PROXY (p:1). If sts.example needs no proxy, add it to NO_PROXY.",
    );
  });
});
