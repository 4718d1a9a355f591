import { describe, expect, it } from "vitest";
import { expectClean, expectFinding, identity, makeCredentials, request } from "../../helpers/cluster.ts";

const base = "spec.platform.aws.overrides";
const start = (key: string, location = base) =>
  `the override "${key}" in "${location}" matches no request that is included in this cluster. The name of an override is "<secret namespace>/<secret name>". `;
const requests = [
  request("ingress", { spec: { secretRef: { namespace: "openshift-ingress-operator", name: "cloud-credentials" } } }),
  request("registry", {
    spec: { secretRef: { namespace: "openshift-image-registry", name: "installer-credentials" } },
  }),
];
const told = (key: string, some = requests) =>
  expectFinding(
    makeCredentials(identity({ aws: { overrides: { [key]: { roleName: "Own" } } } }), some),
    "error",
    "override-unmatched",
  );

describe("an override that matches no request", () => {
  const ingress =
    'Rename it to "openshift-ingress-operator/cloud-credentials", the Secret of CredentialsRequest "openshift-cloud-credential-operator/ingress", or remove it.';

  it.each([
    ["the request's namespace and name", "openshift-cloud-credential-operator/ingress"],
    ["the Secret's namespace and the request's name", "openshift-ingress-operator/ingress"],
    ["the Secret's namespace", "openshift-ingress-operator/credentials"],
    ["the Secret's name", "ingress/cloud-credentials"],
  ])("gets the intended key in the message: %s", (_what, key) => {
    expect(told(key)).toBe(start(key) + ingress);
  });

  it("works with the key from the message", () => {
    const overrides = { "openshift-ingress-operator/cloud-credentials": { roleName: "Own" } };
    expectClean(makeCredentials(identity({ aws: { overrides } }), requests));
  });

  it("gets the most similar key in the message", () => {
    const key = "openshift-ingres-operator/cloud-credential";
    expect(told(key)).toBe(`${start(key)}Rename it to "openshift-ingress-operator/cloud-credentials", or remove it.`);
  });

  it("gets all keys in the message if none is similar, up to the limit of a message", () => {
    const both = '"openshift-image-registry/installer-credentials", "openshift-ingress-operator/cloud-credentials"';
    expect(told("x/y")).toBe(`${start("x/y")}Rename it to one of ${both}, or remove it.`);
    const many = Array.from({ length: 7 }, (_, at) => request(`r${at}`));
    const five = Array.from({ length: 5 }, (_, at) => `"ns-r${at}/credentials"`).join(", ");
    expect(told("elsewhere/z", many)).toBe(
      `${start("elsewhere/z")}Rename it to one of ${five} and 2 more, or remove it.`,
    );
  });

  it("is compared with the names of all requests only if it is among the first", () => {
    const keys = Array.from({ length: 30 }, (_, at) => `openshift-ingress-operator/cloud-credentials${at}`);
    const overrides = Object.fromEntries(keys.map((key) => [key, { roleName: "Own" }]));
    const { results } = makeCredentials(identity({ aws: { overrides } }), requests);
    const said = results.filter(({ tags }) => tags.code === "override-unmatched").map(({ message }) => message);
    expect(said).toHaveLength(30);
    expect(said.filter((message) => message.includes(ingress))).toHaveLength(20);
    expect(said.filter((message) => message.endsWith(". Correct the name, or remove it."))).toHaveLength(10);
  });

  it("is reported at each field that contains it", () => {
    const spec = { overrides: { "x/y": { serviceAccountNames: ["own"] }, "ns-one/credentials": { skip: true } } };
    const aws = { overrides: { "x/y": { roleName: "Own" }, "ns-one/credentials": { roleName: "Own" } } };
    const made = makeCredentials(identity({ spec, aws }), [request("one")]);
    const cure = 'Rename it to one of "ns-one/credentials", or remove it.';
    expect(made.exitCode).toBe(1);
    expect(made.results.filter(({ severity }) => severity === "error")).toMatchObject([
      { message: start("x/y", "spec.overrides") + cure, field: { path: "spec.overrides.x/y" } },
      { message: start("x/y") + cure, field: { path: `${base}.x/y` } },
    ]);
  });
});

describe("a request without a service account", () => {
  it("gets a working override in the message", () => {
    const withoutAccounts = [request("one", { spec: { serviceAccountNames: [] } })];
    const message = expectFinding(makeCredentials(identity(), withoutAccounts), "error", "no-service-account");
    const [, entry = ""] = /add (.*) to "spec\.overrides"\.$/.exec(message) ?? [];
    const overrides = JSON.parse(`{${entry.replace("NAME", "one-operator")}}`);
    expectClean(makeCredentials(identity({ spec: { overrides } }), withoutAccounts));
  });
});
