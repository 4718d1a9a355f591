/** Findings about files that commands read and write. */
export const explanations = {
  "file-changed": {
    severity: "error",
    cause:
      "Another program created or changed a file between the read and the write of the command. The command did not change that file.",
    cure: "Run the command again.",
  },
  "file-empty": {
    severity: "warning",
    cause:
      "A YAML or JSON file of the package contains no objects. A truncated file of requests, or one that was checked out without its content, looks like this.",
    cure: "Restore the content, or delete the file.",
  },
  "file-not-writable": {
    severity: "error",
    cause: "The command has no permission to write a file or directory that must change. Nothing was written.",
    cure: "Change its permissions, or run the command as its owner.",
  },
  "file-skipped": {
    severity: "warning",
    cause:
      "A file of the package was skipped, in whole or in part: it is a symbolic link or not a regular file, contains a list or something that is not a Kubernetes object, or contains a document that is not YAML and names nothing that a function reads. With `--stdout` this is an error, because the output must be complete. A link or a special file in place of a generated file, in `credentials-requests/`, or in place of that directory is always an error, because it would hide the generated object or the requests. In `manifests/` every such file is an error, because tools apply that directory whole. So are a kustomization, a Helm chart, Jsonnet, and a package there: tools apply what they make of the directory.",
    cure: "Put the file itself into the package, write the objects of a list as separate documents, or add the file to .krmignore. Move a file that is not a Kubernetes object out of `manifests/`.",
  },
  "file-too-large": {
    severity: "error",
    cause:
      "A file of a package, a file named on the command line, or standard input is larger than 48 MiB. For a token or a document of the issuer, the limit is 1 MiB, and the finding is `input-file-invalid`.",
    cure: "Use a smaller file. If the file is in a package and contains nothing that a function reads, add it to `.krmignore` or move it out of the package.",
  },
  "file-unchecked": {
    severity: "warning",
    cause: "A file of the package cannot be read, so it is unknown whether it is a private key.",
    cure: "Move the file out of the package, or make it readable.",
  },
  "file-unreadable": {
    severity: "error",
    cause:
      "A file of the package is not YAML, not UTF-8, or not a regular file, or contains a merge conflict, and may contain what a function reads, or is in `manifests/`, which tools apply whole.",
    cure: "Fix the file. If it is not in `manifests/`, you can add it to .krmignore. In a merge conflict, keep what belongs in the file, and delete the lines of the markers; in a file that a render generates, keep either side, and render again.",
  },
  "input-file-invalid": {
    severity: "error",
    cause:
      "A file named on the command line cannot be read, is larger than 1 MiB, is not UTF-8, or is not what its option requires.",
    cure: "Pass the file that `--help` describes for the option. The message names the file and the problem.",
  },
  "name-not-utf8": {
    severity: "error",
    cause:
      "The name of a file or directory is not UTF-8, so no command can name or read it. The message shows each byte that is not ASCII as in `\\xff`.",
    cure: "Rename it, or remove it.",
  },
  "package-path": {
    severity: "error",
    cause:
      "The path of a package contains a control character or a line break. A script that reads paths line by line, or a terminal, would take a part of the path for something else, such as the option of a command. With several packages, nothing was read.",
    cure: "Rename the directory.",
  },
  "path-case": {
    severity: "error",
    cause:
      "Two paths differ only in upper and lower case. On a file system that does not distinguish the two, one of the files would replace the other. Nothing was written.",
    cure: "Rename one of the files or directories.",
  },
  "private-key-file": {
    severity: "error",
    cause:
      "A file of the package is a private key in PEM or DER form. The check ignores file names and .krmignore, and prints nothing of the key. It does not search Kubernetes objects that no function reads.",
    cure: "Move the file out of the package. If others could read the repository, treat the key as compromised, because it remains in the Git history, and create a new key pair.",
  },
} as const;
