import { platformQuestions } from "../clouds/platform-questions.ts";
import { requiredQuestions } from "../clouds/questions.ts";
import { accessFlags, jobsFlag } from "./cloud/flags.ts";
import type { Entry, Flags, TopicName } from "./definition.ts";
import { fleetFlags } from "./fleet/flags.ts";
import { platformFlags } from "./new-package/flags.ts";
import { imageFlags } from "./release/flags.ts";

/** What `ccf help NAME` explains: the options and rules that several commands share. */
export interface Topic {
  readonly name: TopicName;
  /** The heading of its options in the help of a command. */
  readonly title: string;
  /** One line in the list of topics. */
  readonly summary: string;
  readonly description: string;
  readonly flags: Flags;
  readonly sections: Readonly<Record<string, readonly Entry[]>>;
}

/** Every topic. */
export const topics: readonly Topic[] = [
  {
    name: "clouds",
    title: "The cloud of the cluster",
    summary: "what init and import ask about a cluster, on each cloud",
    description:
      "init and import create the package of a cluster. On a terminal, they ask for each required value that no option sets. With init --like, the options replace what the other package says.",
    flags: platformFlags(platformQuestions.flatMap(({ questions }) => questions)),
    sections: {
      "Required, unless another option or the input contains them": platformQuestions.map((platform) => [
        platform.title,
        requiredQuestions(platform)
          .map(({ flag }) => `--${flag}`)
          .join(", "),
      ]),
    },
  },
  {
    name: "packages",
    title: "Several packages",
    summary: "how a command selects and processes several packages",
    description:
      "Most commands accept several packages: as arguments, or all in a directory with --recursive. The other options select some of these.",
    flags: { ...fleetFlags, jobs: jobsFlag },
    sections: {
      "With several packages": [
        "Packages are independent: a failure does not stop the others. The exit code is 1 if a package failed, otherwise 2 if any package returned 2. Only add-key, remove-key, and set change all packages or none.",
        "apply, explain, export, render, report, status, and validate compare the packages: two packages of one cluster are an error, even if an option excludes one of them.",
        "-o json prints one JSON object for each package, on one line.",
      ],
      "Labels, for --selector": [
        "The labels of a package are metadata.labels of its ClusterIdentity, and platform, account, and region.",
      ],
    },
  },
  {
    name: "credentials",
    title: "Credentials",
    summary: "with which credentials, and where, a command reaches a cloud",
    description:
      "apply, status, and destroy use the credentials that the tools of the cloud use. Nothing is stored or printed.",
    flags: accessFlags,
    sections: {
      "Where they come from": [
        [
          "AWS",
          "environment variables, profiles, IAM Identity Center, web identity, or the instance's role. They must be for the package's account, or for one from which --assume-role reaches it",
        ],
        [
          "Azure",
          "environment variables, workload identity, managed identity, or az login, in this order. They must be for the package's tenant and subscription",
        ],
        [
          "Google Cloud",
          "Application Default Credentials, for example of gcloud auth application-default login. They must reach the package's project",
        ],
      ],
      "Private endpoints, in the environment": [
        ["AWS_ENDPOINT_URL", "the APIs of AWS"],
        ["AWS_ENDPOINT_URL_IAM, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_CLOUDFRONT, AWS_ENDPOINT_URL_STS", "one of them"],
        ["CCF_AZURE_ARM_ENDPOINT", "Azure Resource Manager"],
        [
          "CCF_AZURE_BLOB_ENDPOINT",
          "the blobs of the issuer's storage account; {storageAccount} in it is replaced with the account of each package",
        ],
        ["CCF_GCP_IAM_ENDPOINT", "IAM of Google Cloud"],
        ["CCF_GCP_RESOURCE_MANAGER_ENDPOINT", "its Resource Manager"],
        ["CCF_GCP_SERVICE_USAGE_ENDPOINT", "its Service Usage"],
        ["CCF_GCP_STORAGE_ENDPOINT", "its Cloud Storage"],
        ["CCF_GCP_IAM_CREDENTIALS_ENDPOINT", "its IAM Credentials; only with --impersonate-service-account"],
      ],
      "Network, in the environment": ["HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS"],
    },
  },
  {
    name: "releases",
    title: "Images of releases",
    summary: "how a command reads and verifies the image of a release",
    description:
      "extract-release reads the image of a release from a registry, and so do init and update-requests with --release. They need no oc, and a pull secret only if the registry requires one.",
    flags: imageFlags,
    sections: {
      "What is verified": [
        "Images of quay.io/openshift-release-dev must be signed by Red Hat (releases since 2024); with --mirror, too.",
        "OKD's images have no signature; --key FILE requires one of your own key.",
      ],
    },
  },
];
