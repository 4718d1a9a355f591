import { readReleaseImage } from "../../../src/release-image/read-image.ts";
import { parseReleaseName } from "../../../src/release-image/reference.ts";

// A program of its own, for what a process shows: its memory, its environment, and other versions of Node.js. Its argument is the name of an image.
const options = {
  arch: "amd64",
  mirrors: [],
  registryConfig: undefined,
  publicKey: undefined,
  skipVerify: true,
  environment: process.env,
  progress: () => undefined,
};

async function main(): Promise<void> {
  const name = process.argv[2] ?? "";
  const { files } = await readReleaseImage(parseReleaseName(name, { okd: false, arch: "amd64" }), options);
  // The unit is kilobytes.
  const { maxRSS } = process.resourceUsage();
  process.stdout.write(JSON.stringify({ files: [...files.keys()].sort(), megabytes: maxRSS / 1024 }));
}

main().catch((error: unknown) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
