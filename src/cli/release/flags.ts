import { shellWord } from "../../core/shell.ts";
import type { Flag } from "../definition.ts";
import { UsageError } from "../terminal/errors.ts";

const topic = "releases";

/** The flags of commands that read the image of a release. */
export const imageFlags = {
  okd: { text: "the version is one of OKD: quay.io/okd/scos-release", topic },
  mirror: {
    value: "MIRROR",
    many: true,
    text: "read the image from a mirror: SOURCE=TARGET, or the repository that has the release",
    topic,
  },
  "mirror-set": {
    value: "FILE",
    path: "file",
    text: "an ImageDigestMirrorSet with mirrors, such as oc mirror writes",
    topic,
  },
  "registry-config": {
    value: "FILE",
    path: "file",
    text: "pull secrets (default: REGISTRY_AUTH_FILE, then those of podman and of docker)",
    topic,
  },
  key: {
    value: "FILE",
    path: "file",
    text: "public key, in PEM form, that must have signed the image (default: Red Hat's for its repository)",
    topic,
  },
  "insecure-skip-verify": { text: "do not look for the signature of the image", topic },
} as const satisfies Readonly<Record<string, Flag>>;

/** The flags with which a command reads a release that is not in a directory. */
export const releaseFlags = {
  release: {
    value: "VERSION",
    text: "read the requests from the image of a release: a version, such as 4.20.3, or an image",
  },
  ...imageFlags,
} as const satisfies Readonly<Record<string, Flag>>;

type Values = Readonly<Partial<Record<keyof typeof imageFlags, unknown>>>;

/** Refuses the flags of {@link imageFlags} without `--release`. @throws UsageError */
export function refuseImageFlags(values: Values): void {
  const [given] = imageFlagWords(values);
  if (given !== undefined) throw new UsageError(`${given} requires --release; add it, or omit ${given}`);
}

/** The flags of {@link imageFlags} that are set, as words of a command line. */
export function imageFlagWords(values: Values): string[] {
  return Object.keys(imageFlags).flatMap((name) => {
    const value = values[name as keyof typeof imageFlags];
    if (value === true) return [`--${name}`];
    const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");
    return texts.flatMap((text) => [`--${name}`, shellWord(text)]);
  });
}
