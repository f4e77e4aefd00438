import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { webContractFile } from '../support/contract.js';
import type { Answer } from '../support/service.js';
import { exampleRequests } from '../support/exampleRequests.js';
import { exampleTexts } from '../support/exampleTexts.js';

const api = withAdmin();

const create = (headers: Record<string, string>): Promise<Answer> =>
  api.admin.request('POST', '/profiles', { body: profile, headers });

const profile = { name: 'Tagesgast', maxUses: 1, expireMinutes: 480 };

test.each([
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json; charset="ISO-8859-1"' },
  { 'Content-Type': 'application/json;charset=utf-8; charset=utf-16' },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'identity, br' },
])('a body that is not plain UTF-8 is refused, and changes nothing: %j', async (headers) => {
  expect(await create(headers)).toMatchObject({
    status: 415,
    body: { error: 'unsupported_media_type', message: 'json-required' },
  });
  expect((await api.admin.get('/profiles')).body).toMatchObject({ profiles: [] });
});

test.each([
  { 'Content-Type': 'application/json; charset=UTF-8' },
  { 'Content-Type': 'application/json; charset="utf8"' },
  { 'Content-Encoding': 'Identity' },
])('a body that says that it is plain UTF-8 is accepted: %j', async (headers) => {
  const { status, body } = await create(headers);
  expect(status).toBe(201);
  const { id } = body as { id: number };
  expect((await api.admin.delete(`/profiles/${String(id)}`)).status).toBe(204);
});

test.each(['0x1', '1e3', '%201', '1%20', '%2B1', '1.0', '0b1', '1_0', '', '9'.repeat(400)])(
  'a number that is not written as one is refused: %s',
  async (text) => {
    for (const path of [`/vouchers?siteId=${text}`, `/overview?timeZone=UTC&days=${text}`])
      expect(await api.admin.get(path)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', message: 'request-invalid' },
      });
  },
);

test('a number of a path is a number, too', async () => {
  expect((await api.admin.get('/users/1/sessions')).status).toBe(200);
  expect((await api.admin.get('/users/0x1/sessions')).status).toBe(400);
});

test('what does not exist is not found, whatever is asked of it', async () => {
  const wanted = exampleRequests(webContractFile).filter(({ path }) => /\/\d+(?=[/?]|$)/.test(path));
  expect(wanted.length).toBeGreaterThan(30);
  const answers: unknown[] = [];
  for (const { operationId, method, path, body } of wanted) {
    const missing = path.replace(/\/\d+(?=[/?]|$)/, '/999999');
    const answer = await api.admin.request(method, missing, body === undefined ? {} : { body });
    answers.push({ operationId, status: answer.status, body: answer.body });
  }
  const notFound = { status: 404, body: expect.objectContaining({ error: 'not_found' }) };
  expect(answers).toEqual(wanted.map(({ operationId }) => ({ operationId, ...notFound })));
});

test('half a surrogate pair is refused in every text of every request', async () => {
  const texts = exampleTexts(webContractFile);
  expect(texts.length).toBeGreaterThan(20);
  const answers: [string, number][] = [];
  for (const { name, request, replaceBy } of texts) {
    const { status } = await api.admin.request(request.method, request.path, { body: replaceBy('a\ud800b') });
    answers.push([name, status]);
  }
  expect(answers.filter(([, status]) => status !== 400)).toEqual([]);
});

test('a name with half a surrogate pair gets the message of the field', async () => {
  for (const name of ['\ud800', 'Familie \udfff', 'a\ud83db'])
    expect(await api.admin.post('/profiles', { ...profile, name })).toMatchObject({
      status: 400,
      body: { message: 'name-invalid' },
    });
  expect((await api.admin.post('/profiles', { ...profile, name: 'Gäste 😀' })).status).toBe(201);
});
