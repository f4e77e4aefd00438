import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { furnish, goTo, openAgain, untilDrawn, waitForContent } from '../support/pages.js';

/** How bright texts, lines and grounds of what is shown are, from 0 to 1. */
const brightness = `(() => {
  const brightnessOf = (colour) => {
    const [red, green, blue, alpha = 1] = (colour.match(/[\\d.]+/g) ?? []).map(Number);
    return colour === 'none' || alpha === 0 ? [] : [(red * 0.299 + green * 0.587 + blue * 0.114) / 255];
  };
  return [document.body, ...document.querySelectorAll('main, main *')]
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const { color, backgroundColor, fill, stroke } = getComputedStyle(element);
      const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
      const isShape = element instanceof SVGGeometryElement;
      return {
        what: element.outerHTML.slice(0, 120),
        ink: [
          ...(isText ? brightnessOf(element instanceof SVGElement ? fill : color) : []),
          // Those that show a scale are pale.
          ...(isShape && !element.matches('.bar-line') ? brightnessOf(stroke) : []),
        ],
        grounds: brightnessOf(backgroundColor),
      };
    });
})()`;

describeInBrowser(
  'reports',
  (browser) => {
    const api = withAdmin();
    let page: Page;

    beforeAll(async () => {
      await furnish(api, api.admin);
      ({ page } = await browser.open(api, { cookie: api.admin.cookie }));
      await page.goto(`${api.url}/overview`);
      await waitForContent(page);
    });

    const figure = (label: string) =>
      page.locator('dl.figures > div', { has: page.getByText(label, { exact: true }) }).locator('dd');
    const count = async (conditions: object = {}): Promise<number> => {
      const row = await api.database
        .read('vouchers')
        .where(conditions)
        .count<{ count: number }[]>({ count: '*' });
      return Number(row[0]?.count);
    };

    test('the overview shows the key figures of today, and leads to the reports', async () => {
      const used = await api.database
        .read('vouchers')
        .where({ status: 'valid' })
        .where('used_count', '>', 0)
        .count<{ count: number }[]>({ count: '*' });
      expect(await figure('In Benutzung').innerText()).toBe(String(used[0]?.count));
      expect(Number(await figure('Heute erstellt').innerText())).toBeGreaterThanOrEqual(0);
      expect(await figure('Enden heute').innerText()).toBe('0');
      await page.getByRole('link', { name: 'Berichte' }).click();
      await page.getByRole('heading', { level: 1, name: 'Berichte' }).waitFor();
      await waitForContent(page);
    });

    test('a period is shown as numbers, plot and tables, and its filter stands in the address', async () => {
      expect(await figure('Erstellt').innerText()).toBe(String(await count()));
      await page.getByRole('img', { name: /erstellt, davon/ }).waitFor();
      for (const title of ['Nach Standort', 'Nach Profil', 'Nach Zustand', 'Nach Benutzer'])
        expect(await page.getByRole('table', { name: title }).getByRole('row').count()).toBeGreaterThan(1);
      const [site] = await api.tables.sites.all();
      await page.getByLabel('Standort', { exact: true }).selectOption({ label: site!.name });
      await page.waitForURL(`**/reports?siteId=${String(site!.id)}`);
      const ofSite = String(await count({ site_id: site!.id }));
      await figure('Erstellt').getByText(ofSite, { exact: true }).waitFor();
      await openAgain(page);
      await waitForContent(page);
      expect(await figure('Erstellt').innerText()).toBe(ofSite);
      // The end of a shift.
      for (const name of ['Gestern', 'Heute']) {
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('button', { name, exact: true, pressed: true }).waitFor();
      }
      const { searchParams } = new URL(page.url());
      expect(searchParams.get('from')).toBe(searchParams.get('to'));
      await page.getByRole('button', { name: 'Letztes Jahr' }).click();
      await page.getByText('Keine Voucher').waitFor();
      await goTo(page, `${api.url}/reports?from=2020-01-01&to=2026-01-01`);
      await page.getByText('höchstens zwei Jahre').waitFor();
    });

    test('a report is saved as CSV, and printed without what can be clicked', async () => {
      await goTo(page, `${api.url}/reports`);
      const saving = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Als CSV' }).click();
      const file = await readFile(await (await saving).path(), 'utf8');
      expect(file.split('\r\n')[0]).toContain('"Standort"');
      const created = file.trim().split('\r\n').slice(1);
      const sum = created.reduce((total, line) => total + Number(line.split(';')[5]?.replaceAll('"', '')), 0);
      expect(sum).toBe(await count());
      await page.emulateMedia({ media: 'print' });
      for (const hidden of ['nav', 'header', '.report-controls'])
        expect(await page.locator(hidden).first().isVisible()).toBe(false);
      await page.getByRole('heading', { level: 1, name: 'Berichte' }).waitFor();
      await page.getByRole('img', { name: /erstellt, davon/ }).waitFor();
      await page.emulateMedia({ media: 'screen' });
    });

    test('the numbers of one period never stand below the name of another', async () => {
      await page.goto(`${api.url}/reports`);
      await waitForContent(page);
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/web/reports?*', async (route) => {
        await held;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Letztes Jahr' }).click();
      await page.locator('main [data-waiting]').waitFor({ state: 'attached' });
      expect(await page.locator('dl.figures').count()).toBe(0);
      answer();
      await page.getByText('Keine Voucher').waitFor();
      await page.unroute('**/web/reports?*');
      await goTo(page, `${api.url}/reports`);
    });

    test('a report is printed dark on white where pages are light, and where they are dark', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ media: 'print', colorScheme });
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        await untilDrawn(page);
        const printed = await page.evaluate<{ what: string; ink: number[]; grounds: number[] }[]>(brightness);
        expect(printed.length).toBeGreaterThan(50);
        // The ground of a bar is there to show where one is missing, and no ink.
        const wrong = printed.filter(
          ({ ink, grounds }) => ink.some((one) => one > 0.4) || grounds.some((one) => one < 0.7),
        );
        expect([colorScheme, wrong]).toEqual([colorScheme, []]);
      }
    });
  },
  { mayComplain: /status of 400/ },
);
