import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { generators } from "../../../functions/generators.ts";
import { run } from "../../helpers/ccf.ts";
import { type Any, identity, make, subscription } from "../../helpers/cluster.ts";
import { configure, type Fields, newPackage, succeed } from "../../helpers/cluster-package.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const operators = join(corpus, "operators");
const textOf = (path: string) => readFileSync(join(operators, path), "utf8");
const arn = (name: string) =>
  `arn:aws:iam::123456789012:role/demo-${name}`.slice(0, "arn:aws:iam::123456789012:role/".length + 64);

/** What becomes of each file with a request: the bundle of its role, or the finding that says why there is none. */
const outcomes: Readonly<Record<string, string>> = {
  "aws-efs-csi-driver-operator_credentials-node.yaml": "no-service-account",
  "aws-efs-csi-driver-operator_credentials.yaml": "request-placeholder",
  "aws-efs-csi-driver-operator_generated-credentials-node.yaml": "no-service-account",
  "aws-efs-csi-driver-operator_generated-credentials.yaml": "request-placeholder",
  "aws-load-balancer-operator_controller-credentials-request-minify.yaml":
    "aws/roles/aws-load-balancer-operator-aws-load-balancer-controller-cluster.yaml",
  "aws-load-balancer-operator_controller-credentials-request.yaml":
    "aws/roles/aws-load-balancer-operator-aws-load-balancer-controller-cluster.yaml",
  "aws-load-balancer-operator_operator-credentials-request.yaml":
    "aws/roles/aws-load-balancer-operator-aws-load-balancer-operator.yaml",
  "cert-manager-operator_credentialsrequest_aws.yaml": "aws/roles/cert-manager-aws-creds.yaml",
  "cert-manager-operator_credentialsrequest_azure.yaml": "skipped-other-cloud",
  "cert-manager-operator_credentialsrequest_gcp.yaml": "skipped-other-cloud",
  "gcp-filestore-csi-driver-operator_credentials.yaml": "skipped-other-cloud",
  "noobaa-operator_cloud_creds_aws_cr.yaml": "request-placeholder",
  "noobaa-operator_cloud_creds_azure_cr.yaml": "skipped-other-cloud",
  "noobaa-operator_cloud_creds_gcp_cr.yaml": "skipped-other-cloud",
  "sandboxed-containers-operator_credentials_request_aws.yaml": "no-service-account",
  "sandboxed-containers-operator_credentials_request_azure.yaml": "skipped-other-cloud",
  "tempo-operator_monolithic-assert.yaml": "no-service-account",
  "tempo-operator_tempostack-assert.yaml": "aws/roles/chainsaw-awscco-tempo-tmcco-managed-credentials.yaml",
  "trusted-profile-analyzer-operator_credentialRequest.yaml": "aws/roles/trustify-rhtpa-demo-cloud-creds.yaml",
};

/** The lines that one text lost and the other gained. */
function changed(before: string, after: string): { gone: string[]; come: string[] } {
  const rest = after.split("\n");
  const gone: string[] = [];
  const come: string[] = [];
  for (const line of before.split("\n")) {
    const index = rest.indexOf(line);
    if (index < 0) gone.push(line);
    else come.push(...rest.splice(0, index + 1).slice(0, -1));
  }
  return { gone, come: [...come, ...rest] };
}

