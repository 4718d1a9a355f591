/** A form of object that a function may emit: what does not fit one of its forms, it never removes. */
export interface OutputForm {
  readonly apiVersion: string;
  readonly kind: string;
  /** Matches the whole path, relative to the package. */
  readonly path: RegExp;
  /** Several functions emit the same object of this form: it is the identity's, and none takes it from another. */
  readonly shared?: boolean;
}

/** A form whose path is one file. */
export function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, "\\.")}$`);
}
