import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { readPackage } from "../../../src/cli/package/package-files.ts";
import { run } from "../../helpers/ccf.ts";
import {
  awsOf,
  configure,
  generatedFiles,
  handMadeFiles,
  newPackage,
  sampleRequests,
  succeed,
} from "../../helpers/cluster-package.ts";
import { kptRender, shell } from "../../helpers/kpt.ts";
import { corpus, describeWith, describeWithCorpus } from "../../helpers/need.ts";
import { pythonYaml, readWithPython } from "../../helpers/python.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

describeWith(["kpt", ...pythonYaml], "kpt fn render", () => {
  it("gives the files that ccf render gives, byte for byte", () => {
    expectSameAsCcf(newPackage());
  });

  it("gives them also with every option that changes what is generated", () => {
    const directory = newPackage();
    configure(directory, (spec) => {
      spec["resourcePrefix"] = "a-prefix-of-its-own";
      spec["tokenPath"] = "/var/run/secrets/elsewhere/token";
      spec["secret"] = { encoding: "data" };
      const aws = awsOf(spec);
      aws["tags"] = { team: "größe 1", yes: "no", "0x1F": "1e3", empty: "", "012": "2012-10-17", "a:b": "c: d" };
      aws["roles"] = { path: "/ocp/", requireAudience: true, maxSessionDuration: 7200 };
      aws["includeRegionInSecret"] = true;
      aws["thumbprints"] = ["0123456789abcdef0123456789abcdef01234567"];
      aws["overrides"] = {
        "openshift-ingress-operator/cloud-credentials": {
          managedPolicyARNs: ["arn:aws:iam::123456789012:policy/extra"],
        },
      };
    });
    const files = expectSameAsCcf(directory);
    expect(files["aws/roles/openshift-ingress-operator-cloud-credentials.yaml"]).toContain("größe 1");
  });

  it("reads .krmignore as ccf does", () => {
    const object = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";
    const paths = ["a.yaml", "b.yaml", "deep/x/a.yaml", "deep/x/f.yaml", "keep/g.yaml", "keep/h.yaml", "sub/c.yaml"];
    const cases = [
      "keep/\n!keep/h.yaml",
      "keep/*\n!keep/h.yaml",
      "*.yaml\n!a.yaml",
      "A.yaml",
      "**/x",
      "deep/**/f.yaml",
    ];
    for (const text of [...cases, "/a.yaml", "a.yaml  ", "a.yaml\r", "[ab].yaml", "#a.yaml", "sub", "deep/x/", "x*/"]) {
      const directory = temporary();
      writeTree(directory, {
        ...Object.fromEntries(paths.map((path) => [path, object])),
        Kptfile: "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n",
        ".krmignore": `${text}\n`,
        // Without a Kptfile beside it, it has no meaning.
        "sub/.krmignore": "*\n",
      });
      const { stdout } = shell("kpt fn source .", directory);
      const read = [...stdout.matchAll(/ internal\.config\.kubernetes\.io\/path: '(.*)'$/gm)].map(([, path]) => path);
      const files = readPackage(directory).files.map(({ path }) => path);
      expect(files, text).toEqual(read.sort());
      expect(files.length, text).toBeGreaterThan(0);
    }
  });

  it("changes no byte of generated files in a second run", () => {
    const directory = newPackage();
    succeed(kptRender(directory));
    const first = readTree(directory);
    succeed(kptRender(directory));
    expect(readTree(directory)).toEqual(first);
    expect(run(["render", "--check", directory]).status).toBe(0);
  });

  it("has nothing to do after ccf render, and ccf render nothing after kpt", () => {
    const directory = newPackage();
    succeed(run(["render", directory]));
    const rendered = generatedFiles(directory);
    succeed(kptRender(directory));
    expect(generatedFiles(directory)).toEqual(rendered);
    expect(run(["render", "--check", directory]).status).toBe(0);
  });

  it("keeps the values of what was made by hand; ccf render keeps its bytes", () => {
    const directory = newPackage();
    writeTree(directory, { "apps/strange.yaml": strange, "apps/windows.yaml": strange.replaceAll("\n", "\r\n") });
    const before = handMadeFiles(directory);
    const withKpt = copyOf(directory);
    succeed(run(["render", directory]));
    succeed(kptRender(withKpt));
    expect(handMadeFiles(directory)).toEqual(before);
    const after = handMadeFiles(withKpt);
    expect(after["apps/strange.yaml"]).not.toBe(before["apps/strange.yaml"]);
    expect(valuesOf(after)).toEqual(valuesOf(before));
    expect(generatedFiles(withKpt)).toEqual(generatedFiles(directory));
  });

  it("sets the issuer of an Authentication that was there, and that alone", () => {
    const directory = newPackage();
    const own = `# Ours.
apiVersion: config.openshift.io/v1
kind: Authentication
metadata:
  name: cluster
spec:
  type: None # no OAuth
  serviceAccountIssuer: ""
`;
    writeTree(directory, { "config/authentication.yaml": own });
    const withKpt = copyOf(directory);
    succeed(run(["render", directory]));
    succeed(kptRender(withKpt));
    const text = readTree(directory)["config/authentication.yaml"] ?? "";
    expect(text.replace("https://demo-oidc.s3.us-east-2.amazonaws.com", "")).toBe(own);
    expect(readTree(withKpt)["config/authentication.yaml"]).toBe(text);
    expect(generatedFiles(withKpt)).toEqual(generatedFiles(directory));
    expect(Object.keys(generatedFiles(withKpt))).not.toContain("manifests/cluster-authentication-02-config.yaml");
  });

  it("removes the files of a request that is gone if the ClusterIdentity allows it by name, as ccf render does", () => {
    const directory = newPackage();
    succeed(kptRender(directory));
    const before = Object.keys(readTree(directory));
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    expect(kptRender(directory).status).not.toBe(0);
    expect(Object.keys(readTree(directory))).toContain("aws/roles/openshift-ingress-operator-cloud-credentials.yaml");
    const config = join(directory, "cluster-identity.yaml");
    const annotation = "fn.cloudcredential.dev/allow: removal:openshift-ingress-operator/cloud-credentials";
    const text = readFileSync(config, "utf8");
    writeFileSync(config, text.replace("  annotations:\n", `  annotations:\n    ${annotation}\n`));
    const withCcf = copyOf(directory);
    succeed(kptRender(directory));
    const after = readTree(directory);
    expect(before.filter((path) => after[path] === undefined)).toEqual([
      "aws/roles/openshift-ingress-operator-cloud-credentials.yaml",
      "credentials-requests/20-ingress.yaml",
      "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml",
    ]);
    expect(Object.keys(after).filter((path) => !before.includes(path))).toEqual([]);
    succeed(run(["render", withCcf]));
    expect(readTree(withCcf)).toEqual(after);
  });

  it("renders a package inside a package, each for its own cluster", () => {
    const parent = newPackage();
    const child = newPackage(sampleRequests, { name: "inner", region: "eu-west-1" });
    rmSync(join(child, "credentials-requests/10-registry.yaml"));
    const both = copyOf(parent);
    cpSync(child, join(both, "clusters/inner"), { recursive: true });
    succeed(kptRender(both));
    succeed(run(["render", parent]));
    succeed(run(["render", child]));
    const inside = Object.entries(generatedFiles(child)).map(([path, text]) => [`clusters/inner/${path}`, text]);
    expect(inside.length).toBeGreaterThanOrEqual(6);
    const expected = { ...generatedFiles(parent), ...Object.fromEntries(inside) };
    expect(generatedFiles(both)).toEqual(expected);
    succeed(kptRender(both));
    expect(generatedFiles(both)).toEqual(expected);
    expect(run(["render", "--check", both]).status).toBe(1);
    expect(run(["render", "--check", "--only-ours", both]).status).toBe(0);
    expect(run(["render", "--check", join(both, "clusters/inner")]).status).toBe(0);
  });

  it("leaves the package as it was after an error of the first function", () => {
    expectUntouched((directory) => {
      configure(directory, (spec) => {
        awsOf(spec)["accountID"] = "12345";
      });
    }, "spec.platform.aws.accountID");
  });

  it("leaves the package as it was after an error of the last function", () => {
    expectUntouched((directory) => {
      writeTree(directory, {
        "credentials-requests/50-nowhere.yaml": `apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: nowhere
  namespace: openshift-cloud-credential-operator
spec:
  secretRef:
    namespace: openshift-nowhere
    name: credentials
  serviceAccountNames:
  - ""
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - effect: Allow
      action: ["s3:GetObject"]
      resource: "*"
`,
      });
    }, "serviceAccountNames");
  });

  it("leaves the package as it was when a Secret of a needed name was made by hand", () => {
    expectUntouched((directory) => {
      writeTree(directory, {
        "apps/secret.yaml": `apiVersion: v1
kind: Secret
metadata:
  name: cloud-credentials
  namespace: openshift-ingress-operator
stringData:
  credentials: by hand
`,
      });
    }, "openshift-ingress-operator");
  });
});

