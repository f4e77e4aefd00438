import type { Argument, Command, Option } from 'commander';

/** A command or a group of commands, as the documents describe it. */
export interface CommandDescription {
  /** The words that call it: `['key', 'create']`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly arguments: readonly ArgumentDescription[];
  readonly options: readonly OptionDescription[];
  readonly commands: readonly CommandDescription[];
}

export interface ArgumentDescription {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
}

export interface OptionDescription {
  /** As it is typed: `--name`. */
  readonly long: string;
  readonly short: string | undefined;
  /** The name of its value: `file`; undefined when it takes none. */
  readonly value: string | undefined;
  readonly isVariadic: boolean;
  readonly isRequired: boolean;
  readonly description: string;
  readonly standard: string | undefined;
}

/** Describes a program that has all its commands. */
export const describeCommand = (command: Command, path: readonly string[] = []): CommandDescription => ({
  path,
  description: command.description(),
  arguments: command.registeredArguments.map(describeArgument),
  options: command.options.map(describeOption),
  commands: command.commands
    .filter((child) => child.name() !== 'help')
    .map((child) => describeCommand(child, [...path, child.name()])),
});

const describeArgument = (argument: Argument): ArgumentDescription => ({
  name: argument.name(),
  description: argument.description,
  isRequired: argument.required,
  isVariadic: argument.variadic,
});

const describeOption = (option: Option): OptionDescription => ({
  long: option.long ?? option.flags,
  short: option.short,
  value: /[<[]([^>\].]+)/.exec(option.flags)?.[1],
  isVariadic: option.variadic,
  isRequired: option.mandatory,
  description: option.description,
  standard: option.defaultValue === undefined ? undefined : String(option.defaultValue),
});

/** All commands that do something, without the groups. */
export const listCommands = (command: CommandDescription): CommandDescription[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(listCommands);

/** An option as a usage line shows it: `--name <name>`. */
export const formatOption = ({ long, value, isVariadic }: OptionDescription): string =>
  value === undefined ? long : `${long} <${value}${isVariadic ? '...' : ''}>`;

/** An argument as a usage line shows it: `<name>`, or `[name...]` where it may be absent. */
export const formatArgument = ({ name, isRequired, isVariadic }: ArgumentDescription): string => {
  const text = `${name}${isVariadic ? '...' : ''}`;
  return isRequired ? `<${text}>` : `[${text}]`;
};
