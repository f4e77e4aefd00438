import type { CommandDescription, OptionDescription } from '../commandTree.js';
import { findCompletion, type Completion } from './values.js';
import { listPlaces, type Place } from './places.js';

/** A text in single quotes, as fish reads it. */
const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** `-x` takes a value and no file, `-r -F` takes a file. */
const toValue = (value: string): string => {
  const completion = findCompletion(value);
  if (!completion) return ' -x';
  return completion.kind === 'files' ? ' -r -F' : ` -x ${toArgument(completion)}`;
};

const toOption = ({ long, value, description }: OptionDescription): string =>
  `-l ${long.replace(/^--/, '')}${value === undefined ? '' : toValue(value)} -d ${quote(description)}`;

const toArgument = (completion: Completion): string => {
  if (completion.kind === 'words') return `-a ${quote(completion.words.join(' '))}`;
  return completion.kind === 'files' ? '-F' : "-a '(__fish_complete_directories)'";
};

const toLines = ({ route, commands, options, completions }: Place): string[] =>
  [
    ...commands.map(({ name, description }) => `-a ${name} -d ${quote(description)}`),
    ...completions.map(toArgument),
    ...options.map(toOption),
  ].map((rest) => `complete -c voucherd -n '__voucherd_at voucherd${route}' ${rest}`);

/** Completion for fish. */
export const makeFishScript = (program: CommandDescription): string => {
  const places = listPlaces(program);
  return `# Completion of voucherd for fish.
function __voucherd_at
  set -l route voucherd
  for word in (commandline -opc)[2..-1]
    switch "$route/$word"
      case ${places
        .slice(1)
        .map(({ route }) => `'voucherd${route}'`)
        .join(' ')}
        set route "$route/$word"
    end
  end
  test "$route" = "$argv[1]"
end
complete -c voucherd -f
${places.flatMap(toLines).join('\n')}
`;
};
