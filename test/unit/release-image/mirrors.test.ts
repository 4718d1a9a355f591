import { describe, expect, it } from "vitest";
import type { Value } from "../../../src/core/resource.ts";
import { candidatesOf, type Mirror, readMirror, readMirrors } from "../../../src/release-image/mirrors.ts";
import { referenceText } from "../../../src/release-image/reference.ts";
import { named, problemOf } from "../../helpers/release-image/read.ts";

const digest = `sha256:${"0".repeat(64)}`;
const release = "quay.io/openshift-release-dev/ocp-release";

function asked(text: string, mirrors: readonly Mirror[]): string[] {
  return candidatesOf(named(text), mirrors).map(referenceText);
}

function mirrorSet(...imageDigestMirrors: Value[]): Value {
  return { apiVersion: "config.openshift.io/v1", kind: "ImageDigestMirrorSet", spec: { imageDigestMirrors } };
}

describe("--mirror", () => {
  it.each([
    [
      "quay.io/openshift-release-dev=mirror.example:5000/ocp",
      ["mirror.example:5000/ocp/ocp-release:1", `${release}:1`],
    ],
    ["quay.io=mirror.example", ["mirror.example/openshift-release-dev/ocp-release:1", `${release}:1`]],
    ["mirror.example/releases", ["mirror.example/releases:1", `${release}:1`]],
    [`${release}=mirror.example/a`, ["mirror.example/a:1", `${release}:1`]],
    ["quay.io/openshift=mirror.example/a", [`${release}:1`]],
    ["quay.i=mirror.example/a", [`${release}:1`]],
  ])("%s", (text, expected) => {
    expect(asked(`${release}:1`, [readMirror(text)])).toEqual(expected);
  });

  it.each([
    ["", '--mirror: "" is not a repository with its registry.'],
    ["mirror.example", '"mirror.example" is not a repository with its registry.'],
    ["=mirror.example/a", '--mirror: "" is not the beginning of an image\'s name.'],
    ["quay.io=", '--mirror: "" is not a repository with its registry.'],
    ["quay.io=https://mirror.example", '"https://mirror.example" is not a repository with its registry.'],
    ["quay.io=mirror.example/a:tag", '"mirror.example/a:tag" is not a repository with its registry.'],
    ["quay.io=*.example", '"*.example" is not a repository with its registry.'],
  ])("%j is an error", async (text, message) => {
    const problem = await problemOf(() => readMirror(text));
    expect(problem.code).toBe("mirror-invalid");
    expect(problem.message).toContain(message);
    expect(problem.message).toContain("Use --mirror SOURCE=TARGET or --mirror TARGET, such as");
  });
});

describe("an ImageDigestMirrorSet", () => {
  it("names mirrors in their order, then the source, by digest if it is known", () => {
    const mirrors = readMirrors(mirrorSet({ source: release, mirrors: ["a.example/x", "b.example/y"] }), "idms.yaml");
    expect(asked(`${release}:1@${digest}`, mirrors)).toEqual([
      `a.example/x@${digest}`,
      `b.example/y@${digest}`,
      `${release}@${digest}`,
    ]);
    expect(asked(`${release}:1`, mirrors)).toEqual(["a.example/x:1", "b.example/y:1", `${release}:1`]);
  });

  it("counts with the longest source, of all entries", () => {
    const set = mirrorSet(
      { source: "quay.io", mirrors: ["short.example"] },
      { source: "quay.io/openshift-release-dev", mirrors: ["one.example/x"] },
      { source: "quay.io/openshift-release-dev", mirrors: ["two.example/x", "one.example/x"] },
    );
    expect(asked(`${release}:1`, readMirrors(set, "f"))).toEqual([
      "one.example/x/ocp-release:1",
      "two.example/x/ocp-release:1",
      `${release}:1`,
    ]);
    expect(asked("quay.io/okd/scos-release:1", readMirrors(set, "f"))).toEqual([
      "short.example/okd/scos-release:1",
      "quay.io/okd/scos-release:1",
    ]);
  });

  it("may forbid to ask the source", async () => {
    const never = { source: "quay.io", mirrors: ["a.example"], mirrorSourcePolicy: "NeverContactSource" };
    expect(asked("quay.io/a:1", readMirrors(mirrorSet(never), "f"))).toEqual(["a.example/a:1"]);
    expect(await problemOf(() => asked("quay.io/a:1", readMirrors(mirrorSet({ ...never, mirrors: [] }), "f")))).toEqual(
      {
        code: "mirror-invalid",
        message:
          "The source of quay.io/a must not be contacted (NeverContactSource), and no mirror is named. Name a mirror.",
      },
    );
  });

  it("may name all hosts of a domain", () => {
    const mirrors = readMirrors(mirrorSet({ source: "*.redhat.io", mirrors: ["m.example/r"] }), "f");
    expect(asked("registry.redhat.io/a/b:1", mirrors)).toEqual(["m.example/r/a/b:1", "registry.redhat.io/a/b:1"]);
    expect(asked("redhat.io/a:1", mirrors)).toEqual(["redhat.io/a:1"]);
  });

  it.each([
    [{ kind: "ImageContentSourcePolicy" }, '"f" is not an ImageDigestMirrorSet. Use the file that `oc mirror` writes'],
    [{ ...(mirrorSet() as object), spec: {} }, '"f" has no list spec.imageDigestMirrors. Add the mirrors to it.'],
    [mirrorSet("text"), '"f", spec.imageDigestMirrors[0]: "source" must be the beginning of an image\'s name.'],
    [mirrorSet({ source: "UPPER/x y", mirrors: [] }), '"source" must be the beginning of an image\'s name.'],
    [mirrorSet({ source: "quay.io", mirrors: [1] }), "the mirror 1 is not the beginning of an image's name."],
    [
      mirrorSet({ source: "quay.io", mirrors: [], mirrorSourcePolicy: "Sometimes" }),
      'the mirrorSourcePolicy "Sometimes" is unknown. Use AllowContactingSource or NeverContactSource.',
    ],
  ])("%#: is an error", async (value, message) => {
    const problem = await problemOf(() => readMirrors(value as Value, "f"));
    expect(problem.code).toBe("mirror-invalid");
    expect(problem.message).toContain(message);
  });
});
