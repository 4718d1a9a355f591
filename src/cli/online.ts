/*
 * The code that reaches a network. No other command and no function loads it. An executable for the images of functions
 * contains offline.ts instead (tools/bundle.mjs).
 */

/** What commands load with `import()` to reach a cloud, an issuer, or a registry. */
export const online = {
  apply: async () => (await import("./apply/apply.ts")).apply,
  checkIssuer: async () => (await import("./check-issuer/check-issuer.ts")).checkIssuer,
  destroy: async () => (await import("./destroy/destroy.ts")).destroy,
  extractRelease: async () => (await import("./extract-release/extract-release.ts")).extractRelease,
  /** Reads a release from its image, for `--release`. */
  releaseReader: () => import("./release/read-image.ts"),
  status: async () => (await import("./status/status.ts")).status,
};
