// Which test file belongs to which group. `test/groups.json` names beginnings of paths; the longest that fits counts.
import { readFileSync } from 'node:fs';

const beginnings = JSON.parse(readFileSync(new URL('../groups.json', import.meta.url), 'utf8'));

/** The names of all groups, in the order in which they run. */
export const groups = Object.keys(beginnings);

const byLength = groups
  .flatMap((group) => beginnings[group].map((beginning) => ({ group, beginning })))
  .toSorted((a, b) => b.beginning.length - a.beginning.length);

/** The group of a test file, whose path begins below `test/`; undefined when no beginning fits. */
export const groupOf = (path) => byLength.find(({ beginning }) => path.startsWith(beginning))?.group;
