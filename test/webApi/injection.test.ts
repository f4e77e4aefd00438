import { describe, expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/contract.js';
import { withAdmin } from '../support/api.js';
import { webContractFile } from '../support/contract.js';
import { exampleTexts } from '../support/exampleTexts.js';

const { operations } = loadContract(webContractFile);

/** What must not end the session that the tests use. */
const endsSession = new Set(['signOut']);

const cases = exampleTexts(webContractFile)
  .filter(({ request }) => !endsSession.has(request.operationId))
  .map(({ name, request, replaceBy }) => [name, request, replaceBy] as const);

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
  test.each(cases)('%s', async (__, { operationId, method, path }, replaceBy) => {
    const answer = await api.admin.request(method, path, { body: replaceBy(text) });
    const { definition } = operations.get(operationId)!;
    expect(Object.keys(definition.responses)).toContain(String(answer.status));
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
