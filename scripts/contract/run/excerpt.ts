import { readFileSync } from 'node:fs';

/** Finds the line of a place like `openapi.yaml:120:7`, without the white space around it. */
export type Excerpt = (at: string) => string | undefined;

/** Longer lines say no more. */
const longest = 200;

/** Files are read once; `known` are those that are at hand already. */
export const makeExcerpt = (known: Readonly<Record<string, string>> = {}): Excerpt => {
  const files = new Map(Object.entries(known).map(([file, text]) => [file, text.split('\n')]));
  const linesOf = (file: string): readonly string[] => {
    const lines = files.get(file) ?? readLines(file);
    files.set(file, lines);
    return lines;
  };
  return (at) => {
    const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(at) ?? [];
    if (file === undefined) return undefined;
    const text = linesOf(file)[Number(line) - 1]?.trim();
    return text && text.length > longest ? `${text.slice(0, longest)}…` : text;
  };
};

const readLines = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
};
