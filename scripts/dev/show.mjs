import { isAbsolute, relative } from 'node:path';
import { readIfThere, root } from '../tasks/run.mjs';

/** Longer lines are cut: what is pointed to stays in sight. */
const shownColumns = 100;

/** One line on the terminal, told from the service's own. */
export const say = (text) => console.error(`dev: ${text}`);

/** The line itself, with a caret under the column; nothing where the file has no such line. */
const excerpt = (file, line, column) => {
  const text = readIfThere(file)?.split(/\r?\n/)[line - 1];
  if (text === undefined) return '';
  const start = Math.max(0, column - shownColumns + 20);
  const margin = String(line).padStart(5);
  // Tabs stay, so that the caret stands where the terminal shows the character.
  const before = text.slice(start, column - 1).replace(/[^\t]/g, ' ');
  return `\n${margin} | ${text.slice(start, start + shownColumns)}\n${' '.repeat(margin.length)} | ${before}^`;
};

/** What was found at a place of a file: the place, what is wrong, the line and a caret. */
export const formatFinding = ({ file, line, column, what }) => {
  const name = isAbsolute(file) ? relative(root, file) : file;
  return `${name}:${line}:${column}: ${what}${excerpt(name, line, column)}`;
};

export const showFinding = (finding) => say(formatFinding(finding));

/** `+ getSite (mocked), ~ listSites, - oldOne`: what a contract brought, in a line. */
export const loadedLine = ({ added, changed, removed, mocked }) => {
  const name = (id) => (mocked.includes(id) ? `${id} (mocked)` : id);
  const parts = [
    ...added.map((id) => `+ ${name(id)}`),
    ...changed.map((id) => `~ ${name(id)}`),
    ...removed.map((id) => `- ${id}`),
  ];
  return parts.join(', ') || 'no operation changed';
};
