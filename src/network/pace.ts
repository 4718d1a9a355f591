/** The milliseconds in a second. Tests shorten the second. */
export const pace = { second: 1000 };

/** Waits. */
export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * pace.second));
}
