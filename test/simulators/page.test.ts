import { describe, expect, test } from '@jest/globals';
import { startUnifiConsole } from '../../simulators/unifi/console.js';
import { makeConsoleClient, type Answer } from './consoleClient.js';
import { forEachTest } from '../support/fixture.js';

const running = forEachTest(
  () => startUnifiConsole({ sites: [{ reference: 'default', name: 'Haus' }] }),
  'stop',
);

const page = async (query = ''): Promise<string> =>
  (await makeConsoleClient(running)('GET', `/simulator${query}`)).text;
const post = (action: string, form: Record<string, string>, headers = {}): Promise<Answer> =>
  makeConsoleClient(running)('POST', `/simulator/${action}`, new URLSearchParams(form).toString(), headers);

describe('the page', () => {
  test('brings nothing from elsewhere and runs no script', async () => {
    const { headers, text } = await makeConsoleClient(running)('GET', '/simulator');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(text).not.toMatch(/<script|https?:\/\/|\son\w+=/);
  });

  test('shows vouchers with their state, newest first, and what it finds', async () => {
    running.seed(1, { code: '0000000001', name: 'Familie Berger' });
    running.seed(1, { code: '0000000002', name: 'Seminar', limit: 2 });
    running.use('0000000002');
    const shown = await page();
    expect(shown).toMatch(/00000-00002[^]*>in use<[^]*1 of 2[^]*00000-00001[^]*>unused</);
    running.use('0000000001');
    expect(await page()).toContain('>used up<');
    const found = await page('?search=berger');
    expect(found).toContain('00000-00001');
    expect(found).not.toContain('00000-00002');
    expect(await page('?search=00000-00002')).toContain('Seminar');
  });

  test('shows names as text, whatever they are', async () => {
    running.seed(1, { name: '<img src=x>"\'&' });
    const shown = await page('?search=%3Cimg');
    expect(shown).not.toContain('<img');
    expect(shown).toContain('&#60;img src=x&#62;&#34;&#39;&#38;');
  });

  test('stays small with many vouchers', async () => {
    running.seed(5000);
    const shown = await page();
    expect(shown).toContain('newest 100 of 5,000');
    expect(shown.length).toBeLessThan(150_000);
  });
});

describe('its buttons', () => {
  test('use lets guests in and comes back to the page', async () => {
    running.seed(1, { code: '0000000001', limit: 5 });
    const { status, headers } = await post('use', { code: '0000000001', search: 'a&b' });
    expect([status, headers.location]).toEqual([303, '/simulator?search=a%26b']);
    await post('use', { code: '00000-00001', guests: '2' });
    expect(running.vouchers()).toMatchObject([{ used: 3 }]);
  });

  test('delete removes the voucher with this code only', async () => {
    running.seed(2);
    const [first, second] = running.vouchers();
    expect((await post('delete', { code: first!.code })).status).toBe(303);
    expect(running.vouchers()).toEqual([second]);
  });

  test('a fault is set, shown, and taken back', async () => {
    await post('fault', { kind: 'throttled', on: 'all', times: '2', delayMs: '' });
    expect(await page()).toMatch(/Out of order[^]*value="throttled" selected/);
    const info = async (): Promise<number> =>
      (
        await makeConsoleClient(running)('GET', '/proxy/network/integration/v1/info', undefined, {
          'x-api-key': running.apiKey,
        })
      ).status;
    expect(await info()).toBe(429);
    await post('fault', { kind: '', on: 'all', times: '' });
    expect(await info()).toBe(200);
    expect(await page()).toContain('In order');
  });

  test.each([
    ['use', { code: '1' }, 'no voucher with the code 1'],
    ['use', { code: '0000000001', guests: '0' }, 'guests is a whole number'],
    ['delete', { code: '<b>' }, 'no voucher with the code &#60;b&#62;'],
    ['fault', { kind: 'flood' }, 'there is no fault flood'],
    ['fault', { kind: 'slow', delayMs: '-1' }, 'delayMs is a whole number'],
  ])('%s of %j says what is wrong', async (action, form, problem) => {
    running.seed(1, { code: '0000000001' });
    const { status, text } = await post(action, form);
    expect(status).toBe(400);
    expect(text).toContain(problem);
    expect(running.vouchers()).toMatchObject([{ used: 0 }]);
  });

  test('do nothing for the page of another site', async () => {
    running.seed(1);
    const { code } = running.vouchers()[0]!;
    for (const origin of ['https://example.org', 'null']) {
      expect((await post('use', { code }, { origin })).status).toBe(403);
    }
    expect(running.vouchers()).toMatchObject([{ used: 0 }]);
    expect((await post('use', { code }, { origin: running.url })).status).toBe(303);
  });
});
