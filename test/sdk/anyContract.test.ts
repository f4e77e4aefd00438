import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/built.js';
import { webContractFile } from '../support/contract.js';
import { exampleRequests } from '../support/exampleRequests.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import type { ForegroundCommand } from '../support/foreground.js';
import { generateClient, makeClientProject, sdkScript, startMock, type UseClient } from './clientProject.js';

const run = promisify(execFile);
const roomsContract = join(root, 'test/sdk/rooms/openapi.yaml');
const folder = forAllTests(makeFolder, 'remove');

/** Fails as the script does, and returns what it says. */
const refusal = async (...args: string[]): Promise<{ code: number; stderr: string }> =>
  run(process.execPath, [sdkScript, ...args]).then(
    () => ({ code: 0, stderr: '' }),
    (error: unknown) => error as { code: number; stderr: string },
  );

/** Calls of every kind. What must not compile is marked, so that the compiler complains if it does. */
const program = `
import { createRoomsClient, isApiError, type ErrorCode, type Room } from 'rooms-client';
declare const process: { argv: string[] };
const [, , baseUrl = ''] = process.argv;
const results: Record<string, unknown> = {};
const client = createRoomsClient({ baseUrl, auth: { token: 't0', session: 's0' }, retry: { limit: 0 } });
const path = { 'room-id': 'a/b?ü#100%' };

const rooms: Room[] = await client.listRooms({ query: { tags: ['a,b', 'c'], floors: [1, 2], filter: { name: 'x y', beds: 2 } } });
results['list'] = rooms.map((room) => (room.kind === 'dorm' ? room.beds : room.balcony));
const { data, response } = await client.withResponse((one) =>
  one.createRoom({ body: { kind: 'suite', name: 'Tower', balcony: true, door_code: '17' }, headers: { 'X-Tenant': 'acme' } }),
);
results['create'] = [response.status, 'job' in data ? data.job : data.name];
const csv: string = await client.exportRooms();
results['csv'] = csv;
results['get'] = (await client.getRoom({ path })).name;
results['patch'] = (await client.updateRoom({ path, body: { note: null } })).name;
const nothing: void = await client.deleteRoom({ path });
results['delete'] = String(nothing);
results['form'] = String(await client.bookRoom({ path, body: { guest: 'Müller & Söhne', nights: 2 } }));
const photo = new File([new Uint8Array([1, 2, 255])], 'p.png', { type: 'image/png' });
results['upload'] = String(await client.addPhoto({ path, body: { title: 'Door', photo } }));
const plan: Blob = await client.getPlan({ path });
results['binary'] = [plan.type, plan.size];
const stored: void = await client.setPlan({ path, body: new Blob([new Uint8Array([0, 200])]) });
results['put'] = String(stored);
results['cookies'] = await client.getPreferences({ headers: { Cookie: { theme: 'dark', language: 'de' } } });
try {
  // What the mock answers with; a service has a room that is missing.
  await client.getRoom({ path: { 'room-id': 'missing' }, headers: { Prefer: 'code=404' } });
} catch (error) {
  if (!isApiError(error)) throw error;
  const code: ErrorCode = error.code;
  const known: 'https://rooms.example.org/taken' | 'https://rooms.example.org/missing' | 'unknown' = code;
  results['error'] = [error.status, known, error.message];
}
console.log(JSON.stringify(results));

export const wrong = [
  // @ts-expect-error the header is required
  () => client.createRoom({ body: { kind: 'dorm', name: 'x', beds: 1 } }),
  // @ts-expect-error the id is read-only
  () => client.createRoom({ body: { kind: 'dorm', name: 'x', beds: 1, id: 'r1' }, headers: { 'X-Tenant': 'a' } }),
  // @ts-expect-error beds belong to dorms
  () => client.createRoom({ body: { kind: 'suite', name: 'x', beds: 1 }, headers: { 'X-Tenant': 'a' } }),
  // @ts-expect-error the door code is write-only
  async () => (await client.getRoom({ path })).door_code,
  // @ts-expect-error the cookie is required
  () => client.getPreferences({ headers: { Cookie: { language: 'de' } } }),
  // @ts-expect-error not one of the themes
  () => client.getPreferences({ headers: { Cookie: { theme: 'blue' } } }),
  // @ts-expect-error a parameter that the contract does not know
  () => client.listRooms({ query: { colour: 'red' } }),
  // @ts-expect-error a file is no text
  () => client.addPhoto({ path, body: { photo: 'text' } }),
  // @ts-expect-error there is no such scheme
  () => createRoomsClient({ baseUrl, auth: { basic: 'x' } }),
];
`;

/** What every call gets in the end. */
const expected = {
  list: [8],
  csv: 'id,name\nr1,Attic\n',
  get: 'Attic',
  patch: 'Loft',
  delete: 'undefined',
  form: 'undefined',
  upload: 'undefined',
  put: 'undefined',
  cookies: { theme: 'dark' },
};

