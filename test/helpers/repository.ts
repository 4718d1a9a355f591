import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { run } from "./programs.ts";

/** Copies this repository's files as they are now, with its installed packages linked: to pack there builds there. */
export function copyRepository(target: string): void {
  const listed = run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: "." });
  for (const path of listed.stdout.split("\0").filter((text) => text !== "" && text !== "node_modules")) {
    if (!existsSync(path)) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(path, join(target, path));
  }
  symlinkSync(resolve("node_modules"), join(target, "node_modules"));
}

/**
 * Makes a bare repository with one commit: this repository's files as they are now.
 * @returns the commit
 */
export function bareClone(directory: string): { readonly bare: string; readonly commit: string } {
  const [repository, bare, exclude] = ["repository", "bare", "exclude"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  if (!existsSync(repository)) copyRepository(repository);
  writeFileSync(exclude, "node_modules\n");
  const git = (...args: string[]) => {
    const who = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
    const { status, stdout, stderr } = run("git", [...who, ...args], { cwd: repository, env: { HOME: directory } });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  git("init", "--quiet", "--initial-branch", "main");
  git("-c", `core.excludesFile=${exclude}`, "add", "--all");
  git("commit", "--quiet", "--message", "everything");
  git("clone", "--quiet", "--bare", ".", bare);
  return { bare, commit: git("rev-parse", "HEAD") };
}

/** What npm needs to find its registry, without what the npm that runs these tests says of this repository. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const ofThisRun = /^npm_(?:config_local_prefix|lifecycle|package)/;
  return Object.fromEntries(Object.entries(process.env).filter(([variable]) => !ofThisRun.test(variable)));
}
