import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askMissing, givenAnswers } from "../../../src/cli/new-package/answers.ts";
import { NoAnswer, openPrompt } from "../../../src/cli/terminal/prompt.ts";
import { azureSample, gcpSample, sample } from "../../helpers/sample.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const key = `${sample}/serviceaccount-signer.public`;
const requests = `${sample}/credentials-requests`;

/** The questions, the messages and the result if a user types these lines and then ends the input. */
async function typed(lines: readonly string[], flags: Readonly<Record<string, string>> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(""));
  const prompt = openPrompt(input, output);
  const directory = join(temporary(), "demo");
  const answers = await askMissing(prompt, directory, givenAnswers(flags).given).catch((error: unknown) => error);
  prompt.close();
  return { answers, said: String(output.read() ?? "") };
}

const complete = {
  platform: "aws",
  name: "demo",
  "account-id": "123456789012",
  region: "us-east-2",
  "public-key-file": key,
  "credentials-requests": requests,
};

describe("what ccf init asks", () => {
  it("is checked at once, and asked again if invalid; earlier answers are kept", async () => {
    const other = temporary();
    writeFileSync(join(other, "key"), "text\n");
    mkdirSync(join(other, "empty"));
    const wrong = [
      "openstack",
      "aws",
      "Bad Name",
      "a".repeat(60),
      "demo",
      "aws",
      '"123456789012"',
      "123456789012",
      "prod_one!",
      "us-east-2",
    ];
    writeTree(join(other, "zero"), { "a.yaml": "", "b.yaml": "" });
    writeTree(join(other, "secrets"), { "a.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n" });
    const directories = ["empty", "zero", "secrets"].map((name) => join(other, name));
    const files = [join(other, "nowhere"), join(other, "key"), key, ...directories, requests];
    const { answers, said } = await typed([...wrong, ...files]);
    expect(answers).toEqual(complete);
    const errors = said.match(/error: .*$/gm);
    expect(errors).toEqual([
      expect.stringContaining('--platform must be "aws", "azure" or "gcp" in this version, not "openstack"'),
      expect.stringContaining('"metadata.name" is "Bad Name", but must be a DNS label'),
      expect.stringContaining("[bucket-name-invalid]"),
      expect.stringContaining('"spec.platform.aws.accountID" is "aws", but must be 12 digits. ['),
      expect.stringMatching(/but must be 12 digits\. \[/),
      expect.stringContaining('"spec.platform.aws.region" is "prod_one!", but must be an AWS region'),
      expect.stringContaining("cannot be read (ENOENT)"),
      expect.stringContaining("--public-key-file"),
      expect.stringContaining("contains no YAML files"),
      expect.stringContaining('"a.yaml" is empty, "b.yaml" is empty'),
      expect.stringContaining("contains no CredentialsRequests."),
    ]);
  });

  it("has a default only if the default is valid", async () => {
    const rest = ["123456789012", "us-east-2", key, requests];
    expect((await typed(["", "", ...rest])).answers).toEqual(complete);
  });

  it("is not already set by a flag; an invalid flag is reported before the first question", async () => {
    const { "account-id": _asked, ...flags } = complete;
    expect((await typed(["123456789012"], flags)).answers).toEqual(complete);
    const { answers, said } = await typed(["123456789012"], { ...flags, region: "prod_one!" });
    expect(answers).toBeInstanceOf(Error);
    expect(said).toBe("");
  });

  it("ends when the input ends", async () => {
    const { answers } = await typed(["aws", "demo"]);
    expect(answers).toBeInstanceOf(NoAnswer);
    expect(answers).toMatchObject({ interrupted: false });
  });

  describe("about a cluster on GCP", () => {
    const gcpRequests = `${gcpSample}/credentials-requests`;
    const gcp = {
      platform: "gcp",
      name: "demo",
      "project-id": "my-project",
      "project-number": "123456789012",
      "public-key-file": key,
      "credentials-requests": gcpRequests,
    };

    it("is what its package requires, and not what has a default", async () => {
      const lines = ["gcp", "abc", "", "My", "my-project", '"1"', "123456789012", key, gcpRequests];
      const { answers, said } = await typed(lines);
      expect(answers).toEqual(gcp);
      expect(said.match(/error: .*$/gm)).toEqual([
        expect.stringContaining("[pool-id-invalid]"),
        expect.stringContaining('"spec.platform.gcp.projectID" is "My"'),
        expect.stringMatching(/must be the project's number \(1 to 19 digits\)\. \[/),
      ]);
    });

    it("keeps the flags that were set before the cloud was known, and offers the cloud that has them", async () => {
      const { platform: _, ...flags } = { ...gcp, "key-storage": "Bucket", pool: "pool-one" };
      expect((await typed([""], flags)).answers).toEqual({ ...flags, platform: "gcp" });
      const { answers, said } = await typed(["aws", "gcp"], flags);
      expect(answers).toEqual({ ...flags, platform: "gcp" });
      expect(said).toContain("is an option for GCP, but the platform is AWS; remove the option.");
    });

    it("ends with an error if the cloud makes a flag invalid", async () => {
      const { platform: _, ...flags } = { ...gcp, "project-number": "012" };
      const { answers } = await typed([""], flags);
      expect(answers).toBeInstanceOf(Error);
    });
  });

  describe("about a cluster on Azure", () => {
    const azureRequests = `${azureSample}/credentials-requests`;
    const azure = {
      platform: "azure",
      name: "demo",
      "subscription-id": "00000000-1111-2222-3333-444444444444",
      "tenant-id": "55555555-6666-7777-8888-999999999999",
      region: "eastus",
      "public-key-file": key,
      "credentials-requests": azureRequests,
    };

    it("is what its package requires, and not what has a default", async () => {
      const ids = ["demo", azure["subscription-id"], "{}", azure["tenant-id"]];
      const lines = ["azure", "ab", "", ...ids, "East US", "eastus", key, requests, azureRequests];
      const { answers, said } = await typed(lines);
      expect(answers).toEqual(azure);
      expect(said.match(/error: .*$/gm)).toEqual([
        expect.stringContaining("[container-name-invalid]"),
        expect.stringContaining('"spec.platform.azure.subscriptionID" is "demo", but must be a UUID'),
        expect.stringContaining('"spec.platform.azure.tenantID" is "{}", but must be a UUID'),
        expect.stringContaining('"spec.platform.azure.region" is "East US", but must be an Azure region in lowercase'),
        expect.stringContaining("contains CredentialsRequests, but none for Azure."),
      ]);
    });

    it("keeps the flags that were set before the cloud was known, and offers the cloud that has them", async () => {
      const inChina = { cloud: "AzureChinaCloud", region: "chinaeast2", "storage-account": "keys" };
      const { platform: _, ...flags } = { ...azure, ...inChina };
      expect((await typed([""], flags)).answers).toEqual({ ...flags, platform: "azure" });
      const { answers, said } = await typed(["gcp", "azure"], flags);
      expect(answers).toEqual({ ...flags, platform: "azure" });
      expect(said).toMatch(/--[a-z-]+ is an option for Azure, but the platform is GCP; remove the option\./);
    });
  });
});
