import type { Access, Target } from "../apply/resource.ts";

/** Opens a package, from the files of its bundle ConfigMaps by path. @throws CloudError if a file cannot be what was rendered. */
export type Engine = (files: ReadonlyMap<string, string>) => Target;

/**
 * The engines of the clouds that have one, by the name of the cloud. Each is loaded only when it is used, together with the
 * client libraries of its cloud.
 */
export const engines: Record<string, () => Promise<(access: Access) => Engine>> = {
  aws: async () => (await import("./aws/apply/engine.ts")).awsEngine,
  azure: async () => (await import("./azure/apply/engine.ts")).azureEngine,
  gcp: async () => (await import("./gcp/apply/engine.ts")).gcpEngine,
};
