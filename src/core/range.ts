/** A number of which only a range is known: "0 to 7"; "7" if it is known. */
export function range(least: number, most: number): string {
  return least === most ? String(least) : `${least} to ${most}`;
}
