// Copies the shared libraries that this Node.js needs and that an image with only the C and C++ libraries lacks: libatomic, which
// Node.js 26 needs on x64 and arm64. The loader looks in /usr/lib after the directories of the architecture.
//
//   node tools/libraries.mjs /out
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const directory = resolve(process.argv[2] ?? "", "usr/lib");
const { sharedObjects } = /** @type {{ sharedObjects: string[] }} */ (process.report.getReport());
for (const path of sharedObjects.filter((each) => basename(each).startsWith("libatomic.so"))) {
  mkdirSync(directory, { recursive: true });
  copyFileSync(path, join(directory, basename(path)));
}