describeWithCorpus([], "operators' real requests", () => {
  it("are all in the table", () => {
    const files = readdirSync(operators).filter((name) => name.endsWith(".yaml"));
    expect(files.sort()).toEqual(Object.keys(outcomes).sort());
  });

  it.each(Object.entries(outcomes))("%s: %s", (name, outcome) => {
    const items = (loadAll(textOf(name)) as Any[]).filter((value) => value?.metadata?.name !== undefined);
    const [request] = items.filter(({ kind }) => kind === "CredentialsRequest");
    const { namespace } = request.spec.secretRef;
    for (const more of [[], [subscription("any", namespace)]]) {
      const { results, objects, exitCode } = make(generators, identity(), [...items, ...more]);
      const codes = results.map(({ tags }) => tags.code);
      const errors = results.filter(({ severity }) => severity === "error");
      expect(exitCode).toBe(errors.length > 0 ? 1 : 0);
      const roles = Object.keys(objects).filter((path) => path.startsWith("aws/roles/"));
      expect([...codes, ...roles]).toContain(outcome);
      expect(roles.length > 0).toBe(outcome.startsWith("aws/"));
      // A request is delegated to configure-operators only if the Subscription of its operator exists.
      const isOperators = more.length > 0 && !outcome.startsWith("skipped-") && outcome !== "request-placeholder";
      if (isOperators) expect(codes).toContain("skipped-operator");
      if (more.length === 0) expect(codes).not.toContain("skipped-operator");
    }
  });

  it("collide where the two of the load balancer have a long prefix, and are caught", () => {
    const items = ["operator", "controller"].map(
      (text) => load(textOf(`aws-load-balancer-operator_${text}-credentials-request.yaml`)) as Any,
    );
    const all = [...items, subscription("albo", "aws-load-balancer-operator")];
    items[1].metadata.annotations = { "credentials.openshift.io/role-arns-vars": "" };
    const config = (resourcePrefix: string) => identity({ spec: { resourcePrefix, issuer: identity().spec.issuer } });
    const long = "a-cluster-of-19-chs";
    const messages = (prefix: string) =>
      make(generators, config(prefix), all).results.flatMap(({ tags, message }) =>
        tags.code === "role-name-collision" ? [message] : [],
      );
    expect(messages(long)).toEqual([
      expect.stringContaining(`would get the same role "${long}-aws-load-balancer-operator-aws-load-balancer"`),
    ]);
    expect(messages(long.slice(0, 17))).toEqual([]);
  });
});

