import { describe, expect, it } from "vitest";
import * as aws from "./aws-engine.ts";
import * as azure from "./azure-engine.ts";
import * as gcp from "./gcp-engine.ts";
import { runningClouds } from "./running-clouds.ts";

const running = runningClouds();

/** The only one of a state. */
function only<One>(all: Record<string, One>): One {
  return Object.values(all)[0] as One;
}

describe("a lifecycle rule of the storage of an issuer", () => {
  it.each([
    ["deletes .well-known/openid-configuration", { Expiration: { Days: 30 }, Filter: {} }],
    ["deletes keys.json", { Expiration: { Date: "2027-01-01T00:00:00Z" }, Filter: { Prefix: "keys" } }],
    ["archives .well-known/openid-configuration", { Transitions: [{ Days: 1, StorageClass: "GLACIER" }], Prefix: "" }],
    ["deletes keys.json", { Expiration: { Days: 1 }, Filter: { And: { Prefix: "k", ObjectSizeGreaterThan: 10 } } }],
    [undefined, { Expiration: { Days: 1 }, Filter: {}, Status: "Disabled" }],
    [undefined, { Expiration: { Days: 1 }, Filter: { Prefix: "logs/" } }],
    [undefined, { Expiration: { Days: 1 }, Filter: { Tag: { Key: "a", Value: "b" } } }],
    [undefined, { Expiration: { Days: 1 }, Filter: { And: { Prefix: "", Tags: [{ Key: "a", Value: "b" }] } } }],
    [undefined, { Expiration: { Days: 1 }, Filter: { ObjectSizeGreaterThan: 1_000_000 } }],
    [undefined, { NoncurrentVersionExpiration: { NoncurrentDays: 1 }, Filter: {} }],
    [undefined, { Expiration: { ExpiredObjectDeleteMarker: true }, Filter: {} }],
    [undefined, { Transitions: [{ Days: 1, StorageClass: "STANDARD_IA" }], Filter: {} }],
  ])("on AWS: %s by %j", async (effect, rule) => {
    const files = aws.exportedFiles();
    running.aws.reset();
    await aws.apply(running.aws, files);
    only(running.aws.state.buckets).lifecycle = [{ ID: "clean", Status: "Enabled", ...rule }];
    const why = `its lifecycle rule clean ${effect}, and then no token is accepted; remove the rule, or exclude the documents from it`;
    expect(await aws.differences(running.aws, files)).toEqual(
      effect === undefined ? [] : [`keep bucket demo-oidc ${why}`],
    );
    expect(aws.problems(await aws.destroy(running.aws, files))).toBe("");
    expect(running.aws.state.buckets).toEqual({});
  });

  it.each([
    ["deletes .well-known/openid-configuration", { action: { type: "Delete" }, condition: { age: 30 } }],
    ["deletes keys.json", { action: { type: "Delete" }, condition: { age: 1, matchesSuffix: [".json"] } }],
    [
      "deletes keys.json",
      { action: { type: "Delete" }, condition: { matchesPrefix: ["a", "keys"], matchesStorageClass: ["STANDARD"] } },
    ],
    [undefined, { action: { type: "Delete" }, condition: { age: 1, isLive: false } }],
    [undefined, { action: { type: "Delete" }, condition: { numNewerVersions: 2 } }],
    [undefined, { action: { type: "Delete" }, condition: { daysSinceCustomTime: 2 } }],
    [undefined, { action: { type: "Delete" }, condition: { age: 1, matchesPrefix: ["logs/"] } }],
    [undefined, { action: { type: "Delete" }, condition: { age: 1, matchesStorageClass: ["ARCHIVE"] } }],
    [undefined, { action: { type: "SetStorageClass", storageClass: "ARCHIVE" }, condition: { age: 1 } }],
    [undefined, { action: { type: "AbortIncompleteMultipartUpload" }, condition: { age: 1 } }],
  ])("on Google Cloud: %s by %j", async (effect, rule) => {
    const files = gcp.exportedFiles({ keyStorage: "Bucket" });
    running.gcp.reset();
    await gcp.apply(running.gcp, files);
    only(running.gcp.state.buckets).lifecycle = { rule: [rule] };
    const found =
      effect === undefined ? [] : [expect.stringContaining(`keep bucket demo-oidc its lifecycle rule 1 ${effect}`)];
    expect(await gcp.differences(running.gcp, files)).toEqual(found);
  });

  it.each([
    ["deletes .well-known/openid-configuration", {}, { delete: { daysAfterModificationGreaterThan: 30 } }],
    ["deletes openid/v1/jwks", { prefixMatch: ["demo/openid"] }, { delete: { daysAfterCreationGreaterThan: 1 } }],
    ["archives .well-known/openid-configuration", {}, { tierToArchive: { daysAfterModificationGreaterThan: 1 } }],
    [undefined, { prefixMatch: ["logs/"] }, { delete: { daysAfterModificationGreaterThan: 1 } }],
    [undefined, {}, { tierToCool: { daysAfterModificationGreaterThan: 1 } }],
    [
      undefined,
      { blobIndexMatch: [{ name: "a", op: "==", value: "b" }] },
      { delete: { daysAfterModificationGreaterThan: 1 } },
    ],
  ])("on Azure: %s by %j %j", async (effect, filters, baseBlob) => {
    const files = azure.exportedFiles();
    running.azure.reset();
    await azure.apply(running.azure, files);
    const rule = { name: "clean", enabled: true, type: "Lifecycle", definition: { filters, actions: { baseBlob } } };
    only(running.azure.state.accounts).lifecycle = [rule];
    const found =
      effect === undefined
        ? []
        : [expect.stringMatching(`^keep storage account \\w+ its lifecycle rule clean ${effect}`)];
    expect(await azure.differences(running.azure, files)).toEqual(found);
    only(running.azure.state.accounts).lifecycle = [{ ...rule, enabled: false }];
    expect(await azure.differences(running.azure, files)).toEqual([]);
  });
});
