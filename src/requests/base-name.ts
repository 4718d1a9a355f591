/** What names the files of a request's identity: `<secret namespace>-<secret name>`. */
export function baseName(secretNamespace: string, secretName: string): string {
  return `${secretNamespace}-${secretName}`;
}

/** The same of a Secret's key, `<namespace>/<name>`. */
export function baseNameOf(secretKey: string): string {
  return secretKey.replace("/", "-");
}
