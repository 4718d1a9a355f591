/** The problems that are not about the content of an input: the codes at the end of their lines. */
export const explanations = {
  stopped: {
    severity: "error",
    cause: "You interrupted the command, for example with Ctrl+C, before it wrote anything.",
    cure: "Run the command again.",
  },
  "system-error": {
    severity: "error",
    cause:
      "The operating system refused something, such as reading or writing a file. The message names it, with the code of the system, such as `EACCES` or `ENOSPC`.",
    cure: "Do what the message says, and run the command again.",
  },
  usage: {
    severity: "error",
    cause:
      "The command line is invalid, or something that it names or that the command requires is missing or cannot be used.",
    cure: "Follow the message. `ccf COMMAND --help` prints the arguments and options of the command.",
  },
} as const;
