import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPullSecrets } from "../../../src/release-image/registry/pull-secret.ts";
import { named, problemOf } from "../../helpers/release-image/read.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

function encoded(text: string): string {
  return Buffer.from(text).toString("base64");
}

function fileOf(value: unknown): string {
  const path = join(temporary(), "pull-secret.json");
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

function userFor(auths: Record<string, unknown>, image: string): string | undefined {
  const found = readPullSecrets(fileOf({ auths }), {}).credentialFor(named(image));
  return found?.kind === "password" ? `${found.user}:${found.password}` : found?.kind;
}

describe("the pull secret of a repository", () => {
  const auths = {
    "quay.io/team/app": { auth: encoded("app:secret-of-app") },
    "quay.io/team": { auth: encoded("team:secret-of-team") },
    "quay.io": { auth: encoded("quay:secret:with:colons") },
    "quay.io:8443": { auth: encoded("port:secret-of-port") },
    "https://old.example/v1/": { auth: encoded("old:secret-of-old") },
    "https://index.docker.io/v1/": { auth: encoded("hub:secret-of-hub") },
    "padded.example": { auth: encoded("padded:secret-padded\0\0") },
    "token.example": { auth: encoded("<token>:"), identitytoken: "refresh-token-text" },
    "empty.example": {},
  };

  it.each([
    ["quay.io/team/app", "app:secret-of-app"],
    ["quay.io/team/app/part", "app:secret-of-app"],
    ["quay.io/team/application", "team:secret-of-team"],
    ["quay.io/teams/app", "quay:secret:with:colons"],
    ["quay.io/other", "quay:secret:with:colons"],
    ["quay.io:8443/team/app", "port:secret-of-port"],
    ["quay.io:9443/team/app", undefined],
    ["sub.quay.io/team/app", undefined],
    ["quay.io.example/team/app", undefined],
    ["old.example/a", "old:secret-of-old"],
    ["index.docker.io/a", "hub:secret-of-hub"],
    ["padded.example/a", "padded:secret-padded"],
    ["token.example/a", "refresh token"],
    ["empty.example/a", undefined],
    ["constructor.example/a", undefined],
  ])("%s is %s", (image, expected) => {
    expect(userFor(auths, image)).toBe(expected);
  });

  it.each(["no base64 at all", encoded("no colon"), encoded("user:"), encoded(":pass-phrase"), encoded("user:a\nb")])(
    "%j is an error, which does not show it",
    async (auth) => {
      const path = fileOf({ auths: { "quay.io": { auth } } });
      const problem = await problemOf(() => readPullSecrets(path, {}).credentialFor(named("quay.io/a")));
      expect(problem).toEqual({
        code: "pull-secret-invalid",
        message: `The pull secret "${path}": "auth" of "quay.io" is not a user name and a password in base64. Download the pull secret again.`,
      });
    },
  );
});

describe("the file of the pull secrets", () => {
  const secretsOf = (user: string) =>
    JSON.stringify({ auths: { "quay.io": { auth: encoded(`${user}:password-text`) } } });
  const user = (registryConfig: string | undefined, environment: NodeJS.ProcessEnv) => {
    const found = readPullSecrets(registryConfig, environment).credentialFor(named("quay.io/a"));
    return found?.kind === "password" ? found.user : undefined;
  };

  it("is the flag's, the variable's, podman's, or docker's", () => {
    const [runtime, home] = [temporary(), temporary()];
    writeTree(runtime, { "containers/auth.json": secretsOf("podman"), "named.json": secretsOf("variable") });
    writeTree(home, { ".docker/config.json": secretsOf("docker"), "flag.json": secretsOf("flag") });
    const defaults = { XDG_RUNTIME_DIR: runtime, HOME: home };
    const all = { ...defaults, REGISTRY_AUTH_FILE: join(runtime, "named.json") };
    expect(user(join(home, "flag.json"), all)).toBe("flag");
    expect(user(undefined, all)).toBe("variable");
    expect(user(undefined, defaults)).toBe("podman");
    expect(user(undefined, { HOME: home })).toBe("docker");
    expect(user(undefined, { XDG_RUNTIME_DIR: home, HOME: home })).toBe("docker");
    expect(user(undefined, {})).toBeUndefined();
    expect(readPullSecrets(undefined, {}).where).toBe("no file, because neither HOME nor XDG_RUNTIME_DIR is set");
    expect(readPullSecrets(undefined, { HOME: home }).where).toBe(`"${home}/.docker/config.json"`);
  });

  it("may name credential helpers, which are not run", () => {
    const path = fileOf({ credHelpers: { "quay.io": "one" }, credsStore: "two" });
    const secrets = readPullSecrets(path, {});
    expect(secrets.credentialFor(named("quay.io/a"))).toBeUndefined();
    expect(secrets.helperFor("quay.io")).toBe("one");
    expect(secrets.helperFor("other.example")).toBe("two");
    expect(readPullSecrets(fileOf({}), {}).helperFor("quay.io")).toBeUndefined();
  });

  it.each([
    ["{", "is not JSON. Download it again."],
    ["[]", 'is not a mapping with "auths". Download it again.'],
    ['{"auths":[]}', 'is not a mapping with "auths". Download it again.'],
    ['{"auths":{},"auths":{}}', "has a duplicate key. Download it again."],
    ["x".repeat(1 << 21), "is longer than 1 MiB. Name the right file."],
  ])("with %.12j is an error", async (text, message) => {
    const path = fileOf(text);
    expect(await problemOf(() => readPullSecrets(path, {}))).toEqual({
      code: "pull-secret-invalid",
      message: `The pull secret "${path}" of --registry-config ${message}`,
    });
  });

  it("must exist if it is named", async () => {
    const path = join(temporary(), "missing.json");
    const cure = "Name a file that exists, with --registry-config.";
    expect(await problemOf(() => readPullSecrets(path, {}))).toEqual({
      code: "pull-secret-invalid",
      message: `The pull secret "${path}" of --registry-config cannot be read: ENOENT. ${cure}`,
    });
    expect((await problemOf(() => readPullSecrets(undefined, { REGISTRY_AUTH_FILE: path }))).message).toBe(
      `The pull secret "${path}" of REGISTRY_AUTH_FILE cannot be read: ENOENT. ${cure}`,
    );
    expect((await problemOf(() => readPullSecrets(temporary(), {}))).message).toContain("cannot be read: EISDIR.");
  });
});
