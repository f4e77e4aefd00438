import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../../lib/errorCode.js';
import { toQuotedWord } from '../../lib/commandLine.js';
import {
  ImportError,
  isSourceTable,
  type SourceRow,
  type SourceRows,
  type SourceTable,
} from './sourceRows.js';
import { readSqlTokens, type SqlToken } from './sqlTokens.js';

/**
 * Reads a dump of the tool's database, as `mysqldump`,
 * `mariadb-dump` or phpMyAdmin writes it; also compressed by gzip.
 */
export const readDump = async (file: string, onRows?: (rows: number) => void): Promise<SourceRows> => {
  try {
    return await collectRows(readText(file), onRows);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const code = errorCode(error) || 'unknown';
    // The codes of zlib: the file was read, and is not what it seems to be.
    throw code.startsWith('Z_')
      ? new ImportError('source-invalid', `the dump can not be decompressed (${code}): it is not complete`)
      : new ImportError('file-unreadable', `the dump ${toQuotedWord(file)} can not be read (${code})`);
  }
};

const gzipMagic = Buffer.from([0x1f, 0x8b]);
/** SQL is compressed to a tenth. What grows more is no dump, and its rows would fill the memory. */
const maxGrowth = 100;
const alwaysAllowedBytes = 64 * 1024 * 1024;

async function* readText(file: string): AsyncGenerator<string> {
  const handle = await open(file);
  const beginning = Buffer.alloc(2);
  let maxBytes = Infinity;
  try {
    await handle.read(beginning, 0, 2, 0);
    if (beginning.equals(gzipMagic))
      maxBytes = Math.max(alwaysAllowedBytes, maxGrowth * (await handle.stat()).size);
  } finally {
    await handle.close();
  }
  const isGzip = beginning.equals(gzipMagic);
  const stream = createReadStream(file);
  const bytes = isGzip ? stream.pipe(createGunzip()) : stream;
  if (isGzip) stream.on('error', (error) => bytes.destroy(error));
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  try {
    let length = 0;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length > maxBytes)
        throw new ImportError('source-invalid', 'the dump grows too much when it is decompressed');
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError)
      throw new ImportError(
        'source-invalid',
        'the dump is not in UTF-8: make it with --default-character-set=utf8mb4',
      );
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Collects the rows of the tool's tables from the statements of a dump. */
export const collectRows = async (
  text: AsyncIterable<string>,
  onRows?: (rows: number) => void,
): Promise<SourceRows> => {
  const tables = new Map<SourceTable, SourceRow[]>();
  const columns = new Map<string, readonly string[]>();
  let timeZone: string | undefined;
  let count = 0;

  const createTable = (tokens: readonly SqlToken[]): void => {
    const { table, columns: own } = parseCreate(tokens);
    if (table === undefined || !isSourceTable(table)) return;
    if (columns.has(table))
      throw new ImportError(
        'source-invalid',
        `the dump holds two tables named ${table}: make one of the tool's database alone`,
      );
    columns.set(table, own);
    tables.set(table, tables.get(table) ?? []);
  };

  const runStatement = (tokens: readonly SqlToken[]): void => {
    refuseOtherInsert(tokens);
    if (isWord(tokens[0], 'CREATE') && isWord(tokens[1], 'TABLE')) createTable(tokens);
    const zone = tokens[3];
    if (isWord(tokens[0], 'SET') && isWord(tokens[1], 'TIME_ZONE') && zone?.kind === 'text')
      timeZone ??= zone.value;
  };

  // Statements are small but for inserts, whose rows are taken as they come.
  let statement: SqlToken[] = [];
  let insert: InsertReader | undefined;
  const ends = makeEndsReader();
  for await (const tokens of readSqlTokens(ends.watch(text))) {
    for (const token of tokens) {
      const isOver = token.kind === 'symbol' && token.value === ';';
      if (insert) {
        const row = insert.take(token);
        if (row && insert.table !== undefined) {
          tables.get(insert.table)?.push(row);
          count += 1;
        }
        if (isOver) insert = undefined;
      } else if (isOver) {
        runStatement(statement);
        statement = [];
      } else {
        statement.push(token);
        if (statement.length > maxStatementTokens)
          throw new ImportError(
            'source-invalid',
            'the dump holds a statement that is longer than any of the tool: is it a dump of its database?',
          );
        refuseHiddenInsert(statement);
        if (isWord(token, 'VALUES') || isWord(token, 'VALUE')) {
          insert = startInsert(statement, columns, tables);
          if (insert) statement = [];
        }
      }
    }
    onRows?.(count);
  }
  if (insert || statement.length > 0)
    throw new ImportError('source-invalid', 'the dump ends within a statement: it is not complete');
  if (timeZone !== undefined && timeZone !== '+00:00')
    throw new ImportError(
      'source-invalid',
      `the dump is in the time zone ${timeZone.slice(0, 40)}: make it without changing TIME_ZONE`,
    );
  return { tables, shownIn: timeZone === undefined ? 'server zone' : 'UTC', isCutOff: ends.isCutOff() };
};

/** More than any definition of a table has. */
const maxStatementTokens = 20_000;

/** More than the first and the last lines of a dump. */
const endsLength = 1024;

/**
 * Remembers the ends of a dump: `mysqldump` and `mariadb-dump`
 * write a comment first and last, unless told not to.
 */
const makeEndsReader = () => {
  let [first, last] = ['', ''];
  return {
    async *watch(text: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const chunk of text) {
        if (first.length < endsLength) first += chunk.slice(0, endsLength);
        last = `${last}${chunk.slice(-endsLength)}`.slice(-endsLength);
        yield chunk;
      }
    },
    isCutOff: () => /^-- (?:MySQL|MariaDB) dump /m.test(first) && !/^-- Dump completed/m.test(last),
  };
};

