import { version as packageVersion } from "../../../package.json";

/** The version of this program. Rendered objects neither depend on it nor contain it. */
export const version: string = packageVersion;