describe('a client of a contract in several files', () => {
  let use: UseClient;
  beforeAll(async () => {
    use = await makeClientProject(roomsContract, 'rooms-client', program, folder.path);
  });

  describe('against a server', () => {
    interface Seen {
      readonly url: string;
      readonly headers: Record<string, string>;
      readonly body: Buffer;
    }
    const seen = new Map<string, Seen>();
    let results: Record<string, unknown>;
    const json = (status: number, body: unknown, type = 'application/json') => ({
      status,
      headers: { 'Content-Type': type },
      body: JSON.stringify(body),
    });
    const empty = (status: number) => ({ status, headers: {}, body: '' });
    const missing = { type: 'https://rooms.example.org/missing', title: 'Missing', detail: 'No such room' };
    const room = '/rooms/a%2Fb%3F%C3%BC%23100%25';
    const answers: Record<string, { status: number; headers: object; body: string | Buffer }> = {
      'GET /rooms': json(200, [{ kind: 'dorm', id: 'r1', name: 'Attic', beds: 8 }]),
      'POST /rooms': json(202, { job: 'j1' }),
      'GET /rooms.csv': {
        ...{ status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' } },
        body: 'id,name\nr1,Attic\n',
      },
      [`GET ${room}`]: json(200, { kind: 'dorm', id: 'r1', name: 'Attic', beds: 8 }),
      [`PATCH ${room}`]: json(200, { kind: 'dorm', id: 'r1', name: 'Loft', beds: 8 }),
      [`DELETE ${room}`]: empty(204),
      [`POST ${room}/bookings`]: empty(202),
      [`POST ${room}/photos`]: empty(202),
      [`GET ${room}/plan`]: {
        ...{ status: 200, headers: { 'Content-Type': 'image/png' } },
        body: Buffer.from([137, 80, 0]),
      },
      [`PUT ${room}/plan`]: empty(204),
      'GET /preferences': json(200, { theme: 'dark' }),
      'GET /rooms/missing': json(404, missing, 'application/problem+json'),
    };
    const server = createServer((req, res) => {
      const parts: Buffer[] = [];
      req.on('data', (part: Buffer) => parts.push(part));
      req.on('end', () => {
        const key = `${req.method ?? ''} ${(req.url ?? '').replace(/\?.*/, '')}`;
        const headers = req.headers as Record<string, string>;
        seen.set(key, { url: req.url ?? '', headers, body: Buffer.concat(parts) });
        const { status, headers: sent, body } = answers[key] ?? empty(500);
        res.writeHead(status, sent as Record<string, string>);
        res.end(body);
      });
    });
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      results = await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    const sent = (key: string): Seen => {
      const found = seen.get(key);
      if (!found) throw new Error(`no ${key} among ${[...seen.keys()].join(', ')}`);
      return found;
    };

    test('every call gets its answer: JSON, text, bytes, nothing, one of several statuses, a problem', () => {
      expect(results).toEqual({
        ...expected,
        create: [202, 'j1'],
        binary: ['image/png', 3],
        error: [404, missing.type, 'No such room'],
      });
    });

    test('lists and objects in the query are written as their styles say', () => {
      expect(sent('GET /rooms').url).toBe(
        '/rooms?tags=a%2Cb,c&floors=1&floors=2&filter[name]=x%20y&filter[beds]=2',
      );
    });

    test('headers are sent, and an Idempotency-Key that is required need not be given', () => {
      const { headers, body } = sent('POST /rooms');
      expect(headers).toMatchObject({
        'x-tenant': 'acme',
        'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
        authorization: 'Bearer t0',
        'content-type': 'application/json',
      });
      expect(JSON.parse(body.toString())).toMatchObject({ kind: 'suite', door_code: '17' });
    });

    test('a merge patch has its media type, and null', () => {
      const { headers, body } = sent(`PATCH ${room}`);
      expect(headers['content-type']).toBe('application/merge-patch+json');
      expect(body.toString()).toBe('{"note":null}');
    });

    test('a form is encoded', () => {
      const { headers, body } = sent(`POST ${room}/bookings`);
      expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
      expect(Object.fromEntries(new URLSearchParams(body.toString()))).toEqual({
        guest: 'Müller & Söhne',
        nights: '2',
      });
    });

    test('an upload has its fields and files', () => {
      const { headers, body } = sent(`POST ${room}/photos`);
      const [, boundary = ''] =
        /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? [];
      const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
      expect(parts.map((part) => part.replaceAll('\r\n', '\n').trim())).toEqual([
        'Content-Disposition: form-data; name="title"\n\nDoor',
        'Content-Disposition: form-data; name="photo"; filename="p.png"\nContent-Type: image/png\n\n\u0001\u0002\u00ff',
      ]);
    });

    test('bytes are sent as they are', () => {
      const { headers, body } = sent(`PUT ${room}/plan`);
      expect([headers['content-type'], [...body]]).toEqual(['application/octet-stream', [0, 200]]);
    });

    test('cookies of the contract and of its security are sent together, without the credential of another scheme', () => {
      const { headers } = sent('GET /preferences');
      expect(headers['cookie']).toBe('theme=dark; language=de; sid=s0');
      expect(headers['authorization']).toBeUndefined();
    });
  });

  test('against the mock', async () => {
    const mock = await startMock(roomsContract, join(folder.path, 'data'));
    try {
      expect(await use(mock.url)).toEqual({
        ...expected,
        create: [201, 'Tower'],
        binary: ['image/png', 0],
        error: [404, 'https://rooms.example.org/taken', 'There is such a room'],
      });
    } finally {
      await mock.end();
    }
  });

  test('what is deprecated is marked', async () => {
    const types = await readFile(join(folder.path, 'rooms-client/dist/generated/sdk.gen.d.ts'), 'utf8');
    expect(types).toMatch(/Delete a room\s+\*\s+\* @deprecated\s+\*\/\s+deleteRoom</);
    const about = await readFile(join(folder.path, 'rooms-client/README.md'), 'utf8');
    expect(about).toContain('| `deleteRoom` | `DELETE /rooms/{room-id}` | Delete a room (deprecated) |');
  });

  test('the package has the version of the contract, and no dependencies', async () => {
    const text = await readFile(join(folder.path, 'rooms-client/package.json'), 'utf8');
    const manifest = JSON.parse(text) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: 'rooms-client', version: '2.1.0', type: 'module' });
    expect(manifest['dependencies']).toBeUndefined();
  });
});

