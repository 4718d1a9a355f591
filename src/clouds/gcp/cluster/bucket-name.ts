/**
 * Says what is wrong with a bucket's name, as a predicate to put after the name; undefined if the name is valid. The rules
 * are those of "Bucket naming guidelines" (Cloud Storage), without dots: a name with dots requires a verified domain.
 */
export function bucketNameProblem(name: string): string | undefined {
  if (name.length < 3 || name.length > 63) return `has ${name.length} characters, but must have 3 to 63`;
  if (!/^[a-z0-9][a-z0-9_-]*[a-z0-9]$/.test(name)) {
    return "must contain only lowercase letters, digits, '-' and '_', and start and end with a letter or digit";
  }
  if (name.startsWith("goog")) return 'must not start with "goog"';
  return name.includes("google") ? 'must not contain "google"' : undefined;
}
