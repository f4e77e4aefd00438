import { beforeAll, expect, test } from '@jest/globals';
import { toAuditFilter } from '../../src/audit/audit.js';
import { auditActions, recordAudit } from '../../src/audit/auditTable.js';
import { pageLanguages } from '../../src/i18n/language.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { waitForContent } from '../support/pages.js';

/** What the service records, and nobody outside it understands. */
const rawWords =
  /first start|:\s?(http|wpa|sae|browser|printer|a4-sheet|80mm)\b|\(kbit\/s\)|\(MB\)|(Download|Upload|Data)\S*: 0|: 1(?!\d)\s*·/;

describeInBrowser('the words of the audit log', (browser) => {
  const api = withAdmin({ site: { name: 'Haus' } });
  beforeAll(async () => {
    const profile = { name: 'Tag', maxUses: 2, expireMinutes: 1440, down: 20_000, up: 0, quotaMb: 2000 };
    expect((await api.admin.post('/profiles', profile)).status).toBe(201);
    const site = { ssid: 'Gast', wifiKind: 'wpa', wifiPassword: 'geheim123', printAtOnce: 'browser' };
    const change = { ...site, slipPaper: 'a4-sheet' };
    expect((await api.admin.patch(`/sites/${String(api.siteId)}`, change)).status).toBe(200);
    const rule = { role: 'staff', siteId: null, allowsCustom: false, requiresName: false, maxCount: 5 };
    const limits = { ...rule, maxExpireMinutes: null, maxUses: null, maxPerDay: null };
    expect((await api.admin.post('/order-limits', limits)).status).toBe(201);
    const entry = { at: Date.now(), address: null, subjectKind: null, subjectId: null, subjectName: null };
    const system = { ...entry, actorKind: 'system', actorName: 'first start' } as const;
    await recordAudit(api.database.write, { ...system, action: 'user.create', detail: { role: 'admin' } });
    await recordAudit(api.database.write, { ...system, action: 'setting.sms', detail: { kind: 'http' } });
  });

  test('are those of each language, for all that is recorded', async () => {
    const found = new Map<string, string>();
    for (const language of pageLanguages) {
      await api.admin.put('/account/language', { language });
      const { page, context } = await browser.open(api, { cookie: api.admin.cookie, language });
      await page.goto(`${api.url}/audit`);
      await waitForContent(page);
      found.set(language, await page.getByRole('table').innerText());
      await context.close();
    }
    for (const [language, text] of found)
      expect([language, rawWords.exec(text)?.[0]]).toEqual([language, undefined]);
    for (const words of [
      'Limit hinzugefügt: alle Standorte',
      'Download: 20\u00A0Mbit/s · Upload: ohne Limit · Datenmenge: 2\u00A0GB',
      'Schutz des WLANs: WPA2 oder WPA3',
      'Sofort drucken: im Browser',
      'Papier: A4, zum Schneiden',
      'Art: anderer Anbieter oder eigenes Gateway',
      'Erster Start',
    ])
      expect(found.get('de')).toContain(words);
    expect(found.get('fr')).toContain('Débit montant: sans limite · Données: 2\u00A0Go');
  });

  test('are found by area: limits, e-mail and SMS, too, and no action is left out of all', async () => {
    const { page } = await browser.open(api, { cookie: api.admin.cookie });
    await api.admin.put('/account/language', { language: 'de' });
    await page.goto(`${api.url}/audit`);
    await waitForContent(page);
    const area = page.getByRole('combobox', { name: 'Bereich' });
    await area.waitFor();
    const offered = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main option')].map(({ value }) => value)`,
    );
    expect(offered).toEqual(expect.arrayContaining(['limit', 'mail', 'sms', 'setting']));
    const covered = offered.filter(Boolean).flatMap((one) => toAuditFilter({ area: one }).actions ?? []);
    expect(auditActions.filter((action) => !covered.includes(action))).toEqual([]);
    await area.selectOption({ label: 'SMS' });
    await page.getByText('SMS-Anbieter geändert').waitFor();
    await page.getByText('Limit hinzugefügt').waitFor({ state: 'detached' });
  });
});