describeWith(["kpt"], "kpt fn eval", () => {
  it.each([
    ["generate-cloud-credentials", /^(?:aws\/roles\/|manifests\/.+-credentials\.yaml$)/],
    ["generate-oidc-issuer", /^(?:aws\/(?:cluster|issuer)\.yaml|manifests\/cluster-authentication-02-config\.yaml)$/],
  ])("runs %s with the ClusterIdentity of the package", (name, own) => {
    const directory = newPackage();
    const whole = copyOf(directory);
    succeed(run(["render", whole]));
    succeed(shell(`kpt fn eval --exec "ccf ${name}"`, directory));
    const files = generatedFiles(directory);
    const expected = Object.entries(generatedFiles(whole)).filter(([path]) => own.test(path));
    expect(expected.length).toBeGreaterThanOrEqual(2);
    expect(files).toMatchObject(Object.fromEntries(expected));
    expect(Object.keys(files).filter((path) => !own.test(path))).toEqual([]);
  });

  it("takes the ClusterIdentity from a file that is not in the package", () => {
    const directory = newPackage();
    const whole = copyOf(directory);
    succeed(run(["render", whole]));
    const elsewhere = join(temporary(), "config.yaml");
    renameSync(join(directory, "cluster-identity.yaml"), elsewhere);
    for (const name of ["generate-oidc-issuer", "generate-cloud-credentials"]) {
      succeed(shell(`kpt fn eval --exec "ccf ${name}" --fn-config '${elsewhere}'`, directory));
    }
    expect(generatedFiles(directory)).toEqual(generatedFiles(whole));
  });

  it("fails and changes nothing where there is no ClusterIdentity", () => {
    const directory = newPackage();
    rmSync(join(directory, "cluster-identity.yaml"));
    const before = readTree(directory);
    const { status, stderr } = shell('kpt fn eval --exec "ccf generate-cloud-credentials"', directory);
    expect(status).not.toBe(0);
    expect(stderr).toContain("No ClusterIdentity was found");
    expect(readTree(directory)).toEqual(before);
  });
});

