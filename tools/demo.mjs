// What `npm start` does after the build: creates a package for a fictional cluster, renders it, and shows the result.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const directory = process.argv[2] ?? "demo";
const sample = "testdata/sample-cluster";
// The user may have edited an existing package: render it again, and delete nothing.
if (existsSync(directory)) console.log(`${directory}/ already exists.`);
else
  ccf(
    "init",
    directory,
    "--platform",
    "aws",
    "--name",
    "demo",
    "--account-id",
    "123456789012",
    "--region",
    "us-east-2",
    "--public-key-file",
    `${sample}/serviceaccount-signer.public`,
    "--credentials-requests",
    `${sample}/credentials-requests`,
  );
ccf("render", directory);
const secret = `${directory}/manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml`;
console.log(`\n${secret}:\n\n${readFileSync(secret, "utf8")}`);
console.log(
  `The whole package is in ${directory}/. Change ${directory}/cluster-identity.yaml and run: dist/ccf render ${directory}`,
);

/** @param {string[]} args */
function ccf(...args) {
  console.log(`$ ccf ${args.join(" ")}`);
  const { status } = spawnSync(process.execPath, ["dist/ccf", ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
