import "./seed.ts";
import { afterEach } from "vitest";
import { removeTemporary } from "./temporary.ts";

// Runs for each file of tests, which a module does not that files share.
afterEach(removeTemporary);