describeWith(["kpt"], "kpt fn source | ccf | kpt fn sink", () => {
  it("gives the files that ccf render gives", () => {
    const directory = newPackage();
    const line =
      "set -e; kpt fn source . > ../0; ccf generate-oidc-issuer < ../0 > ../1; ccf generate-cloud-credentials < ../1 | kpt fn sink ../out";
    succeed(shell(line, directory));
    succeed(run(["render", directory]));
    const out = join(directory, "../out");
    expect(generatedFiles(out)).toEqual(generatedFiles(directory));
    expect(Object.keys(handMadeFiles(out))).toEqual(
      Object.keys(handMadeFiles(directory)).filter((path) => !path.startsWith(".")),
    );
  });

  it("runs both functions for a ClusterIdentity where none is named", () => {
    const directory = newPackage();
    succeed(shell("kpt fn source . | ccf | kpt fn sink ../out", directory));
    succeed(run(["render", directory]));
    expect(generatedFiles(join(directory, "../out"))).toEqual(generatedFiles(directory));
  });

  it("writes nothing where a function fails", () => {
    const directory = newPackage();
    configure(directory, (spec) => {
      awsOf(spec)["accountID"] = "12345";
    });
    const { status, stderr } = shell(
      "kpt fn source . > ../0 && ccf generate-oidc-issuer < ../0 > ../1 && kpt fn sink ../out < ../1",
      directory,
    );
    expect(status).toBe(1);
    expect(stderr).toContain("spec.platform.aws.accountID");
    expect(Object.keys(readTree(join(directory, "..")))).not.toContain("out/Kptfile");
  });
});

