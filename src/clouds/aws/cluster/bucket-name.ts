/**
 * What is wrong with a bucket's name, to be read after it; undefined where nothing is. The rules are those of the
 * Amazon S3 User Guide, "General purpose bucket naming rules", without dots: a name with dots has no TLS certificate.
 */
export function bucketNameProblem(name: string): string | undefined {
  if (name.length < 3 || name.length > 63) return `has ${name.length} characters, and must have 3 to 63`;
  if (!/^[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(name)) {
    return "must hold lower case letters, digits and '-' alone, and start and end with a letter or digit";
  }
  const reserved =
    ["xn--", "sthree-", "amzn-s3-demo-"].find((start) => name.startsWith(start)) ??
    ["-s3alias", "--ol-s3", "--x-s3", "--table-s3"].find((end) => name.endsWith(end));
  return reserved === undefined ? undefined : `holds "${reserved}", which is reserved by AWS`;
}
