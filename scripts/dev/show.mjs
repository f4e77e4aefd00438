import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { root } from '../tasks/run.mjs';

/** Longer lines are cut: what is pointed to stays in sight. */
const shownColumns = 100;

/** One line on the terminal, told from the service's own. */
export const say = (text) => console.error(`dev: ${text}`);

const readText = (file) => {
  try {
    return readFileSync(`${root}${file}`, 'utf8');
  } catch {
    return undefined;
  }
};

const lineOf = (text, line) => text?.split(/\r?\n/)[line - 1];

/** The line itself, with a caret under the column. */
export const excerpt = (text, line, column) => {
  const start = Math.max(0, column - shownColumns + 20);
  const shown = text.slice(start, start + shownColumns);
  const margin = String(line).padStart(5);
  // Tabs stay, so that the caret stands where the terminal shows the character.
  const before = text.slice(start, column - 1).replace(/[^\t]/g, ' ');
  return `${margin} | ${shown}\n${' '.repeat(margin.length)} | ${before}^`;
};

/**
 * What was found at a place of a file: the place, what is wrong, the line and a caret. `source` is the text in which it
 * was found, if the file may have changed since then.
 */
export const formatFinding = ({ file, line, column, what, source }) => {
  const name = isAbsolute(file) ? relative(root, file) : file;
  const text = lineOf(source ?? readText(name), line);
  const told = `${name}:${line}:${column}: ${what}`;
  return text === undefined ? told : `${told}\n${excerpt(text, line, column)}`;
};

/** What lint has found, to be shown: with the other places of the same cause. */
export const lintFinding = (file, { file: other, severity, message, rule, line, column, also }) => {
  const places = also
    .map((place) => [place.file, place.line, place.column].filter((part) => part !== undefined).join(':'))
    .join(', ');
  const what = `${severity}: ${message} (${rule})${places && `; also at ${places}`}`;
  return { file: other ?? file, line, column, what };
};

export const showFinding = (finding) => say(formatFinding(finding));

/** Some findings, and how many more there are. */
export const showFindings = (findings, atMost, rest) => {
  findings.slice(0, atMost).forEach(showFinding);
  if (findings.length > atMost) say(`… and ${findings.length - atMost} more: ${rest}`);
};
