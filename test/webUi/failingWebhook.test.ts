import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { answered } from '../support/deliveryReasons.js';

describeInBrowser('a webhook that fails', (browser) => {
  const api = withAdmin({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });

  test('is shown as failing in the list, in its deliveries and on the overview, with the reason', async () => {
    await api.admin.post('/webhooks', { name: 'Empfang', format: 'slack', address: 'http://127.0.0.1:1/x' });
    const { tables, database, now } = api.app;
    const at = now() - 30 * 60_000;
    for (const id of ['n1', 'n2'])
      await database
        .write('notifications')
        .insert({ id, count: 1, site: 'Nord', source: `API: ${id}`, created_at: at });
    await tables.deliveries.dispatch(at);
    const [second, first] = await tables.deliveries.newest({}, 2);
    for (let attempt = 0; attempt < 3; attempt += 1)
      await tables.deliveries.postpone(first?.id ?? 0, {
        ...{ reason: answered(503), at: now() + 3_600_000, holds: true },
      });
    expect(second?.tries).toBe(0);
    for (const [language, failing, held] of [
      ['de', 'Gestört', 'Wartet, bis das Ziel wieder antwortet'],
      ['en', 'Failing', 'Waits until the target answers again'],
    ] as const) {
      await api.admin.put('/account/language', { language });
      const { page } = await browser.open(api, { cookie: api.admin.cookie, language });
      await page.goto(`${api.url}/webhooks`);
      await page.getByText(failing, { exact: true }).waitFor();
      await page.getByText(/503/).waitFor();
      // One state, and not beside it that nothing is wrong.
      const states = page.getByRole('row', { name: /Empfang/ }).locator('.mantine-Badge-root');
      expect(await states.allInnerTexts()).toHaveLength(1);
      await page.getByRole('button', { name: /Empfang/ }).click();
      await page.getByRole('menuitem', { name: language === 'de' ? 'Zustellungen' : 'Deliveries' }).click();
      await page.getByText(held).waitFor();
      await page.goto(`${api.url}/overview`);
      await page.getByText(/Webhook Empfang .*503|webhook Empfang .*503/).waitFor();
    }
  });
});
