import { expect, it } from "vitest";
import { serviceOf as azureService } from "../../../src/clouds/azure/permissions/terms.ts";
import { serviceOf } from "../../../src/clouds/gcp/permissions/terms.ts";

it.each([
  ["role roles/dns.admin", "dns"],
  ["role roles/owner", "every service"],
  ["role projects/p/roles/demo", "custom roles"],
  ["role organizations/1/roles/demo.x", "custom roles"],
  ["permission compute.disks.create", "compute"],
])("the service of %s in Google Cloud is %s", (action, service) => {
  expect(serviceOf(action)).toBe(service);
});

it.each([
  ["role Reader", "Reader"],
  ["permission Microsoft.Compute/disks/write", "Microsoft.Compute"],
  ["data permission Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read", "Microsoft.Storage"],
  ["permission *", "every service"],
])("the service of %s in Azure is %s", (action, service) => {
  expect(azureService(action)).toBe(service);
});
