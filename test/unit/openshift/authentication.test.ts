import { describe, expect, it } from "vitest";
import { type Any, expectClean, expectFinding, identity, makeIssuer, publicKey } from "../../helpers/cluster.ts";

const path = "manifests/cluster-authentication-02-config.yaml";
const issuer = "https://demo-oidc.s3.us-east-2.amazonaws.com";

function authentication(spec: Any, metadata: Any = {}): Any {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster", ...metadata },
    spec,
  };
}

const at = (file: string) => ({
  annotations: { "config.kubernetes.io/path": file, "config.kubernetes.io/index": "0" },
});

describe("the cluster's Authentication", () => {
  it("is generated if there is none", () => {
    const made = makeIssuer(identity());
    expectClean(made);
    expect(made.objects[path]).toMatchObject(authentication({ serviceAccountIssuer: issuer }));
  });

  it("of the user gets the issuer, with a warning if it had another", () => {
    const made = makeIssuer(identity(), [
      authentication({ type: "x", serviceAccountIssuer: "https://old.example.com" }, at(path)),
    ]);
    expect(expectFinding(made, "warning", "issuer-replaced")).toContain(
      `named the issuer "https://old.example.com", which is replaced by "${issuer}"`,
    );
    expect(Object.keys(made.objects)).toEqual(["aws/issuer.yaml"]);
    expect(JSON.parse(made.stdout).items[0]).toEqual(
      authentication({ type: "x", serviceAccountIssuer: issuer }, at(path)),
    );
  });

  it.each([[{}], [{ serviceAccountIssuer: "" }], [{ serviceAccountIssuer: issuer }]])(
    "with %j causes no warning",
    (spec) => {
      const made = makeIssuer(identity(), [authentication(spec, at(path))]);
      expectClean(made);
      expect(JSON.parse(made.stdout).items[0].spec).toEqual({ serviceAccountIssuer: issuer });
    },
  );

  it("in another file is noted", () => {
    const made = makeIssuer(identity(), [authentication({}, at("day2/auth.yaml"))]);
    expect(expectFinding(made, "info", "authentication-misplaced")).toContain(`is not in the file "${path}"`);
  });

  it("appears exactly once", () => {
    const made = makeIssuer(identity(), [authentication({}, at("a.yaml")), authentication({}, at("b.yaml"))]);
    expect(expectFinding(made, "error", "authentication-repeated")).toBe(
      'appears 2 times in the package ("a.yaml", "b.yaml"); a cluster has exactly one. Remove all but one.',
    );
  });

  it("that is generated is generated again, or preserved if a user has edited it", () => {
    const own = {
      annotations: { ...at(path).annotations, "fn.cloudcredential.dev/generated-by": "generate-oidc-issuer/demo" },
    };
    const moving = identity({
      spec: { issuer: { signingKeys: [{ publicKey }], previous: ["https://old.example.com"] } },
    });
    const replaced = makeIssuer(moving, [authentication({ serviceAccountIssuer: "https://old.example.com" }, own)]);
    expect(expectFinding(replaced, "warning", "issuer-replaced")).toContain("old.example.com");
    expect(JSON.parse(replaced.stdout).items.map((item: Any) => item.kind)).toEqual([
      "ConfigMap",
      "ConfigMap",
      "Authentication",
    ]);
    const added = makeIssuer(moving, [
      authentication({ serviceAccountIssuer: "https://old.example.com", type: "x" }, own),
    ]);
    expect(JSON.parse(added.stdout).items[0]).toEqual(authentication({ serviceAccountIssuer: issuer, type: "x" }, own));
    const noted = { annotations: { ...own.annotations, note: "mine" } };
    const kept = makeIssuer(identity(), [authentication({ serviceAccountIssuer: issuer }, noted)]);
    expect(JSON.parse(kept.stdout).items[0].metadata.annotations.note).toBe("mine");
  });

  it("is not an object of another group or name", () => {
    const others = [
      { ...authentication({}), apiVersion: "operator.openshift.io/v1" },
      authentication({}, { name: "other" }),
    ];
    const made = makeIssuer(identity(), others);
    expectClean(made);
    expect(JSON.parse(made.stdout).items.slice(0, 2)).toEqual(others);
    expect(Object.keys(made.objects)).toContain(path);
  });
});
