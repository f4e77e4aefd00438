import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/contract.js';
import { withAdmin } from '../support/api.js';
import { webContractFile } from '../support/contract.js';
import type { ExampleRequest } from '../support/exampleRequests.js';
import { exampleTexts } from '../support/exampleTexts.js';
import type { Answer } from '../support/service.js';

const { operations } = loadContract(webContractFile);

/** What must not end the session that the tests use. */
const endsSession = new Set(['signOut']);

const places = exampleTexts(webContractFile).filter(({ request }) => !endsSession.has(request.operationId));

/** What most fields take, what few take, and what is too long for nearly all. */
const hostile: [string, string][] = [
  [
    'a formula, SQL and a script',
    `=HYPERLINK("https://evil.example";"x")'; drop table users; --<script>alert(1)</script><img src=x onerror=alert(1)>`,
  ],
  ['a header and control characters', 'x\r\nX-Injected: yes\r\n\r\n<h1>a\u0000\u001b[31m\u202eb\ud800'],
  ['64 KiB', 'ü'.repeat(32_768)],
];

const api = withAdmin();

/** What is wrong with an answer. */
const faultsOf = ({ operationId }: ExampleRequest, { status, headers }: Answer): string[] => {
  const { definition } = operations.get(operationId)!;
  const type = headers['content-type'] ?? 'none';
  return [
    ...(status >= 500 || !(status in definition.responses) ? [`status ${status}`] : []),
    ...(headers['x-injected'] === undefined ? [] : ['an injected header']),
    // Nothing that a browser would take for a page.
    ...(/^(application\/json|text\/event-stream|none)/.test(type) ? [] : [type]),
  ];
};

test.each(hostile)('%s in every text of every request', async (_, text) => {
  const faults: string[] = [];
  for (const { name, request, replaceBy } of places) {
    const answer = await api.admin.request(request.method, request.path, { body: replaceBy(text) });
    faults.push(...faultsOf(request, answer).map((fault) => `${name}: ${fault}`));
  }
  expect(faults).toEqual([]);
  expect(places.length).toBeGreaterThan(100);
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
