import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { untilDrawn } from '../support/pages.js';

const longSite = 'Gästehaus & Wellnesshotel „Zum Goldenen Löwen“ am See, Tagungszentrum '
  .repeat(4)
  .slice(0, 255)
  .trim();
const longName = 'Konferenzteilnehmerinnen-und-Donaudampfschifffahrtsgesellschaft';
const ownText = 'Bitte 1234567890 im Wintergarten des Haupthauses abholen. '.repeat(8).trim();

/** What a guest would have to scroll to the side for, or would not see at all. */
const overflowOf = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const seen = [...document.querySelectorAll('main *, header *')].filter((element) => {
      const { right, left, width } = element.getBoundingClientRect();
      return width > 0 && element.checkVisibility() && (right > innerWidth + 1 || left < -1);
    });
    const cut = [...document.querySelectorAll('button .mantine-Button-label')].filter(
      (label) => label.scrollWidth > label.clientWidth + 1,
    );
    return {
      scroll: document.documentElement.scrollWidth - innerWidth,
      outside: seen.map((element) => element.outerHTML.slice(0, 100)),
      cut: cut.map((label) => label.textContent),
    };
  })()`);
const nothing = { scroll: 0, outside: [], cut: [] };

describeInBrowser('on a phone, with the longest texts,', (browser) => {
  const api = withAdmin({
    site: { name: longSite },
    env: { SMTP_URL: 'smtp://mail.example.invalid:587', MAIL_FROM: 'wifi@example.org' },
  });
  let paths: Readonly<Record<'kiosk' | 'guest page', string>>;

  beforeAll(async () => {
    const site = `/sites/${String(api.siteId)}`;
    const network = { ssid: 'W'.repeat(32), wifiKind: 'wpa', wifiPassword: 'W'.repeat(63) };
    expect((await api.admin.patch(site, { ...network, slipText: ownText })).status).toBe(200);
    const limits = { maxUses: 2_147_483_647, expireMinutes: 525_599, down: 888_888, up: 222_222 };
    const profileIds: number[] = [];
    for (const name of [longName, `${longName} 2`]) {
      const { body } = await api.admin.post('/profiles', { name, ...limits });
      profileIds.push((body as { id: number }).id);
    }
    const [profileId, ...moreProfileIds] = profileIds;
    const kiosk = {
      ...{ siteId: api.siteId, profileId, moreProfileIds, perHour: 100 },
      ...{ asksName: true, requiresName: true, sendsEmail: true },
    };
    const pathOf = async (values: object): Promise<string> => {
      const answer = await api.admin.post('/kiosks', { ...kiosk, ...values });
      expect(answer.status).toBe(201);
      return (answer.body as { path: string }).path;
    };
    paths = { kiosk: await pathOf({}), 'guest page': await pathOf({ slug: 'hotel' }) };
  });

  test.each(['kiosk', 'guest page'] as const)(
    'a %s has room for its start and its code in every language',
    async (kind) => {
      for (const language of guestLanguages) {
        const { page, context } = await browser.open(api, { width: 390, language });
        await page.goto(api.url + paths[kind]);
        await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
        await page.locator('input[type=text], input:not([type])').first().fill(longName);
        await untilDrawn(page);
        expect([language, 'start', await overflowOf(page)]).toEqual([language, 'start', nothing]);
        await page.getByRole('button', { name: longName }).first().click();
        await page.getByRole('heading', { level: 1, name: /^\d{5}-\d{5}$/ }).waitFor();
        await untilDrawn(page);
        expect([language, 'code', await overflowOf(page)]).toEqual([language, 'code', nothing]);
        await context.close();
      }
    },
  );
});
