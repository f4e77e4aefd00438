import { describe, expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/contract.js';
import { withAdmin } from '../support/api.js';
import { webContractFile } from '../support/contract.js';
import { exampleRequests, type ExampleRequest } from '../support/exampleRequests.js';

const { operations } = loadContract(webContractFile);

/** What must not end the session that the tests use. */
const endsSession = new Set(['signOut']);

type Way = readonly (string | number)[];

/** The ways to all texts in a value. */
const textsIn = (value: unknown, way: Way = []): Way[] => {
  if (typeof value === 'string') return [way];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => textsIn(field, [...way, name]));
};

const withText = (value: unknown, [first, ...rest]: Way, text: string): unknown => {
  if (first === undefined) return text;
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      String(index) === String(first) ? withText(item, rest, text) : item,
    );
  const fields = value as Record<string, unknown>;
  return { ...fields, [first]: withText(fields[first], rest, text) };
};

const cases = exampleRequests(webContractFile)
  .filter(({ operationId, body }) => body !== undefined && !endsSession.has(operationId))
  .flatMap((request) =>
    textsIn(request.body).map((way): [string, ExampleRequest, Way] => [
      `${request.operationId}: ${way.join('.')}`,
      request,
      way,
    ]),
  );

const hostile: [string, string][] = [
  ['script', `<script>alert(1)</script><img src=x onerror=alert(1)>`],
  ['a header', 'x\r\nX-Injected: yes\r\n\r\n<h1>'],
  ['a formula', `=HYPERLINK("https://evil.example","x")`],
  ['SQL', `'; drop table users; --`],
  ['64 KiB', 'ü'.repeat(32_768)],
  ['control characters', 'a\u0000\u001b[31m\u202eb\ud800'],
];

const api = withAdmin();

test('the contract has many texts to try', () => {
  expect(cases.length).toBeGreaterThan(20);
});

describe.each(hostile)('%s in every text of every request', (_, text) => {
  test.each(cases)('%s', async (__, { operationId, method, path, body }, way) => {
    const answer = await api.admin.request(method, path, { body: withText(body, way, text) });
    const { statuses } = operations.get(operationId)!;
    expect([...statuses]).toContain(answer.status);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers['x-injected']).toBeUndefined();
    // Nothing that a browser would take for a page.
    expect(answer.headers['content-type'] ?? 'none').toMatch(/^(application\/json|text\/event-stream|none)/);
  });
});

test('the service, its users and its session are still there', async () => {
  expect((await api.admin.get('/session')).status).toBe(200);
});

test.each(['q', '<script>alert(1)</script>'])('a query is never reflected: %j', async (text) => {
  const query = encodeURIComponent(text);
  for (const path of ['/audit?actorName=', '/audit?cursor=', '/overview?timeZone=', '/audit?area=']) {
    const { headers, text: body } = await api.admin.get(path + query);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(body).not.toContain('<script>');
  }
});
