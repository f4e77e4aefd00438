/** A command line that can't be understood; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Help was asked for; the message is the help. */
export class HelpRequested extends Error {
  override readonly name = 'HelpRequested';
}
