import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { type Draft, interviewFor } from "../../../src/cli/import/draft.ts";
import { askAll } from "../../../src/cli/new-package/answers.ts";
import { openPrompt } from "../../../src/cli/terminal/prompt.ts";
import { gcpInspector } from "../../../src/clouds/gcp/inspector.ts";
import { gcpQuestions } from "../../../src/clouds/gcp/questions.ts";
import { sample } from "../../helpers/sample.ts";

const issuerUrl = "https://oidc.example.com/demo";
const draft: Draft = {
  cloud: gcpQuestions,
  cluster: {
    issuerUrl,
    config: [],
    listings: [],
    infrastructure: undefined,
    clusterVersion: undefined,
    featureGate: undefined,
    requests: [],
    secrets: new Map(),
    signingKeys: undefined,
  },
  requests: [],
  facts: gcpInspector.readLive?.({ issuerUrl, items: [], secrets: [] }) as Draft["facts"],
  prefix: undefined,
  release: { featureSet: undefined, featureGates: [] },
};

it("asks only what neither the cluster nor a flag says, and checks each answer with all that is known", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const key = `${sample}/serviceaccount-signer.public`;
  const lines = ["Bad Name", "demo", "x", "123456789012", "Bucket", "Nowhere", "External", `${sample}/README.md`, key];
  input.end(lines.map((line) => `${line}\n`).join(""));
  const prompt = openPrompt(input, output);
  const answers = await askAll(prompt, { "project-id": "my-project" }, interviewFor(draft, false));
  prompt.close();
  expect(answers).toEqual({
    name: "demo",
    "project-id": "my-project",
    "project-number": "123456789012",
    "key-storage": "External",
    "public-key-file": key,
  });
  const said = String(output.read());
  expect(said).not.toContain("GCP project ID");
  expect(said.match(/error: .*$/gm)?.map((line) => line.replace(/^.*\[(.*)\]$/, "$1"))).toEqual([
    "config-invalid-field",
    "config-invalid-field",
    // A bucket cannot have the URL of the issuer.
    "issuer-contradiction",
    "config-invalid-field",
    "signing-key-invalid",
  ]);
});
