/**
 * Says what is wrong with a bucket's name, as a predicate to put after the name; undefined if the name is valid. The rules
 * are those of the Amazon S3 User Guide, "General purpose bucket naming rules", without dots: the TLS certificate of
 * Amazon S3 does not cover a name with dots.
 */
export function bucketNameProblem(name: string): string | undefined {
  if (name.length < 3 || name.length > 63) return `has ${name.length} characters, but must have 3 to 63`;
  if (!/^[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(name)) {
    return "must contain only lowercase letters, digits and '-', and start and end with a letter or digit";
  }
  const reserved =
    ["xn--", "sthree-", "amzn-s3-demo-"].find((start) => name.startsWith(start)) ??
    ["-s3alias", "--ol-s3", "--x-s3", "--table-s3"].find((end) => name.endsWith(end));
  return reserved === undefined ? undefined : `contains "${reserved}", which AWS reserves`;
}
