import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { type Any, subscription } from "../../helpers/cluster.ts";
import { bundledFiles, generatedFiles, succeed } from "../../helpers/cluster-package.ts";
import { gcpIdentity, gcpPackageOf } from "../../helpers/gcp-requests.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

/*
 * Every value is computed here once more, from the rules of the specification and of the cloud-credential-operator, and
 * without the project's code.
 */

const prefix = "demo";
const project = "demo-project";
const pool = "projects/123456789012/locations/global/workloadIdentityPools/demo";
const audience = `//iam.googleapis.com/${pool}/providers/demo`;

/** The Secrets of every release, with the profile and the feature set that a cluster has by default. */
const always = [
  "openshift-cloud-controller-manager/gcp-ccm-cloud-credentials",
  "openshift-cloud-credential-operator/cloud-credential-operator-gcp-ro-creds",
  "openshift-cloud-network-config-controller/cloud-credentials",
  "openshift-cluster-csi-drivers/gcp-pd-cloud-credentials",
  "openshift-image-registry/installer-cloud-credentials",
  "openshift-ingress-operator/cloud-credentials",
  "openshift-machine-api/gcp-cloud-credentials",
];

const releases = [
  "releases/4.13/gcp",
  "releases/4.14/gcp",
  "releases/4.19/gcp",
  "releases/main/gcp",
  "payload-files/gcp",
];

const secretOf = ({ spec }: Any) => `${spec.secretRef.namespace}/${spec.secretRef.name}`;
const baseNameOf = (secret: string) => secret.replace("/", "-");

/** The first 7 characters of the SHA-256 in base32. */
function hashOf(secret: string): string {
  const digest = createHash("sha256").update(`${prefix}\n${secret}`).digest("hex");
  const bits = BigInt(`0x${digest}`).toString(2).padStart(256, "0");
  const five = Array.from({ length: 7 }, (_, index) => Number.parseInt(bits.slice(index * 5, index * 5 + 5), 2));
  return five.map((value) => "abcdefghijklmnopqrstuvwxyz234567".charAt(value)).join("");
}

function emailOf(secret: string): string {
  const [namespace = ""] = secret.split("/");
  const short = namespace
    .replace(/^openshift-/, "")
    .slice(0, 11)
    .replace(/-+$/, "");
  return `${prefix}-${short}-${hashOf(secret)}@${project}.iam.gserviceaccount.com`;
}

function roleIdOf(secret: string): string {
  return `${`${prefix}_${secret}`.replace(/[^A-Za-z0-9_.]/g, "_").slice(0, 56)}_${hashOf(secret)}`;
}

const sorted = (list: readonly string[] | undefined) => [...new Set(list)].sort();
const textOf = (...lines: string[]) => `${lines.join("\n")}\n`;
const listOf = (values: readonly string[], indent: string) =>
  values.map((value, index) => `${indent}${JSON.stringify(value)}${index === values.length - 1 ? "" : ","}`);

/** The text of the Secret, as the cloud-credential-operator writes it. */
function credentialsOf(request: Any): string {
  const tokenPath = request.spec.cloudTokenPath ?? "/var/run/secrets/openshift/serviceaccount/token";
  return `{
  "type": "external_account",
  "audience": "${audience}",
  "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
  "token_url": "https://sts.googleapis.com/v1/token",
  "service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${emailOf(secretOf(request))}:generateAccessToken",
  "credential_source": {
    "file": "${tokenPath}",
    "format": {
      "type": "text"
    }
  }
}`;
}