const isEventStream = (answer: unknown): answer is { stream: AsyncGenerator } =>
  typeof answer === 'object' && answer !== null && 'stream' in answer && typeof answer.stream === 'object';

describe('a client of web.yaml', () => {
  type Call = (options?: object) => Promise<unknown>;
  interface Module {
    createPagesClient(options: object): Record<string, Call>;
  }
  let mock: ForegroundCommand;
  let requests: Request[];
  let client: Record<string, Call>;
  beforeAll(async () => {
    await generateClient(webContractFile, 'pages-client', folder.path);
    // Its redirects lead to pages of the same server.
    mock = await startMock(webContractFile, join(folder.path, 'data'), { BASE_PATH: '/' });
    const address = pathToFileURL(join(folder.path, 'pages-client/dist/index.js')).href;
    const { createPagesClient } = (await import(address)) as Module;
    requests = [];
    client = createPagesClient({
      baseUrl: mock.url,
      auth: { session: 'a-session' },
      fetch: (request: Request) => {
        requests.push(request);
        return fetch(request);
      },
    });
  });
  afterAll(() => mock.end());

  test('every operation is a method, and the mock accepts its request', async () => {
    const failures: string[] = [];
    const all = exampleRequests(webContractFile);
    for (const { operationId, sdkOptions } of all)
      try {
        const answer = await client[operationId]?.({ ...sdkOptions, sseMaxRetryAttempts: 1 });
        // An event stream is asked for when it is read.
        if (isEventStream(answer)) await answer.stream.next();
      } catch (error) {
        failures.push(`${operationId}: ${String(error)}`);
      }
    expect(failures).toEqual([]);
    expect(requests).toHaveLength(all.length);
  });

  test('the session is sent as a cookie', () => {
    const cookies = new Set(requests.map(({ headers }) => headers.get('Cookie')));
    expect(cookies).toContain('session=a-session');
  });
});

describe('refused', () => {
  test.each([
    ['{"openapi": "2.0"}', ':1:13: "openapi" is not a version 3.0 or 3.1'],
    ['openapi: 3.0.3\npaths:\n  /a:\n    $ref: "#/x"\n', ':4:11: $ref "#/x" leads nowhere'],
    ['openapi: 3.0.3\npaths: [\n', ':3:1: '],
  ])('the contract %j, with the place', async (text, message) => {
    const file = join(folder.path, 'wrong.yaml');
    await writeFile(file, text);
    const out = join(folder.path, 'none');
    const { code, stderr } = await refusal('--contract', file, '--out', out, '--name', 'x');
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}${message}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('a folder that has something else, a missing file, a bad name, an option alone, and one that does not exist', async () => {
    const other = join(folder.path, 'other');
    await mkdir(other);
    await writeFile(join(other, 'mine.txt'), 'mine');
    const of = (contract: string, out: string, name: string) =>
      refusal('--contract', contract, '--out', out, '--name', name);
    expect(await of(roomsContract, other, 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has other files'),
    });
    expect(await readFile(join(other, 'mine.txt'), 'utf8')).toBe('mine');
    expect(await of('none.yaml', other, 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no such file'),
    });
    expect(await of(roomsContract, other, 'X Y')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not a name'),
    });
    expect(await refusal('--name', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('belong together'),
    });
    expect(await refusal('--colour')).toMatchObject({ code: 2, stderr: expect.stringContaining('--colour') });
  });
});
