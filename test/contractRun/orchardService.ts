import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, STATUS_CODES, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { root } from '../support/built.js';
import type { RunService } from './thirdPartyRun.js';

/** A service of somebody else, whose contract is orchard.yaml: empty at first, with ETags, dates and lists without a frame. */
export const orchardFile = join(root, 'test/contractRun/orchard.yaml');

export const orchardToken = 'orchard-token-0815';

/** A mistake that can be planted in it. */
export type OrchardDefect =
  | 'a body may have any dates'
  | 'a change loses the note'
  | 'a change of an old version counts'
  | 'a harvest may weigh nothing'
  | 'a name may have 41 characters'
  | 'a list of weaves counts as its first'
  | 'ascending harvests descend'
  | 'baskets of others are listed'
  | 'baskets of the owner are left out'
  | 'descending trees ascend'
  | 'every body is read'
  | 'null changes nothing'
  | 'removing removes nothing'
  | 'tags are lost'
  | 'tags may be there twice'
  | 'the filter of kinds does nothing'
  | 'the list begins one tree too early'
  | 'the list has one tree more'
  | 'the page of harvests has all of them'
  | 'trees are removed without a key';

/** What it may do otherwise, and rightly. */
export type OrchardHabit = 'bodies of all types are read';

type Fields = Record<string, unknown>;

const { schemas } = (parse(readFileSync(orchardFile, 'utf8')) as { components: { schemas: object } })
  .components;

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(STATUS_CODES[status]);
  }
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface OrchardRequest {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly query: URLSearchParams;
  body(mediaType: string, isValid: ValidateFunction): unknown;
}

const etagOf = (tree: Fields): string =>
  `"${createHash('sha256').update(JSON.stringify(tree)).digest('hex').slice(0, 12)}"`;

const baskets = [
  { id: 1, ownerId: 7, weave: 'fine' },
  { id: 2, ownerId: 7, weave: 'coarse' },
  { id: 3, ownerId: 8, weave: 'coarse' },
];

