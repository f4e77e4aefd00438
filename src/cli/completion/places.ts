import type { CommandDescription, OptionDescription } from '../commandTree.js';
import { findCompletion, type Completion } from './values.js';

/** Where the cursor can be: behind the words of a command or a group. */
export interface Place {
  /** The words of the command with a slash before each: empty for the program itself. */
  readonly route: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionDescription[];
  /** What arguments can be completed to. */
  readonly completions: readonly Completion[];
}

const help: OptionDescription = {
  long: '--help',
  short: '-h',
  value: undefined,
  isVariadic: false,
  isRequired: false,
  description: 'show help',
  standard: undefined,
};

/** All places in a program, those of groups before those of their commands. */
export const listPlaces = (command: CommandDescription): Place[] => [
  {
    route: command.path.map((word) => `/${word}`).join(''),
    commands: command.commands.map(({ path, description }) => ({ name: path.at(-1) ?? '', description })),
    options: [...command.options, help],
    completions: command.arguments.flatMap(({ name }) => findCompletion(name) ?? []),
  },
  ...command.commands.flatMap(listPlaces),
];

/** A text in single quotes, as bash and zsh read it. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The option with the words or files that its value can be; nothing when it takes no value. */
export const listValues = ({
  options,
}: Place): (OptionDescription & { readonly completion: Completion | undefined })[] =>
  options.flatMap((option) =>
    option.value === undefined ? [] : [{ ...option, completion: findCompletion(option.value) }],
  );
