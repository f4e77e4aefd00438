import { ImportError } from './sourceRows.js';

/** A piece of SQL. Of a quoted text or name, the content. */
export interface SqlToken {
  readonly kind: 'text' | 'name' | 'word' | 'symbol';
  readonly value: string;
}

/** Longer than any value of the tool: a text of 64 KiB, escaped, is far below. */
const maxTokenLength = 4 * 1024 * 1024;

/** As long as the beginning of a token must be known to tell what it is. */
const lookAhead = 16;

const word = /[\w.$@+-]+/y;
/** What only some versions run: `/*!40101 …` of MySQL, `/*M!100101 …` of MariaDB. Its content counts. */
const versionComment = /\/\*M?!(\d{0,6})/y;
/** No server has these versions, so none runs the content. MariaDB's dumps begin with such a line. */
const isOfNoServer = (version: number): boolean => version === 99_999 || version >= 500_000;
/** Triggers and functions stand between two of these lines; their statements are not those of the dump. */
const delimiterLine = /^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*$/i;

/** Splits a dump into tokens, while it is read. Throws `ImportError` when it ends within one. */
export async function* readSqlTokens(chunks: AsyncIterable<string>): AsyncGenerator<readonly SqlToken[]> {
  let rest = '';
  // What is not complete is scanned again only when it has doubled:
  // the work stays in proportion to the length.
  let scanAgainAt = 0;
  for await (const chunk of chunks) {
    rest += chunk;
    if (rest.length < scanAgainAt) continue;
    const { tokens, end } = scan(rest, false);
    rest = rest.slice(end);
    scanAgainAt = Math.min(2 * rest.length, maxTokenLength + 1);
    if (rest.length > maxTokenLength)
      throw new ImportError(
        'source-invalid',
        'the dump holds a value that is longer than any of the tool: is it a dump of its database?',
      );
    yield tokens;
  }
  const { tokens, end } = scan(`${rest}\n`, true);
  if (end < rest.length)
    throw new ImportError('source-invalid', 'the dump ends within a value: it is not complete');
  yield tokens;
}

/** The tokens that are complete, and where they end. */
const scan = (text: string, isEnd: boolean): { readonly tokens: SqlToken[]; readonly end: number } => {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < text.length && (isEnd || text.length - at >= lookAhead)) {
    const next = skipBlank(text, at) ?? readToken(text, at, tokens, isEnd);
    if (next === undefined || next > text.length) break;
    at = next;
  }
  return { tokens, end: at };
};

/**
 * Where the blank or the comment that begins here ends;
 * undefined when none does. Beyond the text: not known yet.
 */
const skipBlank = (text: string, at: number): number | undefined => {
  const first = text.charAt(at);
  if (/\s/.test(first)) return at + 1;
  if (first === '#' || /^--\s/.test(text.slice(at, at + 3))) return endOf(text, '\n', at);
  if (text.startsWith('*/', at)) return at + 2;
  if (!text.startsWith('/*', at)) return undefined;
  versionComment.lastIndex = at;
  const [beginning, version] = versionComment.exec(text) ?? [];
  return beginning === undefined || isOfNoServer(Number(version))
    ? endOf(text, '*/', at + 2)
    : at + beginning.length;
};

const endOf = (text: string, what: string, from: number): number => {
  const found = text.indexOf(what, from);
  return found < 0 ? Infinity : found + what.length;
};

/** Adds the token that begins here, and returns where it ends; undefined when that is not known yet. */
const readToken = (text: string, at: number, tokens: SqlToken[], isEnd: boolean): number | undefined => {
  const first = text.charAt(at);
  if (first === "'" || first === '"' || first === '`') {
    const end = findQuoteEnd(text, at, first);
    if (end === undefined) return undefined;
    const content = text.slice(at + 1, end - 1);
    tokens.push({ kind: first === '`' ? 'name' : 'text', value: unquote(content, first) });
    return end;
  }
  word.lastIndex = at;
  const [value] = word.exec(text) ?? [];
  if (value === undefined) {
    tokens.push({ kind: 'symbol', value: first });
    return at + 1;
  }
  if (at + value.length === text.length && !isEnd) return undefined;
  if (value.toUpperCase() === 'DELIMITER') return skipDelimited(text, at);
  tokens.push({ kind: 'word', value });
  return at + value.length;
};

const findQuoteEnd = (text: string, start: number, quote: string): number | undefined => {
  const special = quote === '`' ? /`/g : quote === "'" ? /['\\]/g : /["\\]/g;
  special.lastIndex = start + 1;
  for (;;) {
    const found = special.exec(text);
    // A doubled quote is one of the text, so the next character has to be known.
    if (!found || found.index + 1 >= text.length) return undefined;
    if (found[0] === quote && text.charAt(found.index + 1) !== quote) return found.index + 1;
    special.lastIndex = found.index + 2;
  }
};

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
};

const unquote = (content: string, quote: string): string => {
  if (quote === '`') return content.replaceAll('``', '`');
  return content.replaceAll(/\\([^])|''|""/g, (pair: string, escaped: string | undefined) =>
    escaped === undefined ? (pair.startsWith(quote) ? quote : pair) : (escapes[escaped] ?? escaped),
  );
};

/** Skips everything up to the line that sets the usual delimiter again. */
const skipDelimited = (text: string, at: number): number | undefined => {
  for (let line = at, isFirst = true; ; isFirst = false) {
    const end = text.indexOf('\n', line);
    if (end < 0) return undefined;
    const [, delimiter] = delimiterLine.exec(text.slice(line, end).trimEnd()) ?? [];
    if (delimiter === ';') return end;
    if (isFirst && delimiter === undefined) return end;
    line = end + 1;
  }
};
