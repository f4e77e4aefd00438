import { expect, test } from '@jest/globals';
import { testServerError } from '../../conformance/operations.js';
import { withApi } from '../../support/api.js';
import { refusal } from '../../support/refusal.js';
import type { Answer } from '../../support/service.js';
import { failInserts, rowsOf } from '../../support/serviceInternals.js';

const api = withApi({ perTest: 'site' });
/** Long enough to write the order down on a busy machine. */
const hasty = withApi({ env: { CONTROLLER_DEADLINE_S: '3' }, site: { fault: 'lost-answer' } });

const failing = async (table: string, text: string, siteId = api.siteId): Promise<Answer> => {
  const repair = await failInserts(api, table, text);
  const answer = await api.createVoucher({ site_id: siteId });
  await repair();
  return answer;
};

testServerError((own, options) => own.post('/vouchers.php', { site_id: 1, name: 'x' }, options));

test("a refusal by the controller (step 6) gives 500 server_error with the controller's text [createVoucher-500-controller]", async () => {
  const site_id = await api.addSite({ fault: 'refuse' });
  expect(await api.createVoucher({ site_id })).toMatchObject(
    refusal(500, 'server_error', 'Der Controller hat die Bestellung abgelehnt'),
  );
  expect(await rowsOf(api, 'intents')).toEqual([]);
});

test('no answer of the controller within the deadline gives 500 server_error', async () => {
  expect(await hasty.createVoucher()).toMatchObject(
    refusal(500, 'server_error', 'Der Controller hat nicht innerhalb von 3 s geantwortet'),
  );
});

test('an exception while the voucher is recorded (step 8) gives 500 server_error with its text [createVoucher-500-record]', async () => {
  expect(await failing('vouchers', 'kein Platz')).toMatchObject(
    refusal(500, 'server_error', 'SQLITE_CONSTRAINT: kein Platz'),
  );
});

test('failing to write the notification (step 9) gives 500, and the voucher is not recorded either [createVoucher-500-notification notification-with-record]', async () => {
  expect(await failing('notifications', 'kein Platz')).toMatchObject(
    refusal(500, 'server_error', 'SQLITE_CONSTRAINT: kein Platz'),
  );
  expect((await api.listVouchers()).body).toEqual({ vouchers: [] });
});

test('when the intent can not be written, the answer is 500 and the controller is not asked', async () => {
  const refusing = await api.addSite({ fault: 'refuse' });
  expect(await failing('intents', 'kein Platz', refusing)).toMatchObject(
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
])('the message never contains %s (%s) [createVoucher-500-no-secrets]', async (_, text) => {
  const { status, body } = await failing('vouchers', `abgelehnt: ${text}`);
  const { message } = body as { message: string };
  expect(status).toBe(500);
  expect(message).toContain('abgelehnt');
  expect(message).not.toMatch(/geheim|uvt_[0-9a-f]{8}/);
});
