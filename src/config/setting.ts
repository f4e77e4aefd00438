/** A variable that an operator sets. The texts are Markdown; docs/configuration.md is made from them. */
export interface Setting {
  readonly meaning: string;
  /** What it may be. A number and a choice say it by their bounds and their words. */
  readonly allowed?: string;
  /** What counts when it is not set, in words when it is no value of its own. Nothing: none. */
  readonly standard?: number | string | { readonly words: string };
  /** The bounds of a whole number, both included. */
  readonly bounds?: readonly [from: number, to: number];
  /** The words of a choice. */
  readonly words?: readonly string[];
  readonly example?: string;
  /** A secret is never shown, and may be given as a file, named by the same variable with `_FILE`. */
  readonly isSecret?: true;
  /** Too short or too common to guess that a similar name was meant to be it: `POST` is not `PORT`. */
  readonly isCommon?: true;
  /** Set by the system or by a service manager, and read by no one else. */
  readonly isForeign?: true;
}

/** Settings that belong together. */
export interface SettingGroup {
  readonly title: string;
  readonly introduction: string;
  readonly settings: Readonly<Record<string, Setting>>;
}
