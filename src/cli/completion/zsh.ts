import type { CommandDescription } from '../commandTree.js';
import { listPlaces, listValues, quote, type Place } from './places.js';
import type { Completion } from './values.js';

const toAction = (completion: Completion | undefined): string => {
  if (!completion) return '_message value';
  if (completion.kind === 'words') return `compadd -- ${completion.words.join(' ')}`;
  return completion.kind === 'files' ? '_files' : '_files -/';
};

const toValueCases = (place: Place): string[] =>
  listValues(place).map(
    ({ long, completion }) => `    (${quote(`${place.route} ${long}`)}) ${toAction(completion)}; return ;;`,
  );

/** `_describe` takes names and descriptions with a colon between them. */
const describe = (name: string, description: string): string =>
  quote(`${name.replaceAll(':', '\\:')}:${description}`);

const toPlaceCase = ({ route, commands, options, completions }: Place): string => {
  const others = completions.map((completion) => `\n      ${toAction(completion)}`).join('');
  return `    (${quote(route)})
      commands=(${commands.map(({ name, description }) => describe(name, description)).join(' ')})
      options=(${options.map(({ long, description }) => describe(long, description)).join(' ')})${others} ;;`;
};

/** Completion for zsh: a file named `_voucherd` in a folder of `fpath`, or sourced. */
export const makeZshScript = (program: CommandDescription): string => {
  const places = listPlaces(program);
  return `#compdef voucherd
# Completion of voucherd for zsh.
_voucherd() {
  local route='' word previous="$words[CURRENT-1]"
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$route/$word" in
      (${places
        .slice(1)
        .map(({ route }) => route)
        .join('|')}) route="$route/$word" ;;
    esac
  done
  case "$route $previous" in
${places.flatMap(toValueCases).join('\n')}
  esac
  case "$route" in
${places.map(toPlaceCase).join('\n')}
  esac
  if (( $#commands )); then _describe command commands; fi
  _describe -o option options
}
if [ "$funcstack[1]" = _voucherd ]; then
  _voucherd "$@"
else
  compdef _voucherd voucherd
fi
`;
};
