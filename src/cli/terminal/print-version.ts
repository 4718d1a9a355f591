import { write } from "./output.ts";
import { version } from "./version.ts";

write(1, [version]);