/** The files of a request's bundle. */
function filesOf(request: Any): Record<string, string> {
  const secret = secretOf(request);
  const [email, roleId] = [emailOf(secret), roleIdOf(secret)];
  const { predefinedRoles, permissions: single, skipServiceCheck } = request.spec.providerSpec;
  const [roles, permissions] = [sorted(predefinedRoles), sorted(single)];
  const title = `${prefix} ${secret}`.slice(0, 100);
  const services = sorted(
    permissions.map((permission) => `${permission.split(".")[0]}.googleapis.com`.replace(/^resource/, "cloudresource")),
  );
  const hasServices = skipServiceCheck !== true && services.length > 0;
  const bound = [...roles, ...(permissions.length > 0 ? [`projects/${project}/roles/${roleId}`] : [])];
  const principals = request.spec.serviceAccountNames.map(
    (name: string) =>
      `principal://iam.googleapis.com/${pool}/subject/system:serviceaccount:${request.spec.secretRef.namespace}:${name}`,
  );
  return {
    "bindings.json": textOf(
      "{",
      '  "project": [',
      ...listOf(bound, "    "),
      "  ],",
      '  "serviceAccount": [',
      ...listOf(principals, "    "),
      "  ]",
      "}",
    ),
    "identity.json": textOf(
      "{",
      `  "secret": "${secret}"${hasServices ? "," : ""}`,
      ...(hasServices ? ['  "services": [', ...listOf(services, "    "), "  ]"] : []),
      "}",
    ),
    ...(permissions.length === 0
      ? {}
      : {
          "role.json": textOf(
            "{",
            `  "name": "projects/${project}/roles/${roleId}",`,
            `  "title": "${title}",`,
            `  "description": "Owned by: ${prefix}",`,
            '  "stage": "GA",',
            '  "includedPermissions": [',
            ...listOf(permissions, "    "),
            "  ]",
            "}",
          ),
        }),
    "service-account.json": textOf(
      "{",
      `  "name": "projects/${project}/serviceAccounts/${email}",`,
      `  "email": "${email}",`,
      `  "displayName": "${title}",`,
      `  "description": "Owned by: ${prefix}"`,
      "}",
    ),
  };
}

/** The requests of a directory for GCP, by Secret. */
function requestsBelow(directory: string): ReadonlyMap<string, Any> {
  const texts = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
  const objects = texts.flatMap((text) => loadAll(text) as Any[]);
  const ours = objects.filter((object) => object?.spec?.providerSpec?.kind === "GCPProviderSpec");
  return new Map(ours.map((request) => [secretOf(request), request]));
}

/** A package with the requests of a directory. */
function packageFrom(requests: string): string {
  const directory = gcpPackageOf([]);
  cpSync(requests, join(directory, "credentials-requests"), { recursive: true });
  return directory;
}

/** Expects exactly these requests' Secrets and bundles, byte for byte. */
function expectRendered(files: Record<string, string>, requests: readonly Any[], isOperators: boolean): void {
  const named = requests.map((request) => ({ request, name: baseNameOf(secretOf(request)) }));
  const paths = Object.keys(files).filter((path) => path.startsWith("gcp/identities/"));
  expect(paths.sort()).toEqual(named.map(({ name }) => `gcp/identities/${name}.yaml`).sort());
  for (const { request, name } of named) {
    expect(bundledFiles(files[`gcp/identities/${name}.yaml`] ?? ""), name).toEqual(filesOf(request));
    const secret = load(files[`manifests/${name}-credentials.yaml`] ?? "null") as Any;
    if (isOperators) expect(secret).toBeNull();
    else
      expect(secret, name).toMatchObject({
        kind: "Secret",
        type: "Opaque",
        metadata: { name: request.spec.secretRef.name, namespace: request.spec.secretRef.namespace },
        stringData: { "service_account.json": credentialsOf(request) },
      });
  }
}

