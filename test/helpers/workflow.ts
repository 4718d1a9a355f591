import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { run } from "./programs.ts";

/** A step of a GitHub Actions workflow, as far as the tests look at it. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: unknown;
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The text of a file of the repository. */
export function textOf(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
}

export function workflow(path: string): Workflow {
  return load(textOf(path)) as Workflow;
}

/** The one step of a workflow with this name. */
export function step({ jobs }: Workflow, name: string): Step & { readonly run: string } {
  const [found, ...more] = Object.values(jobs).flatMap(({ steps }) => steps.filter((step) => step.name === name));
  if (found?.run === undefined || more.length > 0)
    throw new Error(`there is not one step "${name}" that runs something`);
  return { ...found, run: found.run };
}

/** Runs a step's script as a runner does: in the shell that it names, stopped by the first failure. */
export function runStep(script: string, cwd: string, env: NodeJS.ProcessEnv): ReturnType<typeof run> {
  return run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd, env });
}
