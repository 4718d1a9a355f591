import { roleBundlePath } from "../../clouds/aws/identities/role-bundle.ts";
import { ruleCode } from "../../core/finding.ts";
import { editedBundles, renderedAmong } from "../rendering.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("bundle-edited"),
  severity: "error",
  reads: "package",
  summary: "The bundle ConfigMap of the issuer or of the cluster is not what a render makes.",
  why: "It holds the documents that the world reads the cluster's keys from, the inputs that make the bucket and the provider, and the facts by which the scripts know their account and resources. One edited line can publish another key, and the owner of that key can become every component.",
  cure: "Find out who edited the file, and render again. If another version of ccf rendered the package, render again and review what changes.",
  check: ({ items, rendering }) => {
    const others = renderedAmong(items, rendering).filter(
      ({ expected: { files, path } }) => files !== undefined && !roleBundlePath.test(path),
    );
    return editedBundles(others);
  },
};

export const good = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  issuer:
    url: https://oidc.example.com
    signingKeys:
    - publicKey: |
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAmjA1eFck0Nm6BR3aElhd
        OtfCVrnU19/s4w4pgNuJeD9Ha/CFuemu5PiCGB+xsQszeUHlR7lzg9++qhO4GcR+
        XgKMXzsC0LRYY4xrUK3T1XyApn6XKiOypT2W6HpO9zzgwUeCNN1I+GjCXz/pFWQ+
        Xlr7FoxFDfEnvIZAq3um64TVV/eIpLIxXdJvK3RLBJ1XHdb1Tv6oHH/r4lhsarBe
        SJtR7PsF3qwmQjDHN2fas9DpZs2q1NNCwSfPOkUu+6FPUkNwC2eCwjo6ILaiksLm
        jajO93Vy+SonILSUFcsVAMqQErg1ervrUSAQWc7RuwUOJ+UmCl+I89EW8sLNaViG
        nwIDAQAB
        -----END PUBLIC KEY-----
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
      issuerHosting:
        type: External
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: aws-issuer
  annotations:
    config.kubernetes.io/local-config: "true"
    fn.cloudcredential.dev/generated-by: generate-oidc-issuer/demo
data:
  create-open-id-connect-provider.json: |
    {
      "Url": "https://oidc.example.com",
      "ClientIDList": [
        "openshift",
        "sts.amazonaws.com"
      ],
      "Tags": [
        {
          "Key": "openshift.io/cloud-credential-operator/demo",
          "Value": "owned"
        },
        {
          "Key": "Name",
          "Value": "demo"
        }
      ]
    }
  keys.json: |
    {
      "keys": [
        {
          "use": "sig",
          "kty": "RSA",
          "kid": "S0tQyvA0-scNy8UTRkIxVZ5Ws4E3BX3ZsMyWyocFXlA",
          "alg": "RS256",
          "n": "mjA1eFck0Nm6BR3aElhdOtfCVrnU19_s4w4pgNuJeD9Ha_CFuemu5PiCGB-xsQszeUHlR7lzg9--qhO4GcR-XgKMXzsC0LRYY4xrUK3T1XyApn6XKiOypT2W6HpO9zzgwUeCNN1I-GjCXz_pFWQ-Xlr7FoxFDfEnvIZAq3um64TVV_eIpLIxXdJvK3RLBJ1XHdb1Tv6oHH_r4lhsarBeSJtR7PsF3qwmQjDHN2fas9DpZs2q1NNCwSfPOkUu-6FPUkNwC2eCwjo6ILaiksLmjajO93Vy-SonILSUFcsVAMqQErg1ervrUSAQWc7RuwUOJ-UmCl-I89EW8sLNaViGnw",
          "e": "AQAB"
        }
      ]
    }
  openid-configuration: |
    {
      "issuer": "https://oidc.example.com",
      "jwks_uri": "https://oidc.example.com/keys.json",
      "response_types_supported": [
        "id_token"
      ],
      "subject_types_supported": [
        "public"
      ],
      "id_token_signing_alg_values_supported": [
        "RS256"
      ],
      "claims_supported": [
        "aud",
        "exp",
        "sub",
        "iat",
        "iss"
      ]
    }
`;

export const bad = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  issuer:
    url: https://oidc.example.com
    signingKeys:
    - publicKey: |
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAmjA1eFck0Nm6BR3aElhd
        OtfCVrnU19/s4w4pgNuJeD9Ha/CFuemu5PiCGB+xsQszeUHlR7lzg9++qhO4GcR+
        XgKMXzsC0LRYY4xrUK3T1XyApn6XKiOypT2W6HpO9zzgwUeCNN1I+GjCXz/pFWQ+
        Xlr7FoxFDfEnvIZAq3um64TVV/eIpLIxXdJvK3RLBJ1XHdb1Tv6oHH/r4lhsarBe
        SJtR7PsF3qwmQjDHN2fas9DpZs2q1NNCwSfPOkUu+6FPUkNwC2eCwjo6ILaiksLm
        jajO93Vy+SonILSUFcsVAMqQErg1ervrUSAQWc7RuwUOJ+UmCl+I89EW8sLNaViG
        nwIDAQAB
        -----END PUBLIC KEY-----
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
      issuerHosting:
        type: External
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: aws-issuer
  annotations:
    config.kubernetes.io/local-config: "true"
    fn.cloudcredential.dev/generated-by: generate-oidc-issuer/demo
data:
  create-open-id-connect-provider.json: |
    {
      "Url": "https://oidc.example.com",
      "ClientIDList": [
        "openshift",
        "sts.amazonaws.com"
      ],
      "Tags": [
        {
          "Key": "openshift.io/cloud-credential-operator/demo",
          "Value": "owned"
        },
        {
          "Key": "Name",
          "Value": "demo"
        }
      ]
    }
  keys.json: |
    {
      "keys": [
        {
          "use": "sig",
          "kty": "RSA",
          "kid": "S0tQyvA0-scNy8UTRkIxVZ5Ws4E3BX3ZsMyWyocFXlA",
          "alg": "RS256",
          "n": "mjA1eFck0Nm6BR3aElhdOtfCVrnU19_s4w4pgNuJeD9Ha_CFuemu5PiCGB-xsQszeUHlR7lzg9--qhO4GcR-XgKMXzsC0LRYY4xrUK3T1XyApn6XKiOypT2W6HpO9zzgwUeCNN1I-GjCXz_pFWQ-Xlr7FoxFDfEnvIZAq3um64TVV_eIpLIxXdJvK3RLBJ1XHdb1Tv6oHH_r4lhsarBeSJtR7PsF3qwmQjDHN2fas9DpZs2q1NNCwSfPOkUu-6FPUkNwC2eCwjo6ILaiksLmjajO93Vy-SonILSUFcsVAMqQErg1ervrUSAQWc7RuwUOJ-UmCl-I89EW8sLNaViGnw",
          "e": "AQAB"
        }
      ]
    }
  openid-configuration: |
    {
      "issuer": "https://oidc.example.com",
      "jwks_uri": "https://oidc.example.org/keys.json",
      "response_types_supported": [
        "id_token"
      ],
      "subject_types_supported": [
        "public"
      ],
      "id_token_signing_alg_values_supported": [
        "RS256"
      ],
      "claims_supported": [
        "aud",
        "exp",
        "sub",
        "iat",
        "iss"
      ]
    }
`;
