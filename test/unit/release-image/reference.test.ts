import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FindingError } from "../../../src/core/finding.ts";
import { parseReleaseName, readReference, referenceText } from "../../../src/release-image/reference.ts";
import { runs } from "../../helpers/effort.ts";
import { problemOf } from "../../helpers/release-image/read.ts";

const digest = `sha256:${"0a".repeat(32)}`;
const openshift = { okd: false, arch: "amd64" };

function parsed(text: string, options: { okd?: boolean; arch?: string } = {}): string {
  return referenceText(parseReleaseName(text, { ...openshift, ...options }));
}

describe("the name of a release", () => {
  it.each([
    ["4.20.3", "amd64", "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64"],
    ["4.20.3", "arm64", "quay.io/openshift-release-dev/ocp-release:4.20.3-aarch64"],
    ["4.20.3", "ppc64le", "quay.io/openshift-release-dev/ocp-release:4.20.3-ppc64le"],
    ["4.20.3", "s390x", "quay.io/openshift-release-dev/ocp-release:4.20.3-s390x"],
    ["4.20.3", "multi", "quay.io/openshift-release-dev/ocp-release:4.20.3-multi"],
    ["4.20.0-rc.1", "amd64", "quay.io/openshift-release-dev/ocp-release:4.20.0-rc.1-x86_64"],
    ["4.21.0-ec.2", "amd64", "quay.io/openshift-release-dev/ocp-release:4.21.0-ec.2-x86_64"],
  ])("%s on %s is %s", (text, arch, expected) => {
    expect(parsed(text, { arch })).toBe(expected);
  });

  it("has one spelling of its host, which decides whose key must have signed it", () => {
    for (const host of ["QUAY.IO", "Quay.io:443", "quay.io:443"])
      expect(parsed(`${host}/openshift-release-dev/ocp-release:4.20.3-x86_64`)).toBe(
        "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64",
      );
    expect(parsed("quay.io:8443/a/b:c")).toBe("quay.io:8443/a/b:c");
  });

  it("of OKD is its version", () => {
    const expected = "quay.io/okd/scos-release:4.22.0-okd-scos.7";
    expect(parsed("4.22.0-okd-scos.7", { okd: true })).toBe(expected);
    expect(parsed("4.22.0-okd-scos.7", { okd: true, arch: "arm64" })).toBe(expected);
  });

  it.each([
    `registry.example.com/a/b:tag`,
    `registry.example.com:5000/a/b@${digest}`,
    `registry.example.com/a-b/c__d.e:tag@${digest}`,
    `localhost/a:1`,
    `[::1]:5000/a:1`,
    "127.0.0.1:5000/a:1",
  ])("%s is an image", (text) => {
    expect(parsed(text)).toBe(text);
  });

  it.each([
    ["", "The name of the release is empty."],
    ["v4.20.3", '"v4.20.3" begins with "v".'],
    ["4.20", '"4.20" has no patch version.'],
    ["latest", '"latest" does not name one release, because it changes.'],
    ["stable-4.20", '"stable-4.20" does not name one release, because it changes.'],
    ["release", '"release" is neither a version nor an image.'],
    ["ocp-release:4.20.3", '"ocp-release:4.20.3" is neither a version nor an image.'],
    ["openshift/ocp-release:1", 'The image "openshift/ocp-release:1" does not begin with the host of its registry.'],
    ["quay.io/a/b", 'The image "quay.io/a/b" has neither a tag nor a digest.'],
    ["quay.io/A/b:1", '"A/b:1" is not a valid repository: it consists of lowercase letters'],
    ["quay.io/a//b:1", '"a//b:1" is not a valid repository'],
    ["quay.io/../b:1", '"../b:1" is not a valid repository'],
    ["quay.io/a:b:c", '"a:b:c" is not a valid repository'],
    ["quay.io/a:", '"" is not a valid tag.'],
    ["quay.io/a:-x", '"-x" is not a valid tag.'],
    ["quay.io/a@sha256:12", '"sha256:12" is not a digest: it must be "sha256:" and 64 hexadecimal digits'],
    [`quay.io/a@sha512:${"0".repeat(128)}`, "is not a digest"],
    [`quay.io/a@${digest}@${digest}`, 'contains "@" twice.'],
    ["docker://quay.io/a:1", 'begins with "docker://", which is not part of an image\'s name.'],
    ["quay.io:99999/a:1", "does not begin with the host of its registry."],
    [`quay.io/${"a".repeat(600)}:1`, "The name of a release is longer than 512 characters."],
    ["quay.io/a\u202eb:1", "is not a valid repository"],
  ])("%j is an error", async (text, message) => {
    const problem = await problemOf(() => parsed(text));
    expect(problem.code).toBe("release-name-invalid");
    expect(problem.message).toContain(message);
    expect(problem.message).toMatch(
      / Name the release as a version such as 4\.20\.3, or as an image such as quay\.io\/openshift-release-dev\/ocp-release:4\.20\.3-x86_64\.$/,
    );
  });

  it.each([
    ["4.22.0-okd-scos.7", {}, '"4.22.0-okd-scos.7" is a version of OKD. Add --okd.'],
    ["4.20.3", { okd: true }, '"4.20.3" is not a version of OKD such as 4.22.0-okd-scos.7.'],
    ["4.15.0-0.okd-2024-03-10-010116", { okd: true }, "Older releases of OKD are in quay.io/openshift/okd"],
    [
      "4.20.3",
      { arch: "x86_64" },
      'The architecture "x86_64" is unknown. Use one of amd64, arm64, ppc64le, s390x, multi.',
    ],
    ["4.20.3", { arch: "toString" }, 'The architecture "toString" is unknown.'],
  ])("%s with %j is an error", async (text, options, message) => {
    const problem = await problemOf(() => parsed(text, options));
    expect(problem.code).toBe("release-name-invalid");
    expect(problem.message).toContain(message);
  });

  it("is never anything but a reference or its own error", () => {
    const parts = fc.constantFrom(
      ...["quay.io", "/", ":", "@", "sha256:", "0".repeat(64), "a", "4.20", ".3", "-", "[", "]", "%"],
    );
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(parts, { maxLength: 12 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), fc.string(), (text, okd, arch) => {
        try {
          const found = parseReleaseName(text, { okd, arch });
          // What was read is what was written, unless it was a version.
          expect(readReference(referenceText(found))).toEqual(found);
        } catch (error) {
          if (!(error instanceof FindingError)) throw error;
          expect(error.finding.code).toBe("release-name-invalid");
        }
      }),
      { numRuns: runs(5000, 500) },
    );
  });
});
