/** What is wrong with files that commands read and write. */
export const findings = {
  "file-changed": {
    severity: "error",
    cause:
      "Another program changed or made a file after it was read and before it was to be written. The file is left as it is.",
    cure: "Run the command again.",
  },
  "file-empty": {
    severity: "warning",
    cause:
      "A YAML or JSON file of the package holds no object at all. A file of requests that was cut short or checked out without its content looks like this.",
    cure: "Put the content back, or delete the file.",
  },
  "file-not-writable": {
    severity: "error",
    cause: "A file or directory that must change may not be written. Nothing was written.",
    cure: "Change its permissions, or run the command as its owner.",
  },
  "file-skipped": {
    severity: "warning",
    cause:
      "A file of the package is not read: it is a symbolic link, holds something that is not a Kubernetes object, or holds a document that is not YAML and names nothing that a function reads. It is an error with `--stdout`, whose answer must be complete.",
    cure: "Put the file itself into the package, or name it in .krmignore.",
  },
  "file-too-large": {
    severity: "error",
    cause:
      "A file of a package, a file that the command line names, or standard input is larger than 48 MiB. A token, or a document that AWS reads, is at most 1 MiB: `input-file-invalid`.",
    cure: "Give a smaller file. If it is in a package and holds nothing that a function reads, name it in `.krmignore` or move it out.",
  },
  "file-unchecked": {
    severity: "warning",
    cause: "A file of the package cannot be read, so it is unknown whether it is a private key.",
    cure: "Move the file out of the package, or make it readable.",
  },
  "file-unreadable": {
    severity: "error",
    cause: "A file of the package is not YAML, or not UTF-8, and may hold what a function reads.",
    cure: "Correct the file, or name it in .krmignore.",
  },
  "input-file-invalid": {
    severity: "error",
    cause:
      "A file that the command line names cannot be read, is larger than 1 MiB, is not UTF-8, or is not what its flag asks for.",
    cure: "Give the flag the file that `--help` says; the message names the file and what is wrong with it.",
  },
  "not-a-package": {
    severity: "error",
    cause: "The directory that a command names has neither a Kptfile nor a ClusterIdentity.",
    cure: "Name the directory of a package; the message names those that are in it. `ccf init` makes a new one.",
  },
  "private-key-file": {
    severity: "error",
    cause:
      "A file of the package is itself a private key, in PEM or DER form, whatever its name and whether or not .krmignore names it. Nothing of it is printed. Keys inside of Kubernetes objects that no function reads are not looked for.",
    cure: "Move the file out of the package. If others could read the repository, treat the key as compromised and create a new key pair: the key stays in Git's history.",
  },
} as const;
