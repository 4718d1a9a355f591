import type { Question } from "../../clouds/questions.ts";
import type { TopicName } from "../definition.ts";

/**
 * The flags that answer questions about clusters. A flag of several clouds has one description of each, and the choices of
 * the cloud that limits it.
 */
export function platformFlags(all: readonly Question[]): Readonly<Record<string, PlatformFlag>> {
  const flags: Record<string, PlatformFlag> = {};
  for (const { flag, value, text, choices } of all) {
    const other = flags[flag];
    flags[flag] = {
      value,
      topic: "clouds",
      text: other === undefined ? text : `${other.text}; ${text}`,
      ...(choices === undefined ? {} : { choices }),
    };
  }
  return flags;
}

interface PlatformFlag {
  readonly value: string;
  readonly topic: TopicName;
  readonly text: string;
  readonly choices?: readonly string[];
}
