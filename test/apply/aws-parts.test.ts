import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { type Answer, answerOf } from "../helpers/in-process.ts";
import { azureFlags, initFlags } from "../helpers/sample.ts";
import { readTree, temporary } from "../helpers/temporary.ts";
import { AwsCloud } from "./aws-cloud.ts";
import { apply, destroy, destroyPlan, differences, open, plan, problems, said, usual } from "./aws-engine.ts";

/*
 * The issuer and the roles of a cluster in the hands of two departments: a package each, which know nothing of each other but
 * the URL of the issuer and its public key.
 */

const url = "https://demo-issuer-oidc.s3.us-east-2.amazonaws.com";
const provider = `arn:aws:iam::123456789012:oidc-provider/${url.slice("https://".length)}`;
const cloud = new AwsCloud();
beforeEach(() => cloud.reset());

const withoutRequests = { "credentials-requests": undefined };
const identities = ["--only", "identities", "--issuer-url", url];

async function ok(...args: string[]): Promise<Answer> {
  const answer = await answerOf(args);
  expect({ args, ...answer }).toMatchObject({ args, status: 0 });
  return answer;
}

/** Creates the package of a part, and exports it. */
async function part(...flags: string[]): Promise<{ directory: string; files: Map<string, string> }> {
  const root = temporary();
  const [directory, out] = [join(root, "package"), join(root, "out")];
  await ok("init", directory, ...flags);
  await ok("render", "--quiet", directory);
  await ok("export", directory, "--quiet", "--output-dir", out);
  const files = Object.entries(readTree(out)).filter(([path]) => path.startsWith("aws/"));
  return { directory, files: new Map(files) };
}

const issuer = () => part("--only", "issuer", ...initFlags(withoutRequests));
const roles = () => part(...identities, ...initFlags());

it("each department creates its package, and applies it, without editing a file", async () => {
  const [first, second] = [await issuer(), await roles()];
  expect(readTree(first.directory)["Kptfile"]).not.toContain("generate-cloud-credentials");
  expect(readTree(second.directory)["cluster-identity.yaml"]).toContain(`identityProviderARN: "${provider}"`);
  expect(problems(await apply(cloud, first.files))).toBe("");
  expect(cloud.state.roles).toEqual({});
  expect(Object.keys(cloud.state.providers)).toEqual([provider]);
  const before = structuredClone({ buckets: cloud.state.buckets, providers: cloud.state.providers });
  expect(problems(await apply(cloud, second.files))).toBe("");
  expect(Object.keys(cloud.state.roles)).toHaveLength(3);
  expect({ buckets: cloud.state.buckets, providers: cloud.state.providers }).toEqual(before);
  expect([await differences(cloud, first.files), await differences(cloud, second.files)]).toEqual([[], []]);
});

it("the roles wait for the provider of the other department", async () => {
  const { files } = await roles();
  expect(problems(await apply(cloud, files))).toBe("");
  const steps = said(await plan(open(cloud, files)));
  expect(steps[0]).toBe(
    `refuse provider ${url.slice("https://".length)} it cannot be created: the configuration names it, so it must exist; create it, or remove spec.platform.aws.identityProviderARN, and render again`,
  );
  expect(cloud.state.roles).toEqual({});
  expect(cloud.state.providers).toEqual({});
});

it("neither a removal with --prune nor a destroy of one lists what the other made", async () => {
  const [first, second] = [await issuer(), await roles()];
  await apply(cloud, first.files);
  await apply(cloud, second.files);
  const kinds = async (files: Map<string, string>) => {
    const pruned = await plan(open(cloud, files), { ...usual, prune: true });
    const { steps } = await destroyPlan(open(cloud, files));
    const names = [...pruned.steps, ...steps].filter(({ action }) => action !== "none" && action !== "keep");
    return [...new Set(names.map(({ kind }) => kind))].sort();
  };
  expect(await kinds(first.files)).toEqual(["bucket", "provider"]);
  expect(await kinds(second.files)).toEqual(["role"]);
  expect(problems(await destroy(cloud, second.files))).toBe("");
  expect([cloud.state.roles, Object.keys(cloud.state.providers)]).toEqual([{}, [provider]]);
  await apply(cloud, second.files);
  expect(problems(await destroy(cloud, first.files))).toBe("");
  expect([cloud.state.providers, cloud.state.buckets]).toEqual([{}, {}]);
  expect(Object.keys(cloud.state.roles)).toHaveLength(3);
});

it.each<[string, readonly string[], string]>([
  ["roles without an issuer", ["--only", "identities", ...initFlags()], "--only identities requires --issuer-url"],
  [
    "requests for an issuer",
    ["--only", "issuer", ...initFlags()],
    "--credentials-requests has no effect with --only issuer",
  ],
  [
    "an issuer's URL for an issuer",
    ["--only", "issuer", "--issuer-url", url, ...initFlags(withoutRequests)],
    "--issuer-url requires",
  ],
  [
    "an issuer's URL for a whole cluster",
    ["--issuer-url", url, ...initFlags()],
    "--issuer-url requires --like or --only identities",
  ],
  ["an invalid URL", ["--only", "identities", "--issuer-url", "http://x", ...initFlags()], "https"],
  ["another cloud", ["--only", "issuer", ...azureFlags(withoutRequests)], "--only is not supported for Azure"],
  [
    "another package",
    ["--only", "issuer", "--like", "x", ...initFlags(withoutRequests)],
    "--only cannot be combined with --like",
  ],
])("refuses %s, and writes nothing", async (_what, flags, message) => {
  const root = temporary();
  const { status, stderr } = await answerOf(["init", join(root, "package"), ...flags]);
  expect([status, stderr, readTree(root)]).toEqual([1, expect.stringContaining(message), {}]);
});
