import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A fenced block of a guide: what it is for stands behind its language. */
export interface Block {
  readonly language: string;
  readonly purpose: string;
  readonly text: string;
}

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', purpose = '', text = '']) => ({ language, purpose, text }),
  );

/** Applies a block in which lines that begin with - give way to those that begin with +. */
export const applyDiff = (source: string, diff: string): string => {
  const [before, after] = [linesOf(diff, '-'), linesOf(diff, '+')];
  if (!source.includes(before)) throw new Error(`there is no "${before}"`);
  return source.replace(before, () => after);
};

const linesOf = (diff: string, sign: string): string =>
  diff
    .split('\n')
    .filter((line) => line.startsWith(sign))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

/** Takes back what a block of the guide has changed, where it was followed before. */
export const undo = async ({ path }: { readonly path: string }, block: Block): Promise<void> => {
  const { language, purpose, text } = block;
  const change = async (file: string, undone: (source: string) => string): Promise<void> => {
    await writeFile(join(path, file), undone(await readFile(join(path, file), 'utf8')));
  };
  if (language === 'ts') await rm(join(path, purpose), { force: true });
  if (language === 'yaml')
    await change(purpose.split(',')[0] ?? '', (source) => source.replace(`\n${text.trimEnd()}\n`, ''));
  if (language === 'diff')
    await change(purpose, (source) => source.replace(linesOf(text, '+'), () => linesOf(text, '-')));
};

export interface CurlRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** What a `curl` line asks for. */
export const curlRequest = (line: string, variables: Readonly<Record<string, string>>): CurlRequest => {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) =>
      single ?? (double ?? bare ?? '').replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? ''),
  );
  if (words.shift() !== 'curl') throw new Error(`no curl: ${line}`);
  const headers: Record<string, string> = {};
  let path = '';
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(words.shift() ?? '') ?? [];
      headers[name] = value;
    } else if (word !== '-i') {
      const { pathname, search } = new URL(word);
      path = pathname + search;
    }
  }
  return { path, headers };
};

export interface ShownAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An answer as `curl -i` shows it. */
export const shownAnswer = (text: string): ShownAnswer => {
  const [head = '', body = ''] = text.split('\n\n');
  const [statusLine = '', ...headers] = head.split('\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(
      headers.map((line) => line.split(': ')).map(([name = '', value = '']) => [name.toLowerCase(), value]),
    ),
    body: body.trimEnd(),
  };
};

/** What a line of the terminal looks like, whatever its times are and whatever is left out. */
export const shownLine = (line: string): RegExp => {
  const pattern = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\d+ ms/g, '\\d+ ms');
  return new RegExp(`^${pattern.replaceAll('…', '.*')}$`, 'm');
};
