/** The base name of the files of a request's component identity: `<secret namespace>-<secret name>`. */
export function baseName(secretNamespace: string, secretName: string): string {
  return `${secretNamespace}-${secretName}`;
}

/** The base name for a Secret's key, `<namespace>/<name>`. */
export function baseNameOf(secretKey: string): string {
  return secretKey.replace("/", "-");
}