/** Starts it on a free port. */
export const startOrchard = async (
  ...planted: readonly (OrchardDefect | OrchardHabit)[]
): Promise<RunService> => {
  const has = (one: OrchardDefect | OrchardHabit): boolean => planted.includes(one);
  const ajv = addFormats.default(new Ajv2020({ strict: false }), { mode: 'full' });
  const compile = (name: string, change: (text: string) => string = (text) => text): ValidateFunction =>
    ajv.compile(JSON.parse(change(JSON.stringify((schemas as Fields)[name]))) as object);
  const isNewTree = compile('NewTree', (text) =>
    text
      .replace('"format":"date"', has('a body may have any dates') ? '"minLength":0' : '$&')
      .replace('"maxLength":40', has('a name may have 41 characters') ? '"maxLength":41' : '$&')
      .replace('"uniqueItems":true,', has('tags may be there twice') ? '' : '$&'),
  );
  const isTreeChange = compile('TreeChange');
  const isNewHarvests = compile('NewHarvests', (text) =>
    has('a harvest may weigh nothing') ? text.replace('exclusiveMinimum', 'minimum') : text,
  );
  const trees = new Map<string, Fields>();
  const harvests = new Map<string, Fields[]>();

  /** The value of a parameter, which may be given once, and must be such. */
  const parameter = (query: URLSearchParams, name: string, isValid: (value: string) => boolean) => {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0 || (value !== undefined && !isValid(value))) throw new Refusal(400);
    return value;
  };
  const isSize = (most: number) => (value: string) => /^[1-9]\d*$/.test(value) && Number(value) <= most;
  const sortedBy = (items: readonly Fields[], field: string, direction: number): Fields[] =>
    items.toSorted((one, other) => direction * (String(one[field]) < String(other[field]) ? -1 : 1));

  const listTrees = ({ query }: OrchardRequest): Answer => {
    const kinds = ['apple', 'pear', 'cherry'];
    const areKinds = (text: string) =>
      text.split(',').length <= 2 && text.split(',').every((kind) => kinds.includes(kind));
    const kind = parameter(query, 'kind', areKinds)?.split(',');
    const limit = Number(parameter(query, 'limit', isSize(50)) ?? 20);
    const sort = parameter(query, 'sort', (value) => ['planted', '-planted', 'name'].includes(value));
    const isListed = ({ kind: one }: Fields) =>
      has('the filter of kinds does nothing') || !kind || kind.includes(String(one));
    const found = [...trees.values()].filter(isListed);
    const direction = sort?.startsWith('-') && !has('descending trees ascend') ? -1 : 1;
    const items = sort ? sortedBy(found, sort.replace('-', ''), direction) : found;
    const most = has('the list has one tree more') ? limit + 1 : limit;
    const headers = { 'X-Total': String(found.length) };
    const isOffset = (value: string) => /^(-0|\d+)$/.test(value) && Number(value) <= 10_000;
    const offset = Number(parameter(query, 'offset', isOffset) ?? 0);
    const from = has('the list begins one tree too early') ? Math.max(0, offset - 1) : offset;
    return { status: 200, body: { items: items.slice(from, from + most), next: null }, headers };
  };

  const plantTree = ({ body }: OrchardRequest): Answer => {
    const given = body('application/json', isNewTree) as Fields;
    const tree = { tags: [], ...given, id: randomUUID(), createdAt: new Date().toISOString() };
    if (has('tags are lost')) tree.tags = [];
    trees.set(tree.id, tree);
    return { status: 201, body: tree, headers: { Location: `/trees/${tree.id}`, ETag: etagOf(tree) } };
  };

  const changeTree = ({ headers, body }: OrchardRequest, tree: Fields): Answer => {
    const change = body('application/merge-patch+json', isTreeChange) as Fields;
    const version = headers['if-match'];
    if (version === undefined) throw new Refusal(400);
    const isOld = version !== '*' && version !== etagOf(tree);
    if (isOld && !has('a change of an old version counts')) throw new Refusal(412);
    const tags = change['tags'] ?? (has('null changes nothing') ? tree['tags'] : []);
    if (has('a change loses the note')) delete tree['note'];
    Object.assign(tree, change, 'tags' in change && { tags });
    return { status: 200, body: tree, headers: { ETag: etagOf(tree) } };
  };

  const onTree = (request: OrchardRequest, id: string): Answer => {
    const tree = trees.get(id);
    if (!tree) throw new Refusal(404);
    switch (request.method) {
      case 'GET':
        return request.headers['if-none-match'] === etagOf(tree)
          ? { status: 304, headers: { ETag: etagOf(tree) } }
          : { status: 200, body: tree, headers: { ETag: etagOf(tree) } };
      case 'PATCH':
        return changeTree(request, tree);
      case 'DELETE':
        if (!has('removing removes nothing')) trees.delete(id);
        return { status: 204 };
      default:
        throw new Refusal(405, { Allow: 'GET, PATCH, DELETE' });
    }
  };

  const onHarvests = ({ method, query, body }: OrchardRequest, id: string): Answer => {
    const known = harvests.get(id) ?? [];
    if (method === 'POST') {
      const given = body('application/json', isNewHarvests) as Fields[];
      if (!trees.has(id)) throw new Refusal(404);
      harvests.set(id, [...known, ...given.map((one, index) => ({ ...one, id: known.length + index + 1 }))]);
      return { status: 202 };
    }
    if (method !== 'GET') throw new Refusal(405, { Allow: 'GET, POST' });
    const size = Number(parameter(query, 'pageSize', isSize(100)) ?? 100);
    const order = parameter(query, 'sortBy', (value) => ['kg:asc', 'kg:desc'].includes(value));
    if (!trees.has(id)) throw new Refusal(404);
    const isUp = order === 'kg:asc' && !has('ascending harvests descend');
    const direction = isUp ? 1 : -1;
    const sorted = known.toSorted((one, other) => direction * (Number(one['kg']) - Number(other['kg'])));
    const most = has('the page of harvests has all of them') ? 1000 : size;
    return { status: 200, body: (order ? sorted : known).slice(0, most) };
  };

  const listBaskets = ({ query }: OrchardRequest): Answer => {
    const isOwner = (value: string) => /^[1-9]\d{0,14}$/.test(value);
    const owner = has('baskets of others are listed') ? undefined : parameter(query, 'ownerId', isOwner);
    const given = query.getAll('weave');
    if (given.some((weave) => !['fine', 'coarse'].includes(weave))) throw new Refusal(400);
    const weaves = has('a list of weaves counts as its first') ? given.slice(0, 1) : given;
    const isListed = ({ ownerId, weave }: (typeof baskets)[number]) =>
      (owner === undefined || ownerId === Number(owner)) && (weaves.length === 0 || weaves.includes(weave));
    const found = baskets.filter(isListed);
    const isShort = owner !== undefined && has('baskets of the owner are left out');
    return { status: 200, body: isShort ? found.slice(1) : found };
  };

  const answerTo = (request: OrchardRequest, path: string): Answer => {
    if (path === '/health' && request.method === 'GET') return { status: 200, body: 'ok' };
    const isOpen = has('trees are removed without a key') && request.method === 'DELETE';
    if (request.headers.authorization !== `Bearer ${orchardToken}` && !isOpen) throw new Refusal(401);
    const [, id, below] = /^\/trees(?:\/([^/]+)(\/harvests)?)?$/.exec(path) ?? [];
    if (path === '/baskets') {
      if (request.method !== 'GET') throw new Refusal(405, { Allow: 'GET' });
      return listBaskets(request);
    }
    if (!/^\/trees(\/|$)/.test(path)) throw new Refusal(404);
    if (id === undefined) {
      if (request.method === 'GET') return listTrees(request);
      if (request.method === 'POST') return plantTree(request);
      throw new Refusal(405, { Allow: 'GET, POST' });
    }
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new Refusal(400);
    return below === undefined ? onTree(request, id.toLowerCase()) : onHarvests(request, id.toLowerCase());
  };

  const requests: string[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
      const method = req.method ?? '';
      requests.push(`${method} ${pathname}`);
      const body: OrchardRequest['body'] = (mediaType, isValid) => {
        const type = req.headers['content-type']?.replace(/;.*/, '').trim().toLowerCase();
        const isRead =
          has('every body is read') ||
          (has('bodies of all types are read')
            ? req.headers['content-encoding'] === undefined
            : type === mediaType);
        if (!isRead) throw new Refusal(415);
        const value = parsed(Buffer.concat(chunks));
        if (!isValid(value)) throw new Refusal(400);
        return value;
      };
      let answer: Answer;
      try {
        answer = answerTo({ method, headers: req.headers, query: searchParams, body }, pathname);
      } catch (error) {
        const { status, headers } = error instanceof Refusal ? error : new Refusal(500);
        answer = { status, headers, body: { title: STATUS_CODES[status], status } };
      }
      const isText = typeof answer.body === 'string';
      const type =
        answer.status >= 400 ? 'application/problem+json' : isText ? 'text/plain' : 'application/json';
      res.writeHead(answer.status, {
        ...(answer.body !== undefined && { 'Content-Type': type }),
        ...answer.headers,
      });
      res.end(isText ? answer.body : answer.body === undefined ? undefined : JSON.stringify(answer.body));
    });
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

/** A text in UTF-8; what is no JSON is undefined. */
const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
};
