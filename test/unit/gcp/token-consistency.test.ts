import { describe, expect, it } from "vitest";
import { gcpExchange } from "../../../src/clouds/gcp/tokens/exchange.ts";
import { unknownIssuer } from "../../../src/clouds/rendered.ts";
import { readToken } from "../../../src/oidc/token.ts";
import type { Any } from "../../helpers/cluster.ts";
import { gcpClaims, gcpExport, gcpIdentity, gcpIssuer, gcpProvider } from "../../helpers/gcp-exchange.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { ecSigner, tokenOf } from "../../helpers/token.ts";

const signer = ecSigner();
const { manifests } = gcpExport(gcpIdentity([signer]));
const secret = manifests.find(({ kind }) => kind === "Secret");
const authentication = manifests.find(({ kind }) => kind === "Authentication");
const file = JSON.parse(secret.stringData["service_account.json"]);
const email = "demo-ns-one-w5gapgq@my-project.iam.gserviceaccount.com";

const withFile = (changes: Any): Any => ({
  ...secret,
  stringData: { "service_account.json": JSON.stringify({ ...file, ...changes }) },
});

/** What differs in the manifests, for a token and a universe. */
function wrong(
  items: readonly Any[],
  { claims = {}, universeDomain = "googleapis.com", ids = [email] }: Any = {},
): string[] {
  const cluster: Any = { universeDomain };
  const { token } = readToken(tokenOf(signer, gcpClaims(claims)), gcpExchange.limits);
  const issuer = { ...unknownIssuer, id: gcpProvider };
  return gcpExchange
    .advise({ items: items.map((value) => resourceOf(value)), token, id: email, ids, issuer, cluster })
    .filter(({ fits }) => !fits)
    .map(({ about, text }) => `${about}: ${text}`);
}

const differs = (path: string, has: string, must: string) =>
  `secret: in the Secret "ns-one/credentials", "${path}" is ${has}, but must be "${must}"; render again`;
const encoded = { ...secret, stringData: undefined, data: {} as Any };
encoded.data["service_account.json"] = Buffer.from(JSON.stringify(file)).toString("base64");
const impersonation = (domain: string) =>
  `https://iamcredentials.${domain}/v1/projects/-/serviceAccounts/${email}:generateAccessToken`;
const path = "/var/run/secrets/openshift/serviceaccount/token";

describe("what must fit beside the exchange", () => {
  it.each<[string, Any[], Any, string[]]>([
    ["everything fits", [secret, authentication], {}, []],
    ["data in place of stringData", [encoded, authentication], {}, []],
    ["`universe_domain` for the default", [withFile({ universe_domain: "googleapis.com" }), authentication], {}, []],
    ["no Secret", [authentication], {}, [`secret: no Secret names the service account "${email}"`]],
    [
      "another provider",
      [withFile({ audience: `//iam.googleapis.com/${gcpProvider}2` }), authentication],
      {},
      [differs("audience", `"//iam.googleapis.com/${gcpProvider}2"`, `//iam.googleapis.com/${gcpProvider}`)],
    ],
    [
      "a value of another form, which is not shown",
      [withFile({ token_url: "hunter2" }), authentication],
      {},
      [differs("token_url", "(a value that is not shown)", "https://sts.googleapis.com/v1/token")],
    ],
    [
      "another server for tokens",
      [withFile({ token_url: "https://sts.example.com/v1/token" }), authentication],
      {},
      [differs("token_url", '"https://sts.example.com/v1/token"', "https://sts.googleapis.com/v1/token")],
    ],
    [
      "another server for accounts",
      [withFile({ service_account_impersonation_url: impersonation("example.com") }), authentication],
      {},
      [
        differs(
          "service_account_impersonation_url",
          `"${impersonation("example.com")}"`,
          impersonation("googleapis.com"),
        ),
      ],
    ],
    [
      "another kind of credentials",
      [withFile({ type: "service_account", subject_token_type: undefined }), authentication],
      {},
      [
        differs("type", '"service_account"', "external_account"),
        differs("subject_token_type", "missing", "urn:ietf:params:oauth:token-type:jwt"),
      ],
    ],
    [
      "a Secret for another universe",
      [secret, authentication],
      { universeDomain: "example.com" },
      [
        differs("token_url", '"https://sts.googleapis.com/v1/token"', "https://sts.example.com/v1/token"),
        differs(
          "service_account_impersonation_url",
          `"${impersonation("googleapis.com")}"`,
          impersonation("example.com"),
        ),
        differs("universe_domain", '"googleapis.com"', "example.com"),
      ],
    ],
    [
      "an account that does not exist",
      [secret, authentication],
      { ids: [] },
      [`secret: the Secret "ns-one/credentials" names "${email}", a service account that does not exist; render again`],
    ],
    [
      "a text that is not JSON",
      [{ ...secret, stringData: { "service_account.json": "{" } }, authentication],
      {},
      [
        `secret: no Secret names the service account "${email}"`,
        'secret: the Secret "ns-one/credentials" does not name a service account; render again',
      ],
    ],
    [
      "another namespace",
      [secret, authentication],
      { claims: { sub: "system:serviceaccount:ns-two:one-operator" } },
      [
        'namespace: the Secret "ns-one/credentials" is not in the subject\'s namespace "ns-two", where its pod looks for it',
      ],
    ],
    [
      "another path",
      [withFile({ credential_source: { file: "/x" } }), authentication],
      {},
      [`token file: "credential_source.file" is "/x", but the pod mounts its token at "${path}"`],
    ],
    [
      "another issuer",
      [secret, authentication],
      { claims: { iss: "https://x.example" } },
      [`authentication: the Authentication names "${gcpIssuer}", but the token's issuer is "https://x.example"`],
    ],
    ["no Authentication", [secret], {}, ['authentication: no Authentication "cluster" names the cluster\'s issuer']],
  ])("%s", (_, items, options, expected) => {
    expect(wrong(items, options)).toEqual(expected);
  });
});

describe("the command that asks Google", () => {
  it("names the universe, and quotes what comes from files", () => {
    const cluster: Any = { universeDomain: "example.com" };
    const issuer = { ...unknownIssuer, id: gcpProvider };
    const command = gcpExchange.command({ id: email, issuer, cluster }, "a b", (text) => `<${text}>`);
    expect(command).toContain(" && export CLOUDSDK_CORE_UNIVERSE_DOMAIN=<example.com> && ");
    for (const part of [gcpProvider, `--service-account=<${email}>`, "--credential-source-file=<a b>"])
      expect(command).toContain(part.startsWith("--") ? part : `<${part}>`);
  });
});
