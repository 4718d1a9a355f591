import { describe, expect, it } from "vitest";
import { consistencyAdvice } from "../../../src/clouds/aws/rendered/secret.ts";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import { readToken } from "../../../src/oidc/token.ts";
import type { Any } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { claimsOf, ecSigner, tokenOf } from "../../helpers/token.ts";
import { host, roleArn } from "./exported.ts";

const signer = ecSigner();
const ns = "openshift-ingress-operator";
const path = "/var/run/secrets/openshift/serviceaccount/token";

const secret = ({ arn = roleArn, tokenFile = path, namespace = ns, data = false }: Any = {}): Any => {
  const text = `[default]\nsts_regional_endpoints = regional\nrole_arn = ${arn}\nweb_identity_token_file = ${tokenFile}`;
  const content = data
    ? { data: { credentials: Buffer.from(text).toString("base64") } }
    : { stringData: { credentials: text } };
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "cloud-credentials", namespace }, ...content };
};
const authentication = (serviceAccountIssuer: string): Any => ({
  apiVersion: "config.openshift.io/v1",
  kind: "Authentication",
  metadata: { name: "cluster" },
  spec: { serviceAccountIssuer },
});
const usual = authentication(`https://${host}`);
const config = (tokenPath: string): Any => ({
  apiVersion: "fn.cloudcredential.dev/v1alpha1",
  kind: "ClusterIdentity",
  metadata: { name: "demo" },
  spec: { tokenPath },
});
const request = (cloudTokenPath: string): Any => ({
  apiVersion: "cloudcredential.openshift.io/v1",
  kind: "CredentialsRequest",
  metadata: { name: "x" },
  spec: { secretRef: { namespace: ns, name: "cloud-credentials" }, cloudTokenPath },
});

const wrong = (objects: Any[], claims: Any = {}): string[] => {
  const { token } = readToken(tokenOf(signer, claimsOf(claims)), limits);
  return consistencyAdvice(
    objects.map((value) => resourceOf(value)),
    token,
    roleArn,
    [roleArn],
  )
    .filter(({ fits }) => !fits)
    .map(({ about, text }) => `${about}: ${text}`);
};

describe("advice about the exchange", () => {
  it.each<[string, Any[], Any, string[]]>([
    ["everything fits", [secret(), usual], {}, []],
    ["a Secret in base64", [secret({ data: true }), usual], {}, []],
    ["the config's path", [secret({ tokenFile: "/t" }), usual, config("/t")], {}, []],
    [
      "the request's path, before the config's",
      [secret({ tokenFile: "/r" }), usual, config("/t"), request("/r")],
      {},
      [],
    ],
    ["no Secret", [usual], {}, [`secret: no Secret names the role "${roleArn}"`]],
    [
      "a Secret of another account",
      [secret({ arn: roleArn.replace("123456789012", "210987654321") }), usual],
      {},
      [
        `secret: no Secret names the role "${roleArn}"`,
        `secret: the Secret "${ns}/cloud-credentials" names "${roleArn.replace("123456789012", "210987654321")}", a role that does not exist; render again`,
      ],
    ],
    [
      "a Secret with something other than a role, which is not shown",
      [secret({ arn: "hunter2", tokenFile: "hunter2" }), usual],
      {},
      [
        `secret: no Secret names the role "${roleArn}"`,
        `secret: the Secret "${ns}/cloud-credentials" does not name a role; render again`,
      ],
    ],
    [
      "a path that is not one, which is not shown",
      [secret({ tokenFile: "hunter2" }), usual],
      {},
      [`token file: web_identity_token_file is (a value that is not shown), but the pod mounts its token at "${path}"`],
    ],
    [
      "a Secret in another namespace",
      [secret({ namespace: "default" }), usual],
      {},
      [
        `namespace: the Secret "default/cloud-credentials" is not in the subject's namespace "${ns}", where its pod looks for it`,
      ],
    ],
    [
      "a subject that is not a service account",
      [secret(), usual],
      { sub: "person" },
      ['namespace: the token\'s subject "person" is not a service account'],
    ],
    [
      "another path",
      [secret({ tokenFile: "/else" }), usual],
      {},
      [`token file: web_identity_token_file is "/else", but the pod mounts its token at "${path}"`],
    ],
    [
      "another path than the request's",
      [secret(), usual, request("/r")],
      {},
      [`token file: web_identity_token_file is "${path}", but the pod mounts its token at "/r"`],
    ],
    ["no Authentication", [secret()], {}, ['authentication: no Authentication "cluster" names the cluster\'s issuer']],
    [
      "another issuer",
      [secret(), authentication("https://old.example.com")],
      {},
      [
        `authentication: the Authentication names "https://old.example.com", but the token's issuer is "https://${host}"`,
      ],
    ],
    [
      "two Authentications",
      [secret(), usual, authentication("https://old.example.com")],
      {},
      [
        `authentication: the Authentication names "https://${host}" and "https://old.example.com", but the token's issuer is "https://${host}"`,
      ],
    ],
  ])("%s", (_, objects, claims, expected) => {
    expect(wrong(objects, claims)).toEqual(expected);
  });

  it("also reports what fits, and only the Secret if the token cannot be read", () => {
    const items = [secret(), usual].map((value) => resourceOf(value));
    const about = (token: Any) =>
      consistencyAdvice(items, token, roleArn, [roleArn]).map((advice) => `${advice.about} ${advice.fits}`);
    expect(about(readToken(tokenOf(signer), limits).token)).toEqual([
      "secret true",
      "namespace true",
      "token file true",
      "authentication true",
    ]);
    expect(about(undefined)).toEqual(["secret true", "token file true"]);
  });
});