const isWord = (token: SqlToken | undefined, value: string): boolean =>
  token?.kind === 'word' && token.value.toUpperCase() === value;

const isSymbol = (token: SqlToken | undefined, value: string): boolean =>
  token?.kind === 'symbol' && token.value === value;

const isInsert = (token: SqlToken | undefined): boolean =>
  isWord(token, 'INSERT') || isWord(token, 'REPLACE');

/** Its rows would be lost: where a `;` is missing, an insert is behind the beginning of another statement. */
const refuseHiddenInsert = (statement: readonly SqlToken[]): void => {
  const table = statement.at(-1);
  if (!table || !isSourceTable(table.value) || !isWord(statement.at(-2), 'INTO')) return;
  // Between them there is at most `LOW_PRIORITY IGNORE`. An
  // insert that begins its statement is none that hides.
  if (statement.slice(Math.max(1, statement.length - 5)).some(isInsert))
    throw new ImportError(
      'source-invalid',
      `the dump holds an INSERT for ${table.value} within another statement: a ; is missing before it`,
    );
};

/** Rows are read behind VALUES alone: those of `INSERT … SET` and `INSERT … SELECT` would be lost. */
const refuseOtherInsert = (statement: readonly SqlToken[]): void => {
  if (!isInsert(statement[0])) return;
  const end = statement.findIndex((token) => isWord(token, 'SET') || isWord(token, 'SELECT'));
  const table = statement.slice(0, Math.max(end, 0)).find(({ value }) => isSourceTable(value));
  if (table)
    throw new ImportError(
      'source-invalid',
      `the dump holds an INSERT … ${statement[end]?.value.toUpperCase() ?? ''} for ${table.value}, whose rows can't be read: make it with mysqldump or mariadb-dump`,
    );
};

/**
 * The table and the columns of a `create table`: at the first level,
 * what begins with a quoted name is a column.
 */
const parseCreate = (tokens: readonly SqlToken[]): { table: string | undefined; columns: string[] } => {
  const open = tokens.findIndex((token) => isSymbol(token, '('));
  const table = tokens.slice(0, Math.max(open, 0)).findLast(({ kind }) => kind === 'name')?.value;
  const columns: string[] = [];
  let depth = 0;
  let isStart = false;
  for (const token of tokens.slice(Math.max(open, 0))) {
    if (isSymbol(token, ')')) depth -= 1;
    if (depth === 1 && isStart && token.kind === 'name') columns.push(token.value);
    isStart = depth === 1 && isSymbol(token, ',');
    if (isSymbol(token, '(')) {
      depth += 1;
      isStart = depth === 1;
    }
  }
  return { table, columns };
};

interface InsertReader {
  /** Undefined for a table that is not read. */
  readonly table: SourceTable | undefined;
  /** Takes the next token; returns a row when it ends one. */
  take(token: SqlToken): SourceRow | undefined;
}

/** Begins to read the rows of an insert; undefined for any other statement. */
const startInsert = (
  statement: readonly SqlToken[],
  created: ReadonlyMap<string, readonly string[]>,
  tables: Map<SourceTable, SourceRow[]>,
): InsertReader | undefined => {
  if (!isInsert(statement[0])) return undefined;
  // `… SET a = 1 ON DUPLICATE KEY UPDATE a = VALUES(a)`
  refuseOtherInsert(statement);
  const open = statement.findIndex((token) => isSymbol(token, '('));
  const head = open < 0 ? statement : statement.slice(0, open);
  const table = head.findLast(
    ({ kind, value }) => kind === 'name' || (kind === 'word' && isSourceTable(value)),
  )?.value;
  if (table === undefined || !isSourceTable(table)) return { table: undefined, take: () => undefined };
  const given = open < 0 ? [] : statement.slice(open).filter(({ kind }) => kind === 'name');
  const columns = given.length > 0 ? given.map(({ value }) => value) : created.get(table);
  if (!columns)
    throw new ImportError(
      'source-invalid',
      `the dump does not say which columns ${table} has: make it with the structure, or with --complete-insert`,
    );
  if (!tables.has(table)) tables.set(table, []);
  return makeInsertReader(table, columns);
};

const makeInsertReader = (table: SourceTable, columns: readonly string[]): InsertReader => {
  let values: (string | null)[] | undefined;
  let value: string | null | undefined;
  return {
    table,
    take: (token) => {
      if (values === undefined) {
        if (isSymbol(token, '(')) values = [];
        return undefined;
      }
      if (!isSymbol(token, ',') && !isSymbol(token, ')')) {
        value = toValue(token, value);
        return undefined;
      }
      values.push(value ?? null);
      value = undefined;
      if (isSymbol(token, ',')) return undefined;
      const row = values;
      values = undefined;
      if (row.length !== columns.length)
        throw new ImportError(
          'source-invalid',
          `a row of ${table} in the dump has ${String(row.length)} values for ${String(columns.length)} columns`,
        );
      return Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]));
    },
  };
};

/** `_binary 'x'`, `x'6162'` and `0x6162` are texts, too. */
const toValue = ({ kind, value }: SqlToken, before: string | null | undefined): string | null => {
  if (kind === 'text') return before?.toLowerCase() === 'x' ? decodeHex(value) : value;
  if (kind === 'word' && value.toUpperCase() === 'NULL') return null;
  return /^0x([0-9a-f]{2})+$/i.test(value) ? decodeHex(value.slice(2)) : value;
};

const decodeHex = (digits: string): string => Buffer.from(digits, 'hex').toString('utf8');