describeWithCorpus(["kpt", ...pythonYaml], "kpt fn render of real CredentialsRequests", () => {
  describe.each(["releases/4.13/aws", "releases/4.14/aws", "releases/4.19/aws", "releases/main/aws", "payload-files"])(
    "%s",
    (input) => {
      it("gives the files that ccf render gives, and keeps the requests' values", () => {
        const files = expectSameAsCcf(newPackage(join(corpus, input)));
        expect(Object.keys(files).length).toBeGreaterThanOrEqual(14);
      });
    },
  );
});

/** Renders a package with both and compares; a second time with kpt. */
function expectSameAsCcf(directory: string): Record<string, string> {
  const withKpt = copyOf(directory);
  const before = valuesOf(handMadeFiles(directory));
  succeed(run(["render", directory]));
  succeed(kptRender(withKpt));
  const files = generatedFiles(withKpt);
  expect(files).toEqual(generatedFiles(directory));
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(8);
  expect(valuesOf(handMadeFiles(withKpt))).toEqual(before);
  succeed(kptRender(withKpt));
  expect(generatedFiles(withKpt)).toEqual(files);
  return files;
}

/** A package that was rendered and then got an error fails under kpt, and keeps every byte. */
function expectUntouched(spoil: (directory: string) => void, said: string): void {
  const directory = newPackage();
  succeed(run(["render", directory]));
  spoil(directory);
  const before = readTree(directory);
  const { status, stderr } = kptRender(directory);
  expect(status).not.toBe(0);
  expect(stderr).toContain(said);
  expect(readTree(directory)).toEqual(before);
}

function copyOf(directory: string): string {
  const copy = join(temporary(), "package");
  cpSync(directory, copy, { recursive: true });
  return copy;
}

/** What readers of YAML 1.1 and of 1.2 find in the YAML files of a package. */
function valuesOf(files: Record<string, string>): unknown {
  const yaml = Object.fromEntries(Object.entries(files).filter(([path]) => /(?:^Kptfile|\.ya?ml)$/.test(path)));
  const newer = Object.entries(yaml).map(([path, text]) => [path, loadAll(text)]);
  return { newer: Object.fromEntries(newer), older: readWithPython(yaml) };
}

// kpt rewrites this file with different white space and quotes.
const strange = `# A comment before the object.
apiVersion: v1
kind: ConfigMap
metadata:
    name:   strange
    annotations: {octal: "0644", yes: 'on'}
data:
    # A comment inside.
    folded: >-
        two lines
        in one
    literal: |+
        kept

    date: "2012-10-17"
    long: '9007199254740993'
    snowman: "\\u2603 ☃"
---
apiVersion: example.dev/v1
kind: Numbers
metadata: {name: numbers}
spec:
    mode: 0644
    big: 9007199254740993
    one: 1.0
    exponent: 1e3
    day: 2012-10-17
    answer: yes
    nothing: ~
    base: &base {a: 1}
    again: *base
`;
