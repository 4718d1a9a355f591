import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { readRendered } from "../../../src/clouds/inspectors.ts";
import { bundlesOfFiles } from "../../../src/clouds/rendered.ts";
import { make } from "../../helpers/cluster.ts";
import { gcpConfig, gcpRequest } from "../../helpers/gcp-cluster.ts";

const providerSpec = { permissions: ["compute.disks.get"] };
const made = make([generateOidcIssuer, generateCloudCredentials], gcpConfig(), [gcpRequest("one", { providerSpec })]);

/** The files of an export, with some replaced or removed (undefined). */
function exported(changes: Readonly<Record<string, string | undefined>> = {}): Map<string, string> {
  const files = new Map<string, string>();
  for (const [path, { kind, data }] of Object.entries(made.objects))
    if (kind === "ConfigMap")
      for (const [name, text] of Object.entries<string>(data))
        files.set(`${path.replace(/\.yaml$/, "")}/${name}`, text);
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) files.delete(path);
    else files.set(path, text);
  }
  return files;
}

const read = (files = exported()) => readRendered(bundlesOfFiles(files));
const one = "gcp/identities/ns-one-credentials";

describe("what was rendered for GCP", () => {
  it("is read as it is: the project, the issuer, and who may impersonate what", () => {
    const { inspector, cluster } = read() ?? {};
    expect(inspector?.name).toBe("gcp");
    expect(cluster).toMatchObject({ account: "my-project", region: "us", resourcePrefix: "demo", findings: [] });
    expect(cluster?.issuers).toMatchObject([
      {
        url: "storage.googleapis.com/demo-oidc",
        id: "projects/123456789012/locations/global/workloadIdentityPools/demo/providers/demo",
        clientIds: ["openshift"],
      },
    ]);
    expect(cluster?.identities).toMatchObject([
      {
        key: "ns-one/credentials",
        id: expect.stringMatching(/^demo-ns-one-[a-z2-7]{7}@my-project\.iam\.gserviceaccount\.com$/),
      },
    ]);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ["without its bindings", { [`${one}/bindings.json`]: undefined }],
    ["with bindings that are not lists", { [`${one}/bindings.json`]: '{"project":"roles/owner","serviceAccount":[]}' }],
    ["with bindings that are not JSON", { [`${one}/bindings.json`]: "{" }],
    ["with a role that is not JSON", { [`${one}/role.json`]: "{" }],
    ["without its account", { [`${one}/service-account.json`]: undefined }],
    ["without the name of its Secret", { [`${one}/identity.json`]: "{}" }],
  ])("is unreadable %s, and not skipped", (_, changes) => {
    const { cluster } = read(exported(changes)) ?? {};
    expect(cluster?.identities).toHaveLength(1);
    expect(cluster?.findings.map(({ severity, code, message }) => [severity, code, message])).toEqual([
      [
        "error",
        "service-account-unreadable",
        `"${one}" does not contain a rendered service account; render the package again and export it.`,
      ],
    ]);
  });

  it("is nothing in files of another kind", () => {
    expect(read(new Map([["gcp/other/text.txt", "x"]]))).toBeUndefined();
  });
});
