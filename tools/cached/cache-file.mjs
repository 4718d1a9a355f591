import { statSync } from "node:fs";

/**
 * The file of the code cache of a program, for the Node that runs. V8 looks at its own version alone: it takes what
 * another build of Node made, and crashes on it. So the name tells builds apart: by version, platform and size.
 *
 * @param {string} program the path of the program's starter
 */
export function cacheFile(program) {
  const { version, platform, arch, execPath } = process;
  return `${program}.${version}-${platform}-${arch}-${statSync(execPath).size}.cache`;
}
