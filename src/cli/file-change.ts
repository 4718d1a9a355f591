/** A file that a render changes: its new text, or undefined where it goes. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}
