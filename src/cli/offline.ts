import type { online as replaced } from "./online.ts";
import { UsageError } from "./terminal/errors.ts";

const refuse = async (): Promise<never> => {
  throw new UsageError(
    'this executable is for the images of functions and cannot use a network; use the image "ccf", or the executable of the release',
  );
};

/** Takes the place of the code that reaches a network: whatever needs it, says so and stops. */
export const online: typeof replaced = {
  apply: refuse,
  checkIssuer: refuse,
  destroy: refuse,
  extractRelease: refuse,
  releaseReader: refuse,
  status: refuse,
};
