import { define } from "../definition.ts";
import { checkFlag, onlyOursFlag, outputFlag, packageArgument, quietFlag } from "../terminal/shared-flags.ts";

export const exportCommand = define({
  name: "export",
  summary: "write plain files of a rendered package: scripts, documents, manifests",
  description:
    "Write plain files of a rendered package: what its bundles hold, and the manifests that the installer takes. A package that differs from what its functions render is refused, so that nothing runs that was edited by hand in Git.",
  usage: ["[DIR] --output-dir DIR [options]"],
  arguments: [packageArgument],
  flags: {
    "output-dir": {
      value: "DIR",
      path: "directory",
      text: "the directory that is written, apart from the package; it need not exist",
    },
    check: checkFlag,
    replace: {
      value: "NAME",
      text: 'overwrite the export of another cluster: ACCOUNT/PREFIX/REGION, or "unknown", as the error names it',
    },
    "only-ours": onlyOursFlag,
    quiet: quietFlag,
    output: outputFlag("text", "json"),
  },
  sections: {
    "What is in the directory afterwards": [
      "aws/        scripts, and below it the AWS CLI's input files and the documents of issuer and roles",
      "manifests/  Secrets and the cluster's Authentication, for the installer",
      "operators/  Secrets of operators, where the configuration asks for them, for the cluster that runs",
      "SHA256SUMS  the list of these files; files that are not in it are never touched, and are named",
      "Objects for the cluster that no function makes, such as CloudCredential, are left out, and are named.",
    ],
  },
  exitCodes: { 0: "done", 2: "with --check: something would change", 1: "failed" },
  examples: [
    "ccf export clusters/demo --output-dir out",
    "ccf export clusters/demo --output-dir out --check",
    "cd out && sha256sum --check SHA256SUMS",
  ],
});
