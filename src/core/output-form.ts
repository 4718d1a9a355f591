/** A form of object that a function may emit. The function never removes an object that matches none of its forms. */
export interface OutputForm {
  readonly apiVersion: string;
  readonly kind: string;
  /** Matches the whole path, relative to the package. */
  readonly path: RegExp;
}

/** Matches exactly one path. */
export function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, "\\.")}$`);
}
