import { version as packageVersion } from "../../../package.json";

/** The version of this program. What it generates does not depend on it, and never names it. */
export const version: string = packageVersion;
