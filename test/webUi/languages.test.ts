import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { toAuditFilter } from '../../src/audit/audit.js';
import { auditActions, recordAudit } from '../../src/audit/auditTable.js';
import { pageLanguages } from '../../src/i18n/language.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findFaultyControls } from '../support/controls.js';
import { findAccessibilityIssues, goTo, waitForContent } from '../support/pages.js';

/** What the service records, and nobody outside it understands. */
const rawWords =
  /first start|:\s?(http|wpa|sae|browser|printer|a4-sheet|80mm)\b|\(kbit\/s\)|\(MB\)|(Download|Upload|Data)\S*: 0|: 1(?!\d)\s*·/;

/** A page with its title in each language but German and English, which have files of their own. */
const titles: Partial<Record<(typeof pageLanguages)[number], readonly [path: string, title: string]>> = {
  fr: ['/desk', 'Réception'],
  it: ['/vouchers', 'Trova voucher'],
  es: ['/sites', 'Sedes'],
  nl: ['/system', 'Systeem'],
};

describeInBrowser(
  'languages, on a phone:',
  (browser) => {
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

    const open = async (language: string, path: string, cookie = ''): Promise<Page> => {
      const { page } = await browser.open(api, { language, cookie, width: 390 });
      await page.goto(api.url + path);
      await waitForContent(page);
      return page;
    };
    /** The language of the document, and the direction in which it is read. */
    const untilShownIn = (page: Page, language: string, direction: 'ltr' | 'rtl'): Promise<void> =>
      page.locator(`html[lang=${language}][dir=${direction}]`).waitFor();

    test('somebody signs in in the language of the browser, or in English', async () => {
      for (const [language, used] of [
        ['fr-CA', 'fr'],
        ['pl', 'en'],
      ] as const) {
        const page = await open(language, '/');
        await untilShownIn(page, used, 'ltr');
        expect(await findFaultyControls(page)).toEqual([]);
      }
    });

    test('the pages have the language of their user, and the audit log says nothing raw in any', async () => {
      const page = await open('de', '/audit', api.admin.cookie);
      const found = new Map<string, string>();
      for (const language of pageLanguages) {
        await api.admin.put('/account/language', { language });
        await page.goto(`${api.url}/audit`);
        await waitForContent(page);
        await untilShownIn(page, language, 'ltr');
        found.set(language, await page.getByRole('table').innerText());
        const other = titles[language];
        if (!other) continue;
        const [path, title] = other;
        await goTo(page, api.url + path);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        expect([path, await findFaultyControls(page)]).toEqual([path, []]);
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

    test('the audit log is searched by area: limits, e-mail and SMS, too, and no action is left out of all', async () => {
      await api.admin.put('/account/language', { language: 'de' });
      const page = await open('de', '/audit', api.admin.cookie);
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

    test('a kiosk in a Persian browser is written from right to left, without faults', async () => {
      const [{ id: profileId } = { id: 0 }] = await api.tables.profiles.all();
      const values = { siteId: api.siteId, profileId, perHour: 20, asksName: true, name: 'Lobby' };
      const { path } = (await api.admin.post('/kiosks', values)).body as { path: string };
      const page = await open('fa', path);
      await page.getByRole('button', { name: 'دریافت کد دسترسی' }).waitFor();
      await untilShownIn(page, 'fa', 'rtl');
      expect(await findAccessibilityIssues(page)).toEqual([]);
      expect(await findFaultyControls(page)).toEqual([]);
      await page.getByRole('textbox').fill('Zoë');
      await page.getByRole('button', { name: 'دریافت کد دسترسی' }).click();
      await page.getByRole('heading', { level: 1, name: /^\d{5}-\d{5}$/ }).waitFor();
      expect(await findFaultyControls(page)).toEqual([]);
    });
  },
  { mayComplain: /status of 401/ },
);