describeWithCorpus([], "real CredentialsRequests for GCP", () => {
  describe.each(releases)("%s", (release) => {
    const requests = join(corpus, release);

    it("gives a Secret, an account, a role and bindings for each request that counts, byte for byte", () => {
      const directory = packageFrom(requests);
      succeed(run(["render", directory]));
      const known = requestsBelow(requests);
      const counted = always.map((secret) => known.get(secret));
      expect(counted).not.toContain(undefined);
      const files = generatedFiles(directory);
      expectRendered(files, counted, false);
      const ids = counted.map((request) => emailOf(secretOf(request)).split("@")[0]);
      for (const id of ids) expect(id).toMatch(/^[a-z][-a-z0-9]{4,28}[a-z0-9]$/);
      expect(new Set(ids).size).toBe(always.length);
    });

    it("changes nothing in a second render", () => {
      const directory = packageFrom(requests);
      succeed(run(["render", directory]));
      const before = readTree(directory);
      expect(run(["render", "--check", directory]).status).toBe(0);
      succeed(run(["render", directory]));
      expect(readTree(directory)).toEqual(before);
    });
  });

  it("publishes the pool, the provider and the facts of the cluster", () => {
    const directory = packageFrom(join(corpus, "releases/4.19/gcp"));
    succeed(run(["render", directory]));
    const files = generatedFiles(directory);
    const { "keys.json": keys = "", ...issuer } = bundledFiles(files["gcp/issuer.yaml"] ?? "");
    expect(Object.keys(issuer).sort()).toEqual(["pool.json", "provider.json"]);
    expect(JSON.parse(issuer["pool.json"] ?? "")).toEqual({
      name: pool,
      displayName: expect.any(String),
      description: "Owned by: demo",
      disabled: false,
    });
    expect(JSON.parse(issuer["provider.json"] ?? "")).toEqual({
      name: `${pool}/providers/demo`,
      displayName: expect.any(String),
      description: "Owned by: demo",
      disabled: false,
      attributeMapping: { "google.subject": "assertion.sub" },
      oidc: { issuerUri: "https://storage.googleapis.com/demo-oidc", allowedAudiences: ["openshift"] },
    });
    expect(JSON.parse(keys)).toMatchObject({ keys: [{ kty: "RSA", alg: "RS256", use: "sig" }] });
    expect(load(files["manifests/cluster-authentication-02-config.yaml"] ?? "")).toMatchObject({
      spec: { serviceAccountIssuer: "https://storage.googleapis.com/demo-oidc" },
    });
  });

  describe("of OLM operators", () => {
    const fill = (text: string) =>
      text
        .replaceAll("${NAMESPACE}", "openshift-cluster-csi-drivers")
        .replaceAll("CRED-REQ-NAMESPACE", "openshift-cloud-credential-operator")
        .replaceAll("CRED-SECRET-NAMESPACE", "openshift-storage")
        .replaceAll("CRED-REQ-NAME", "noobaa")
        .replaceAll("CRED-SECRET-NAME", "noobaa-cloud-creds");

    it.each<[file: string, change: (request: Any) => void]>([
      ["cert-manager-operator_credentialsrequest_gcp.yaml", () => undefined],
      ["gcp-filestore-csi-driver-operator_credentials.yaml", () => undefined],
      [
        "noobaa-operator_cloud_creds_gcp_cr.yaml",
        ({ spec }) => {
          spec.serviceAccountNames = ["noobaa"];
        },
      ],
    ])("%s is configured", (file, change) => {
      const source = join(temporary(), "requests");
      mkdirSync(source);
      const request = load(fill(readFileSync(join(corpus, "operators", file), "utf8"))) as Any;
      change(request);
      request.metadata.annotations = {
        ...request.metadata.annotations,
        "fn.cloudcredential.dev/subscription": "any",
      };
      writeFileSync(join(source, "request.yaml"), dump(request));
      writeFileSync(join(source, "subscription.yaml"), dump(subscription("any", request.spec.secretRef.namespace)));
      const directory = packageFrom(source);
      succeed(run(["render", directory]));
      expectRendered(generatedFiles(directory), [request], true);
      const email = emailOf(secretOf(request));
      const files = readTree(join(directory, "credentials-requests"));
      expect(load(files["request.yaml"] ?? "")).toEqual({
        ...request,
        spec: {
          ...request.spec,
          cloudTokenPath: "/var/run/secrets/openshift/serviceaccount/token",
          providerSpec: { ...request.spec.providerSpec, serviceAccountEmail: email, audience },
        },
      });
      expect((load(files["subscription.yaml"] ?? "") as Any).spec.config.env).toEqual(
        expect.arrayContaining([
          { name: "AUDIENCE", value: audience },
          { name: "SERVICE_ACCOUNT_EMAIL", value: email },
        ]),
      );
      const secrets = packageFrom(source);
      writeFileSync(
        join(secrets, "cluster-identity.yaml"),
        dump(gcpIdentity({ spec: { operators: { emitSecrets: true } } })),
      );
      succeed(run(["render", secrets]));
      expectRendered(generatedFiles(secrets), [request], false);
    });

    it.each(["gcp-filestore-csi-driver-operator_credentials.yaml", "noobaa-operator_cloud_creds_gcp_cr.yaml"])(
      "%s is refused while it is a template",
      (file) => {
        const source = join(temporary(), "requests");
        mkdirSync(source);
        cpSync(join(corpus, "operators", file), join(source, "request.yaml"));
        const { status, stderr } = run(["render", packageFrom(source)]);
        expect(status).toBe(1);
        expect(stderr).toContain("[request-placeholder]");
      },
    );
  });
});
