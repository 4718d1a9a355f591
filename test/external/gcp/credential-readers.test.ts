import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BaseExternalAccountClient, ExternalAccountClient } from "google-auth-library";
import { describe, expect, it } from "vitest";
import { type Any, makeCredentials } from "../../helpers/cluster.ts";
import { gcpIdentity, gcpRequest } from "../../helpers/gcp-requests.ts";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

const provider = "projects/123456789012/locations/global/workloadIdentityPools/demo-pool/providers/demo-provider";

/** The credentials of a rendered Secret, and the email address of the account's own file. */
function rendered(universeDomain: string, tokenPath: string): { credentials: Any; email: string } {
  const gcp = { universeDomain, pool: "demo-pool", provider: "demo-provider" };
  const made = makeCredentials(gcpIdentity({ gcp, spec: { tokenPath } }), [gcpRequest("one")]);
  expect(made.exitCode).toBe(0);
  const { stringData } = made.objects["manifests/ns-one-credentials-credentials.yaml"];
  const { email } = made.bundle("gcp/identities/ns-one-credentials.yaml")["service-account.json"];
  return { credentials: JSON.parse(stringData["service_account.json"]), email };
}

/** What a client sends to Google, answered as Google would. */
function recorded(client: BaseExternalAccountClient): { url: string; body: string; authorization: string | null }[] {
  const calls: { url: string; body: string; authorization: string | null }[] = [];
  const fetchImplementation = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const url = String(input);
    calls.push({ url, body: String(init.body), authorization: new Headers(init.headers).get("authorization") });
    const answer = url.endsWith("/v1/token")
      ? { access_token: "federated", token_type: "Bearer", expires_in: 3600 }
      : { accessToken: "of the account", expireTime: "2099-01-01T00:00:00Z" };
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  };
  // The exchange has a transporter of its own.
  const { transporter, stsCredential } = client as Any;
  transporter.defaults.fetchImplementation = fetchImplementation;
  stsCredential.transporter.defaults.fetchImplementation = fetchImplementation;
  return calls;
}

const universes = ["googleapis.com", "sovereign.example"];

describe.each(universes)("google-auth-library in the universe %s", (universe) => {
  it("exchanges the token of a rendered Secret for one of its service account", async () => {
    const tokenPath = join(temporary(), "token");
    writeFileSync(tokenPath, "header.payload.signature");
    const { credentials, email } = rendered(universe, tokenPath);
    const client = ExternalAccountClient.fromJSON(credentials);
    if (client === null) throw new Error("the library does not read the Secret");
    expect(client.getServiceAccountEmail()).toBe(email);
    expect(client.projectNumber).toBe("123456789012");
    expect(client.universeDomain).toBe(universe);
    const calls = recorded(client);
    expect(await client.getAccessToken()).toMatchObject({ token: "of the account" });
    expect(calls.map(({ url, authorization }) => [url, authorization])).toEqual([
      [`https://sts.${universe}/v1/token`, null],
      [
        `https://iamcredentials.${universe}/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
        "Bearer federated",
      ],
    ]);
    expect(Object.fromEntries(new URLSearchParams(calls[0]?.body))).toMatchObject({
      audience: `//iam.googleapis.com/${provider}`,
      subject_token: "header.payload.signature",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    });
  });
});

describeWith(["gcloud"], "gcloud", () => {
  it.each(universes)("creates the same configuration in the universe %s", (universe) => {
    const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";
    const { credentials, email } = rendered(universe, tokenPath);
    const home = temporary();
    const file = join(home, "credentials.json");
    const { status, stderr } = run(
      "gcloud",
      [
        ...["iam", "workload-identity-pools", "create-cred-config", provider, "--quiet"],
        ...[`--service-account=${email}`, `--credential-source-file=${tokenPath}`, "--credential-source-type=text"],
        ...["--subject-token-type=urn:ietf:params:oauth:token-type:jwt", `--output-file=${file}`],
      ],
      { env: { HOME: home, CLOUDSDK_CONFIG: join(home, "config"), CLOUDSDK_CORE_UNIVERSE_DOMAIN: universe } },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    // gcloud always writes the universe; the cloud-credential-operator writes only another one.
    const { universe_domain, ...rest } = JSON.parse(readFileSync(file, "utf8"));
    expect(universe_domain).toBe(universe);
    const { universe_domain: ours = "googleapis.com", ...own } = credentials;
    expect({ ours, ...own }).toEqual({ ours: universe, ...rest });
  });
});
