// Builds the program: dist/ccf and dist/parts.
import { fileURLToPath } from "node:url";
import { writeProgram } from "./bundle.mjs";

await writeProgram(fileURLToPath(new URL("../dist", import.meta.url)));
