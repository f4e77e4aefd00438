import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { root } from '../support/built.js';
import type { RunService } from './thirdPartyRun.js';

/** A service of somebody else, whose contract is library.yaml: books that are added, read, changed and removed. */
export const libraryFile = join(root, 'test/contractRun/library.yaml');

export const libraryToken = 'library-token-0815';

/** Mistakes that can be planted in it. */
export interface LibraryDefects {
  readonly letsEverybodyIn?: boolean;
  readonly isLenient?: boolean;
  readonly wrongType?: boolean;
  /** PUT answers with the new book, and stores nothing. */
  readonly losesUpdates?: boolean;
  /** DELETE answers 204, and keeps the book. */
  readonly keepsDeleted?: boolean;
  /** Lists keep what was removed. */
  readonly listsDeleted?: boolean;
  /** A book with tags is not in the list. */
  readonly listMisses?: boolean;
  /** The pages of a book are those of another. */
  readonly wrongPages?: boolean;
  /** A title longer than 20 is cut off when it is read. */
  readonly cutsTitles?: boolean;
  /** The list shows other pages than the book itself. */
  readonly wrongInList?: boolean;
  /** The list is a 500. */
  readonly failsToList?: boolean;
}

type Book = Record<string, unknown>;

const { components } = parse(readFileSync(libraryFile, 'utf8')) as {
  components: { schemas: { NewBook: object } };
};
const isNewBook = new Ajv2020({ strict: false }).compile(components.schemas.NewBook);

/** Starts it on a free port. */
export const startLibrary = async (defects: LibraryDefects = {}): Promise<RunService> => {
  const requests: string[] = [];
  const books = new Map<number, Book>([
    [7, { id: 7, added: '2026-01-02T03:04:05Z', title: 'Momo', pages: 304 }],
  ]);
  const removed: Book[] = [];
  let lastId = 7;

  const shown = (book: Book): Book => ({
    ...book,
    ...(defects.wrongType && { id: String(book['id']) }),
    ...(defects.cutsTitles && { title: String(book['title']).slice(0, 20) }),
  });
  const listed = (): Book[] =>
    [...(defects.listsDeleted ? removed : []), ...books.values()]
      .filter(({ tags }) => !(defects.listMisses && Array.isArray(tags) && tags.length > 0))
      .map((book) => (defects.wrongInList && book['pages'] ? { ...book, pages: 1 } : book))
      .map(shown)
      .toReversed();

  const answer = (req: IncomingMessage, text: string): [status: number, body?: unknown] => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
    if (pathname === '/status') return [200, { status: 'ok' }];
    if (!defects.letsEverybodyIn && req.headers.authorization !== `Bearer ${libraryToken}`)
      return [401, { title: 'who are you?' }];
    const id = /^\/books\/([^/]+)$/.exec(pathname)?.[1];
    const given = readBook(text);
    const isWrong = !given && !defects.isLenient;
    if (pathname === '/books' && req.method === 'GET') {
      const limits = searchParams.getAll('limit');
      if (limits.some((limit) => !/^[1-9]\d?$|^100$/.test(limit)) || limits.length > 1)
        return [400, { title: 'limit' }];
      if (defects.failsToList) return [500, { title: 'oh' }];
      return [200, { books: listed().slice(0, Number(limits[0] ?? 100)) }];
    }
    if (pathname === '/books' && req.method === 'POST') {
      if (isWrong) return [422, { title: 'no book' }];
      lastId += 1;
      const pages = defects.wrongPages && given?.['pages'] ? { pages: 1 } : {};
      const book = { title: '?', ...given, ...pages, id: lastId, added: '2026-01-02T03:04:05Z' };
      books.set(lastId, book);
      return [201, shown(book)];
    }
    if (id === undefined || !/^[1-9]\d*$/.test(id)) return [404, { title: 'nothing here' }];
    const book = books.get(Number(id));
    if (!book) return [404, { title: 'no such book' }];
    if (req.method === 'GET') return [200, shown(book)];
    if (req.method === 'DELETE') {
      if (!defects.keepsDeleted) books.delete(Number(id));
      removed.push(book);
      return [204];
    }
    if (isWrong) return [422, { title: 'no book' }];
    const changed = {
      ...given,
      id: Number(id),
      added: book['added'],
    };
    if (!defects.losesUpdates) books.set(Number(id), changed);
    return [200, shown(changed)];
  };

  const server = createServer((req, res) => {
    requests.push(`${req.method ?? ''} ${(req.url ?? '').replace(/\?.*/, '')}`);
    let text = '';
    req.on('data', (chunk) => (text += String(chunk)));
    req.on('end', () => send(res, ...answer(req, text)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const readBook = (text: string): Book | undefined => {
  try {
    const value = JSON.parse(text) as Book;
    return isNewBook(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const send = (res: ServerResponse, status: number, body?: unknown): void => {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  res.writeHead(status, body === undefined ? {} : { 'Content-Type': type });
  res.end(body === undefined ? undefined : JSON.stringify(body));
};
