import { describe, expect, it } from "vitest";
import { azureConfig, azureRequest, clientIds } from "../../helpers/azure-cluster.ts";
import { type Any, identity, type Made, makeCredentials, request, statements } from "../../helpers/cluster.ts";
import { gcpConfig } from "../../helpers/gcp-cluster.ts";

const said = (made: Made, code: string) =>
  made.results
    .filter(({ tags }) => tags.code === code)
    .map(({ severity, field, message }) => [severity, field?.path, message]);
const secretRef = { namespace: "ns-one", name: "credentials" };

describe("actions of AWS that are names of operations", () => {
  const rendered = (action: readonly string[], effect = "Allow") => {
    const some = statements(
      { effect: "Allow", action: ["ec2:DescribeVolumes"], resource: "*" },
      { effect, action, resource: "*" },
    );
    return makeCredentials(identity(), [request("one", { spec: { secretRef, ...some } })]);
  };

  it("are noted, with the permission", () => {
    const made = rendered(["s3:GetObject", "S3:headobject", "s3:CopyObject"]);
    expect(made.exitCode).toBe(0);
    expect(said(made, "action-mistaken")).toEqual([
      [
        "info",
        "spec.providerSpec.statementEntries[1].action[1]",
        '"S3:headobject" is the name of an operation, not of a permission, so it has no effect. The permission for the operation is "s3:GetObject".',
      ],
      [
        "info",
        "spec.providerSpec.statementEntries[1].action[2]",
        '"s3:CopyObject" is the name of an operation, not of a permission, so it has no effect. The permission for the operation is "s3:GetObject" with "s3:PutObject".',
      ],
    ]);
  });

  it.each(["s3:ListBucket", "s3:Head*", "s3:GetObjectTagging", "s3:constructor"])("are not %s", (action) => {
    expect(said(rendered([action]), "action-mistaken")).toEqual([]);
  });
});

describe("permissions above a project of GCP", () => {
  const rendered = (permissions: readonly string[]) => {
    const spec = { secretRef, providerSpec: { kind: "GCPProviderSpec", permissions } };
    return makeCredentials(gcpConfig(), [request("one", { spec })]);
  };

  it("are refused", () => {
    const made = rendered(["resourcemanager.organizations.get", "compute.disks.get", "resourcemanager.folders.list"]);
    expect(made.exitCode).toBe(1);
    expect(said(made, "permission-above-project")).toEqual([
      [
        "error",
        "spec.providerSpec.permissions",
        'requests "resourcemanager.folders.list", "resourcemanager.organizations.get", but a custom role of a project cannot contain permissions for organizations or folders, and Google Cloud refuses it. Remove them from "spec.providerSpec.permissions", and grant them outside the package with a role of the organization or the folder.',
      ],
    ]);
  });

  it.each(["resourcemanager.projects.get", "resourcemanager.tagValues.get", "compute.organizations.listAssociations"])(
    "are not %s",
    (permission) => {
      expect(rendered([permission]).exitCode).toBe(0);
    },
  );
});

describe("data actions of Azure", () => {
  const blobs = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs";
  const rendered = (providerSpec: Any) =>
    makeCredentials(azureConfig(), [azureRequest("one", { providerSpec }), clientIds(["ns-one/credentials"])]);

  it("among the permissions are refused", () => {
    const made = rendered({ permissions: ["Microsoft.Network/x/read", `${blobs}/read`.toLowerCase()] });
    expect(made.exitCode).toBe(1);
    expect(said(made, "data-action-misplaced")).toEqual([
      [
        "error",
        "spec.providerSpec.permissions",
        `"spec.providerSpec.permissions" contains "${blobs.toLowerCase()}/read", which Azure accepts only as data actions; move them to "spec.providerSpec.dataPermissions".`,
      ],
    ]);
  });

  it("among their exceptions are refused", () => {
    const notActions = ["Microsoft.KeyVault/vaults/secrets/getSecret/action"];
    const [first] = said(rendered({ permissions: ["Microsoft.KeyVault/*"], notActions }), "data-action-misplaced");
    expect(first?.[2]).toContain('move them to "spec.providerSpec.notDataActions".');
  });

  it.each([
    {
      permissions: [
        "Microsoft.Storage/storageAccounts/blobServices/containers/read",
        "Microsoft.KeyVault/vaults/secrets/read",
      ],
    },
    { permissions: ["Microsoft.Storage/*"], dataPermissions: [`${blobs}/read`], notDataActions: [`${blobs}/delete`] },
  ])("are in their place in %j", (providerSpec) => {
    expect(rendered(providerSpec).exitCode).toBe(0);
  });
});
