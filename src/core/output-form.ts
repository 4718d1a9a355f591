/** A form of object that a function may emit: what does not fit one of its forms, it never removes. */
export interface OutputForm {
  readonly apiVersion: string;
  readonly kind: string;
  /** Matches the whole path, relative to the package. */
  readonly path: RegExp;
}

/** A form of object that earlier versions emitted and this one does not: a run removes it. */
export interface RetiredForm extends OutputForm {
  /** The object's name: a list may say no path. */
  readonly name: string;
  /** The functions that emitted it, as its owner annotation names them. */
  readonly makers: readonly string[];
}

/** A form whose path is one file. */
export function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, "\\.")}$`);
}