describeWithCorpus([], "operators' real Subscriptions", () => {
  /** Renders a package with these files of the corpus, and gives the files before and after. */
  const rendered = (
    files: Readonly<Record<string, (text: string) => string>>,
    change: (spec: Fields) => void = () => undefined,
  ) => {
    const requests = join(temporary(), "requests");
    mkdirSync(requests);
    for (const [path, edit] of Object.entries(files)) writeFileSync(join(requests, basename(path)), edit(textOf(path)));
    for (const name of readdirSync(join(corpus, "releases/4.14/aws")))
      copyFileSync(join(corpus, "releases/4.14/aws", name), join(requests, name));
    const directory = newPackage(requests);
    configure(directory, change);
    const before = readTree(directory);
    const { stderr } = succeed(run(["render", directory]));
    expect(succeed(run(["render", directory])).stdout).toBe("Up to date: no file changes.\n");
    const after = readTree(directory);
    return {
      stderr,
      diff: (path: string) =>
        changed(
          before[`credentials-requests/${basename(path)}`] ?? "",
          after[`credentials-requests/${basename(path)}`] ?? "",
        ),
      has: (path: string) => existsSync(join(directory, path)),
    };
  };
  const asIs = (text: string) => text;
  const isAnnotated = (annotation: string) => (text: string) =>
    text.replace(/^metadata:\n/m, `metadata:\n  annotations:\n    ${annotation}\n`);

  it.each([
    [
      "subscriptions/aws-load-balancer-operator_docs-install_1.yaml",
      [],
      ["  config:", "    env:", "    - name: ROLEARN"],
    ],
    ["subscriptions/aws-load-balancer-operator_docs-install_2.yaml", ['      value: "${ROLEARN}"'], []],
  ])("%s gains the role of the operator", (path, gone, before) => {
    const role = arn("aws-load-balancer-operator-aws-load-balancer-operator");
    const { diff, stderr } = rendered({
      [path]: asIs,
      "aws-load-balancer-operator_operator-credentials-request.yaml": asIs,
      "aws-load-balancer-operator_controller-credentials-request.yaml": isAnnotated(
        'credentials.openshift.io/role-arns-vars: ""',
      ),
    });
    expect(diff(path)).toEqual({ gone, come: [...before, `      value: "${role}"`, "  installPlanApproval: Manual"] });
    expect(stderr).not.toContain("warning: ");
  });

  it("the one of the file system driver gains both roles, beside the platform's own drivers, and each copy of a request its own", () => {
    const path = "subscriptions/enhancement_csi-efs-one-zone_1.yaml";
    const fill = (text: string) => text.replace("${NAMESPACE}", "openshift-cluster-csi-drivers");
    const controller = "aws-efs-csi-driver-operator_credentials.yaml";
    const node = "aws-efs-csi-driver-operator_credentials-node.yaml";
    const copies = [controller, node, controller.replace("_", "_generated-"), node.replace("_", "_generated-")];
    const { diff, stderr, has } = rendered(
      { [path]: asIs, ...Object.fromEntries(copies.map((copy) => [copy, fill])) },
      (spec) => {
        spec["overrides"] = {
          "openshift-cluster-csi-drivers/aws-efs-cloud-credentials": {
            serviceAccountNames: ["aws-efs-csi-driver-operator"],
          },
          "openshift-cluster-csi-drivers/node-aws-efs-cloud-credentials": {
            serviceAccountNames: ["aws-efs-csi-driver-node-sa"],
          },
        };
      },
    );
    const [first, second] = ["aws-efs-cloud-credentials", "node-aws-efs-cloud-credentials"].map((text) =>
      arn(`openshift-cluster-csi-drivers-${text}`),
    );
    const { gone, come: gained } = diff(path);
    expect(gone.map((line) => line.replace(/arn:\S+/, "ARN"))).toEqual([
      "    installPlanApproval: Automatic",
      "        value: ARN",
      "        value: ARN",
    ]);
    expect(gained).toEqual([
      "    installPlanApproval: Manual",
      `        value: "${first}"`,
      `        value: "${second}"`,
    ]);
    expect(stderr.match(/\[variable-replaced\]/g)).toHaveLength(2);
    for (const copy of copies) {
      expect(diff(copy)).toEqual({
        gone: [],
        come: [
          `    stsIAMRoleARN: "${copy.includes("node") ? second : first}"`,
          "  cloudTokenPath: /var/run/secrets/openshift/serviceaccount/token",
        ],
      });
    }
    // A release's request in the same namespace stays the platform's.
    expect(has("manifests/openshift-cluster-csi-drivers-ebs-cloud-credentials-credentials.yaml")).toBe(true);
  });

  it("the one of Loki, a template, is warned of, and gains its role when it is filled in", () => {
    const path = "subscriptions/loki-operator_ROLEARN.yaml";
    const fill = (text: string) => text.replace("${CLUSTER_NAME}-", "").replace("$LOKI_NAMESPACE", "cert-manager");
    const request = "cert-manager-operator_credentialsrequest_aws.yaml";
    const { diff } = rendered({ [path]: fill, [request]: asIs });
    expect(diff(path)).toEqual({
      gone: ["  installPlanApproval: Automatic", "      value: $ROLE_ARN"],
      come: ["  installPlanApproval: Manual", `      value: "${arn("cert-manager-aws-creds")}"`],
    });
    const template = rendered({ [path]: asIs, [request]: asIs });
    expect(template.diff(path)).toEqual({ gone: [], come: [] });
    expect(template.stderr).toContain('"metadata.name" is "${CLUSTER_NAME}-loki-operator", not a valid name,');
  });

  it.each(["aws", "azure"])("the fragment for %s, which is not an object, passes through with a warning", (cloud) => {
    const path = `subscriptions/openshift-docs_fragment_${cloud}.yaml`;
    const { diff, stderr } = rendered({ [path]: asIs });
    expect(diff(path)).toEqual({ gone: [], come: [] });
    expect(stderr).toContain("[file-skipped]");
  });
});

describe("changed", () => {
  it("tells the lines that went from those that came", () => {
    expect(changed("a\nb\nc\n", "a\nx\nc\ny\n")).toEqual({ gone: ["b"], come: ["x", "y"] });
  });
});
