import { describe, expect, it } from "vitest";
import { validate } from "../../../functions/validate-credentials/function.ts";
import { type Any, identity, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

/** What the rules about requests find, and what accepts it, as "severity code message". */
function found(objects: readonly Any[], spec: Any = {}) {
  const items = [identity({ spec }), ...objects].map((object) =>
    resourceOf(object, { path: `${object.metadata.name}.yaml` }),
  );
  return validate({ items, functionConfig: undefined })
    .filter(({ code }) =>
      /^(?:request-cluster-secret|request-namespace-look-alike|service-account-(?:default|shared)|accept-.*)$/.test(
        code,
      ),
    )
    .map(({ severity, code, message, field }) => ({ severity, code, message, field }));
}

const named = (
  namespace: string,
  name: string,
  serviceAccountNames: readonly string[] = ["sample"],
  metadata: Any = {},
) => request("sample", { metadata, spec: { secretRef: { namespace, name }, serviceAccountNames } });

describe("a request for a Secret of the cluster itself", () => {
  it.each([
    ["openshift-config", "pull-secret"],
    ["kube-system", "aws-creds"],
    ["kube-system", "gcp-credentials"],
    ["kube-system", "azure-credentials"],
    ["openshift-kube-apiserver", "bound-service-account-signing-key"],
    ["openshift-kube-apiserver-operator", "next-bound-service-account-signing-key"],
  ])("is an error: %s/%s", (namespace, name) => {
    expect(found([named(namespace, name)])).toEqual([
      {
        severity: "error",
        code: "request-cluster-secret",
        message: `names the Secret "${namespace}/${name}", which belongs to the cluster itself, so its manifest would replace that Secret; correct "spec.secretRef".`,
        field: "spec.secretRef",
      },
    ]);
  });

  it("is fine with another name or namespace, if it is skipped, and if it is accepted", () => {
    expect(found([named("openshift-config", "my-pull-secret")])).toEqual([]);
    expect(found([named("openshift-sample", "pull-secret")])).toEqual([]);
    const key = "openshift-config/pull-secret";
    const one = named("openshift-config", "pull-secret");
    expect(found([one], { overrides: { [key]: { skip: true } } })).toEqual([]);
    const accept = [{ rule: "request-cluster-secret", object: key, reason: "a test cluster" }];
    expect(found([one], { accept })).toMatchObject([{ severity: "info", code: "request-cluster-secret" }]);
  });
});

describe("a namespace that looks like one of OpenShift", () => {
  it.each([
    ["openshift-ingress-operat0r", "openshift-ingress-operator"],
    ["openshift-lngress-operator", "openshift-ingress-operator"],
    ["openshift-rnachine-api", "openshift-machine-api"],
    ["openshift-machine-apis", "openshift-machine-api"],
    ["0penshift-image-registy", "openshift-image-registry"],
    ["openshift-cluster-csi-driver", "openshift-cluster-csi-drivers"],
    ["openshift-clutser-api", "openshift-cluster-api"],
  ])("is a warning: %s", (namespace, like) => {
    expect(found([named(namespace, "cloud-credentials")])).toEqual([
      {
        severity: "warning",
        code: "request-namespace-look-alike",
        message: `is for the namespace "${namespace}", which looks like "${like}", a namespace of OpenShift; correct it, or accept the finding with the reason.`,
        field: "spec.secretRef.namespace",
      },
    ]);
  });

  it.each([
    "openshift-ingress-operator",
    "openshift-ingress",
    "openshift-machine-config-operator",
    "openshift-storage",
    "backups",
  ])("is not %s", (namespace) => {
    expect(found([named(namespace, "cloud-credentials")])).toEqual([]);
  });

  it("is one of a service account, too", () => {
    const overrides = { "backups/cloud": { serviceAccountNames: ["openshift-machine-apl/sample"] } };
    expect(found([named("backups", "cloud")], { overrides })).toMatchObject([{ code: "request-namespace-look-alike" }]);
  });
});

describe("the service account default", () => {
  it("is a warning in a namespace of the platform, and not in that of an operator", () => {
    expect(found([named("kube-system", "cloud", ["default"])])).toEqual([
      {
        severity: "warning",
        code: "service-account-default",
        message:
          'names the service account "kube-system/default", which every pod of the namespace has that names no other, so all of them could use its component identity; name a service account of the component.',
        field: "spec.serviceAccountNames",
      },
    ]);
    expect(found([named("openshift-sample", "cloud", ["default"])])).toEqual([]);
    const metadata = {
      annotations: {
        "fn.cloudcredential.dev/accept": "service-account-default",
        "fn.cloudcredential.dev/accept-reason": "one pod",
      },
    };
    expect(found([named("kube-system", "cloud", ["default"], metadata)])).toMatchObject([{ severity: "info" }]);
  });
});

describe("a service account of two requests", () => {
  const two = [
    named("ns", "a", ["x", "shared"]),
    { ...named("ns", "b", ["shared"]), metadata: { ...named("ns", "b").metadata, name: "other" } },
  ];

  it("is a warning at the second one, whatever the order", () => {
    const warnings = found(two);
    expect(warnings).toEqual([
      {
        severity: "warning",
        code: "service-account-shared",
        message:
          'names the service account "ns/shared", which CredentialsRequest "openshift-cloud-credential-operator/other" names, too, so its pods could use both component identities; use an account for each request, or accept the finding with the reason.',
        field: "spec.serviceAccountNames",
      },
    ]);
    expect(found([...two].reverse())).toEqual(warnings);
  });

  it("is none in two namespaces, or if one request is skipped", () => {
    expect(
      found([two[0], { ...two[1], spec: { ...two[1]?.spec, secretRef: { namespace: "other", name: "b" } } }]),
    ).toEqual([]);
    expect(found(two, { overrides: { "ns/a": { skip: true } } })).toEqual([]);
  });

  it("is one if an override names it", () => {
    const overrides = { "ns/a": { serviceAccountNames: ["z"] } };
    expect(found(two, { overrides })).toEqual([]);
    const other = { "ns/a": { serviceAccountNames: ["ns/shared"] } };
    expect(found(two, { overrides: other })).toMatchObject([{ code: "service-account-shared" }]);
  });
});
