/** The findings about release images. */
export const explanations = {
  "mirror-invalid": {
    severity: "error",
    cause:
      "A mirror is not written as `SOURCE=TARGET` or `TARGET`, or a file is not an ImageDigestMirrorSet with valid names.",
    cure: "Write a mirror as `quay.io/openshift-release-dev=registry.example.com:5000/releases`, or use the ImageDigestMirrorSet that `oc mirror` writes.",
  },
  "pull-secret-invalid": {
    severity: "error",
    cause: "A file with pull secrets does not exist, or does not have the form of one.",
    cure: 'Download the pull secret again, and name it with `--registry-config`. It contains "auths", with a user name and a password in base64 for each registry.',
  },
  "pull-secret-missing": {
    severity: "error",
    cause:
      "The registry requires a login, and no pull secret for it was found. Credential helpers are programs, and are not run.",
    cure: "Name a file with a pull secret for the registry with `--registry-config`, or set `REGISTRY_AUTH_FILE`.",
  },
  "pull-secret-refused": {
    severity: "error",
    cause: "The registry does not accept the pull secret, or the pull secret may not read the repository.",
    cure: "Download the pull secret again, or use one that may read the repository.",
  },
  "registry-answer-invalid": {
    severity: "error",
    cause:
      "A registry answered with something that the OCI Distribution Specification does not describe, or with a redirect that is not safe to follow.",
    cure: "Check the name of the registry. A proxy or a login page may have answered. Otherwise, report it to the operator of the registry.",
  },
  "registry-not-reached": {
    severity: "error",
    cause:
      "A registry did not answer, limits requests, or failed, even after repeated requests; or a variable for a proxy is not a URL.",
    cure: "Check the network, the proxy, and the certificate that the message names. Use `--mirror` if the registry can only be reached through a mirror.",
  },
  "release-file-invalid": {
    severity: "error",
    cause: "The file of a release image cannot be read, or contains neither an OCI layout nor a docker-archive.",
    cure: "Create the file with `skopeo copy docker://IMAGE oci-archive:FILE` or `skopeo copy docker://IMAGE docker-archive:FILE`.",
  },
  "release-image-architecture": {
    severity: "error",
    cause: "The image does not exist for the architecture.",
    cure: "Use `--arch` with an architecture that the message lists. The requests of a release are the same for all architectures.",
  },
  "release-image-compression": {
    severity: "error",
    cause: "A layer is compressed in a way that this program, or this version of Node.js, cannot read.",
    cure: "Copy the image with gzip-compressed layers: `skopeo copy --dest-compress-format gzip`. For zstd, you can also use Node.js 22.15 or newer.",
  },
  "release-image-digest": {
    severity: "error",
    cause:
      "The content of a manifest or a blob is not what its digest says: it was changed, damaged, or cut off on the way.",
    cure: "Run the command again. If the error stays, copy the image to the mirror again, or report it to the operator of the registry.",
  },
  "release-image-invalid": {
    severity: "error",
    cause:
      "The image is not the image of a release, is larger than any release, or has content that is not safe to read, such as a link that is named like a manifest.",
    cure: "Check the name of the image. If it is right, copy the image again.",
  },
  "release-image-missing": {
    severity: "error",
    cause: "The version, the image, or a part of the image does not exist in the repository.",
    cure: "Check the version and the name of the image. If a mirror is used, copy the whole image to it.",
  },
  "release-key-invalid": {
    severity: "error",
    cause: "The key for signatures is not a PEM public key of RSA, ECDSA, or Ed25519.",
    cure: "Name the file with the public key (`-----BEGIN PUBLIC KEY-----`), not a certificate or a private key.",
  },
  "release-name-invalid": {
    severity: "error",
    cause: "The name of a release is neither a version nor an image with its registry and a tag or a digest.",
    cure: "Name a version such as `4.20.3`, or an image such as `quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64`.",
  },
  "release-signature-invalid": {
    severity: "error",
    cause: "A signature of the image was found, but does not have the form of one.",
    cure: "Copy the image to the mirror again, with its signatures. Do not use the image unless you verified it in another way.",
  },
  "release-signature-missing": {
    severity: "error",
    cause:
      "No signature of the image was found beside it. Releases from before the middle of 2024 have none in the registry, and a mirror may lack them. A copy in another format has another digest, so no signature is for it.",
    cure: "Copy the signatures with the image. If you verified the image in another way, use `--insecure-skip-verify`.",
  },
  "release-signature-other-digest": {
    severity: "error",
    cause: "The signature of the image is for another image.",
    cure: "Do not use the image. Read it from its source, or copy it to the mirror again.",
  },
  "release-signature-other-key": {
    severity: "error",
    cause:
      "No signature of the image was made with the trusted key. Signatures with a certificate (keyless) are not trusted.",
    cure: "Do not use the image unless you know who signed it. If it is signed with your own key, name the public key with `--key`.",
  },
  "release-signature-other-repository": {
    severity: "error",
    cause: "The signature of the image is for an image of another repository.",
    cure: "Name the image as it was signed, and name the mirror with `--mirror`.",
  },
  "release-signature-unread": {
    severity: "error",
    cause: "The registry did not say whether the image has signatures.",
    cure: "Fix the problem that the message names, and run the command again.",
  },
} as const;
