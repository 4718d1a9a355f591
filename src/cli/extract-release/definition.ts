import { platformQuestions } from "../../clouds/platform-questions.ts";
import { define, messageFlags, outputFlag } from "../definition.ts";
import { imageFlags } from "../release/flags.ts";

export const extractReleaseCommand = define({
  name: "extract-release",
  summary: "extract what a release says about credentials, from its image",
  description:
    "Read the image of an OpenShift or OKD release from a registry, verify its signature, and write what it says about credentials into a directory: the CredentialsRequests, the FeatureGate manifests, the version, and an index of all manifests. The other commands take that directory as --credentials-requests, --from, and --previous-release. The command needs no oc, and a pull secret only if the registry requires one. A second run writes nothing.",
  usage: [
    "VERSION --output-dir DIR [options]",
    "IMAGE --output-dir DIR [options]",
    "--from-file FILE --output-dir DIR [options]",
  ],
  arguments: [
    {
      name: "RELEASE",
      text: "a version, such as 4.20.3; or an image with its registry, and a tag or a digest",
      optional: true,
    },
  ],
  flags: {
    "output-dir": {
      value: "DIR",
      path: "directory",
      text: "the directory of the release; new, empty, or of the same release",
    },
    cloud: {
      value: "CLOUD",
      choices: platformQuestions.map(({ name }) => name),
      text: "extract the requests for this cloud only",
    },
    arch: {
      value: "ARCH",
      choices: ["amd64", "arm64", "ppc64le", "s390x", "multi"],
      fallback: "amd64",
      text: "the architecture of the image; requests are the same for all",
    },
    "from-file": {
      value: "FILE",
      path: "file",
      text: "read the image from a file, for disconnected environments: an OCI layout or a docker-archive, as skopeo copy writes them",
    },
    ...imageFlags,
    output: outputFlag("text", "json"),
    ...messageFlags,
  },
  exitCodes: { 0: "written, or already present", 1: "not read, not verified, or not written" },
  examples: [
    "ccf extract-release 4.20.3 --output-dir releases/4.20.3",
    "ccf extract-release 4.22.0-okd-scos.7 --okd --output-dir releases/4.22.0-okd",
    "ccf extract-release quay.io/openshift-release-dev/ocp-release@sha256:… --output-dir releases/4.20.3",
    "ccf extract-release 4.20.3 --mirror registry.example.com:5000/ocp/release --output-dir releases/4.20.3",
    "ccf extract-release --from-file release.tar --insecure-skip-verify --output-dir releases/4.20.3",
  ],
});
