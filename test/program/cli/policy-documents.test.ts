import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { awsOf, packageWithBoundary, renderedPackage } from "../../helpers/cluster-package.ts";
import { temporary } from "../../helpers/temporary.ts";

const arn = "arn:aws:iam::123456789012:policy/boundary";
const details = (action: string) =>
  JSON.stringify({
    Policies: [
      {
        Arn: arn,
        PolicyVersionList: [
          {
            VersionId: "v1",
            IsDefaultVersion: true,
            Document: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: action, Resource: "*" }] },
          },
        ],
      },
    ],
  });

/** A file with the document of the boundary. */
function file(action: string): string {
  const path = join(temporary(), "details.json");
  writeFileSync(path, details(action));
  return path;
}

describe("--policy-documents", () => {
  it("decides what a permissions boundary left undecided", () => {
    const directory = packageWithBoundary();
    const cells = (...args: string[]) =>
      run(["report", directory, ...args, "-o", "csv"])
        .stdout.split("\r\n")[1]
        ?.split(",");
    expect(cells()?.at(-1)).toBe('"0 to 3"');
    expect(cells("--policy-documents", file("*"))?.at(-1)).toBe("3");
    expect(cells("--policy-documents", file("iam:*"))?.at(-1)).toBe("0");
    const may = (...args: string[]) =>
      run(["report", directory, "--who-may", "route53:List*", "-o", "json", ...args]).stdout;
    expect(may()).toContain('"answer":"undecided"');
    expect(may("--policy-documents", file("*"))).toContain('"answer":"allowed"');
    expect(may("--policy-documents", file("iam:*"))).toContain('"answers":0,"packages":1,"identities":3');
  });

  it("decides the same in ccf explain, and the page names the file", () => {
    const directory = packageWithBoundary();
    const path = file("*");
    expect(run(["explain", directory]).stdout).toContain("perhaps");
    expect(run(["explain", directory, "--policy-documents", path]).stdout).not.toContain("perhaps");
    expect(run(["explain", directory, "-o", "html", "--policy-documents", path]).stdout).toContain(
      `--policy-documents ${path}`,
    );
  });

  it("decides in ccf validate what rules find in managed policies, and refuses those of another account", () => {
    const directory = renderedPackage(undefined, (spec) => {
      awsOf(spec)["overrides"] = { "openshift-ingress-operator/cloud-credentials": { managedPolicyARNs: [arn] } };
    });
    const codes = (...args: string[]) => {
      const { findings } = JSON.parse(run(["validate", directory, "-o", "json", ...args]).stdout);
      return findings.map(({ tags }: { tags: { code: string } }) => tags.code);
    };
    expect(codes()).toContain("managed-policy-unjudged");
    expect(codes("--policy-documents", file("s3:*"))).not.toContain("managed-policy-unjudged");
    expect(codes("--policy-documents", file("iam:*"))).toContain("iam-wildcard");
    const path = join(temporary(), "details.json");
    writeFileSync(path, details("*").replace("123456789012", "210987654321"));
    const other = run(["validate", directory, "--policy-documents", path]);
    expect(other.status).toBe(2);
    expect(other.stderr).toContain(
      `error: The files of --policy-documents are for the account "210987654321", not for that of "${arn}"; write the file in the account of the cluster. [policy-documents-account]\n`,
    );
  });

  it("refuses different documents of one policy, and files that are something else", () => {
    const directory = packageWithBoundary();
    const [one, other] = [file("*"), file("iam:*")];
    const report = (...files: string[]) =>
      run(["report", directory, ...files.flatMap((path) => ["--policy-documents", path])]);
    expect(report(one, file("*")).status).toBe(0);
    expect(report(one, other)).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `error: The file "${other}" of --policy-documents has another document of "${arn}" than "${one}"; write both files again. [input-file-invalid]\n`,
    });
    writeFileSync(other, "{}");
    expect(report(other).stderr).toContain('is not the output of "aws iam get-account-authorization-details"');
    writeFileSync(other, "{");
    expect(report(other).stderr).toContain("is not JSON");
  });
});
