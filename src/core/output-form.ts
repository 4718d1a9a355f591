/** A form of object that a function may emit. The function never removes an object that matches none of its forms. */
export interface OutputForm {
  readonly apiVersion: string;
  readonly kind: string;
  /** Matches the whole path, relative to the package. */
  readonly path: RegExp;
}

/** A form of object that earlier versions emitted and this version does not. A run removes such objects. */
export interface RetiredForm extends OutputForm {
  /** The object's name: in a list, the path may be missing. */
  readonly name: string;
  /** The functions that emitted it, as named in its owner annotation. */
  readonly makers: readonly string[];
}

/** Matches exactly one path. */
export function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, "\\.")}$`);
}
