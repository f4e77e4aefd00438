import type { CommandDescription } from '../commandTree.js';
import { listPlaces, listValues, quote, type Place } from './places.js';
import type { Completion } from './values.js';

/** Paths are completed by readline itself, which knows of spaces in their names. Bash 3 has no `compopt`. */
const completePaths = (option: 'default' | 'dirnames'): string =>
  `if type compopt > /dev/null 2>&1; then compopt -o ${option}; fi`;
const pathActions = { files: completePaths('default'), folders: completePaths('dirnames') };

const toValueCases = (place: Place): string[] =>
  listValues(place).map(
    ({ long, completion }) => `    ${quote(`${place.route} ${long}`)}) ${toAction(completion)} ;;`,
  );

const toAction = (completion: Completion | undefined): string => {
  if (!completion) return 'return';
  return completion.kind === 'words'
    ? `candidates=${quote(completion.words.join(' '))}`
    : `${pathActions[completion.kind]}; return`;
};

const toCandidates = ({ commands, options, completions }: Place): string[] => [
  ...commands.map(({ name }) => name),
  ...completions.flatMap((completion) => (completion.kind === 'words' ? completion.words : [])),
  ...options.map(({ long }) => long),
];

const toPlaceCase = (place: Place): string => {
  const paths = place.completions.flatMap(({ kind }) => (kind === 'words' ? [] : [`; ${pathActions[kind]}`]));
  return `      ${quote(place.route)}) candidates=${quote(toCandidates(place).join(' '))}${paths.join('')} ;;`;
};

/** Completion for bash, from version 3 on. */
export const makeBashScript = (program: CommandDescription): string => {
  const places = listPlaces(program);
  return `# Completion of voucherd for bash.
_voucherd() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local route='' candidates='' index
  # Bash splits --option=value into three words.
  if [ "$current" = '=' ]; then
    current=''
  elif [ "$previous" = '=' ]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$route/\${COMP_WORDS[index]}" in
      ${places
        .slice(1)
        .map(({ route }) => route)
        .join(' | ')})
        route="$route/\${COMP_WORDS[index]}" ;;
    esac
  done
  COMPREPLY=()
  case "$route $previous" in
${places.flatMap(toValueCases).join('\n')}
    *) case "$route" in
${places.map(toPlaceCase).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -F _voucherd voucherd
`;
};
