/** As long as the name of a controller may be. */
const maxCharacters = 255;

/** The wanted name, or the first one with a number that is free. It is cut off where it would be too long. */
export const findFreeName = (wanted: string, isTaken: (name: string) => boolean): string => {
  const characters = Array.from(wanted);
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${String(number)}`;
    const beginning = characters.slice(0, maxCharacters - ending.length).join('');
    const name = beginning.trimEnd() + ending;
    if (!isTaken(name)) return name;
  }
};

/** A free name, which is not free any more. */
export const takeFreeName = (wanted: string, taken: Set<string>): string => {
  const name = findFreeName(wanted, (other) => taken.has(other));
  taken.add(name);
  return name;
};
