import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { testServerError } from '../../conformance/operations.js';
import { refusal } from '../../support/refusal.js';
import { withService, type Answer } from '../../support/service.js';
import { failInserts, rowsOf } from '../../support/serviceInternals.js';

const service = withService();
const hasty = withService({ env: { CONTROLLER_DEADLINE_S: '1' } });
let key: string;
let siteId: number;

beforeAll(async () => {
  key = await service.addKey();
});
beforeEach(async () => {
  siteId = await service.addSite();
});

const create = (): Promise<Answer> =>
  service.post('/vouchers.php', { site_id: siteId, name: 'Familie Berger' }, { key });
const failing = async (table: string, text: string): Promise<Answer> => {
  const repair = await failInserts(service, table, text);
  const answer = await create();
  await repair();
  return answer;
};

testServerError((own, options) => own.post('/vouchers.php', { site_id: 1, name: 'x' }, options));

test("a refusal by the controller (step 6) gives 500 server_error with the controller's text", async () => {
  siteId = await service.addSite({ fault: 'refuse' });
  expect(await create()).toMatchObject(
    refusal(500, 'server_error', 'Der Controller hat den Auftrag abgelehnt'),
  );
  expect(await rowsOf(service, 'intents')).toEqual([]);
});

test('no answer of the controller within the deadline gives 500 server_error', async () => {
  const options = { key: await hasty.addKey() };
  const body = { site_id: await hasty.addSite({ fault: 'lost-answer' }), name: 'Familie Berger' };
  expect(await hasty.post('/vouchers.php', body, options)).toMatchObject(
    refusal(500, 'server_error', 'Der Controller hat nicht innerhalb von 1 s geantwortet'),
  );
});

test('an exception while the voucher is recorded (step 8) gives 500 server_error with its text', async () => {
  expect(await failing('vouchers', 'kein Platz')).toMatchObject(
    refusal(500, 'server_error', 'SQLITE_CONSTRAINT: kein Platz'),
  );
});

test('failing to write the notification (step 9) gives 500, and the voucher is not recorded either', async () => {
  expect(await failing('notifications', 'kein Platz')).toMatchObject(
    refusal(500, 'server_error', 'SQLITE_CONSTRAINT: kein Platz'),
  );
  const { body } = await service.get(`/vouchers.php?site_id=${siteId}`, { key });
  expect(body).toEqual({ vouchers: [] });
});

test('when the intent can not be written, the answer is 500 and the controller is not asked', async () => {
  siteId = await service.addSite({ fault: 'refuse' });
  expect(await failing('intents', 'kein Platz')).toMatchObject(
    refusal(500, 'server_error', 'SQLITE_CONSTRAINT: kein Platz'),
  );
});

test.each([
  ['a credential', 'password=geheim'],
  ['a credential', '{"username":"admin","password":"geheim"}'],
  ['a credential', 'Authorization: Basic geheim'],
  ['a cookie', 'Cookie: unifises=geheim; csrf_token=geheim'],
  ['a cookie', 'Set-Cookie: TOKEN=geheim; Path=/'],
  ['a token', 'Bearer geheim'],
  ['a token', 'X-CSRF-Token: geheim'],
  ['a token', 'X-API-KEY: geheim'],
  ['an API key', `uvt_${'01234567'.repeat(5)}`],
  ['a URL with user information', 'https://admin:geheim@controller.example/login'],
])('the message never contains %s (%s)', async (_, text) => {
  const { status, body } = await failing('vouchers', `abgelehnt: ${text}`);
  const { message } = body as { message: string };
  expect(status).toBe(500);
  expect(message).toContain('abgelehnt');
  expect(message).not.toMatch(/geheim|uvt_[0-9a-f]{8}/);
});
