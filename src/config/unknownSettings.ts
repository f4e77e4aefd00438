import { settingGroups } from './settings.js';

const ours = settingGroups
  .flatMap(({ settings }) => Object.entries(settings))
  .filter(([, { isForeign }]) => !isForeign);

/** Every variable that `readConfig` reads, except those that are too short or too common for guesses. */
export const settingNames: readonly string[] = ours.flatMap(([name, { isCommon, isSecret }]) => {
  if (isCommon) return [];
  return isSecret ? [name, `${name}_FILE`] : [name];
});

/**
 * The rest of what `readConfig` reads. One letter beside `HOST` or `PORT` are variables of other programs.
 */
export const commonNames: readonly string[] = ours.flatMap(([name, { isCommon }]) =>
  isCommon ? [name] : [],
);

/** A variable that looks like one of ours and is not. */
export interface UnknownSetting {
  readonly name: string;
  /** What was probably meant. */
  readonly meant: string;
}

/**
 * Finds misspelt settings, and ours with `VOUCHERD_` before them.
 * Variables of other programs are not reported.
 */
export const findUnknownSettings = (env: Readonly<Record<string, string | undefined>>): UnknownSetting[] =>
  Object.entries(env)
    .filter(([name, value]) => value && !isOfKubernetes(name, value))
    .flatMap(([name]) => {
      const meant = findMeant(name);
      return meant === undefined ? [] : [{ name, meant }];
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** One line about an unknown setting. Its value may be a secret, and is not shown. */
export const formatUnknownSetting = ({ name, meant }: UnknownSetting): string =>
  `${name} is not a setting of voucherd and has no effect; did you mean ${meant}?`;

const prefix = 'VOUCHERD_';

/** Kubernetes sets this in every container beside a service that is named voucherd. */
const isOfKubernetes = (name: string, value: string): boolean =>
  name === `${prefix}PORT` && value.startsWith('tcp://');

const findMeant = (name: string): string | undefined => {
  if (settingNames.includes(name)) return undefined;
  if (name.startsWith(prefix)) {
    const rest = name.slice(prefix.length);
    return [...settingNames, ...commonNames].includes(rest) ? rest : findNearest(rest);
  }
  return findNearest(name);
};

/** Few letters leave little room: of nine letters one may be wrong, of ten or more two. */
const allowedEdits = (name: string): number => (name.length < 10 ? 1 : 2);

const findNearest = (name: string): string | undefined => {
  const nearest = settingNames
    .filter((known) => Math.abs(known.length - name.length) <= allowedEdits(known))
    .map((known) => ({ known, edits: countEdits(name.toUpperCase(), known) }))
    .sort((a, b) => a.edits - b.edits)[0];
  return nearest && nearest.edits <= allowedEdits(nearest.known) ? nearest.known : undefined;
};

/**
 * How many letters have to be inserted, removed or replaced. Two exchanged neighbours are all that may be
 * wrong in a name, however long it is: SSL_CERT_FILE is not TLS_CERT_FILE.
 */
const countEdits = (from: string, to: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    const isExchanged = (column: number): boolean =>
      column > 0 && letter === to[column - 1] && from[index - 1] === to[column];
    for (const [column, other] of Array.from(to).entries())
      next.push(
        Math.min(
          (row[column] ?? 0) + (letter === other ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
          isExchanged(column) ? (before[column - 1] ?? 0) + allowedEdits(to) : Infinity,
        ),
      );
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
};
