import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { contrastOf } from '../../src/branding/palette.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findIssuesInEveryLook } from '../support/looks.js';
import { openFollowing, untilDrawn, untilTitle, waitForContent } from '../support/pages.js';
import { redPng } from '../support/pictures.js';
import { until } from '../support/until.js';

/** What nobody could read, if it was used as it is. */
const hostileColours = ['#ffff00', '#ffffff', '#000000', '#808080'];

/** The colours of texts and of what they stand on, as the browser has computed them. */
const readColours = `(() => {
  const hex = (value) => {
    const [r, g, b, a = 1] = value.match(/[\\d.]+/g).map(Number);
    return a === 0 ? undefined : '#' + [r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('');
  };
  const groundOf = (element) =>
    !element ? '#ffffff' : hex(getComputedStyle(element).backgroundColor) ?? groundOf(element.parentElement);
  const shown = (name, element) => element && { name, text: hex(getComputedStyle(element).color), ground: groundOf(element) };
  return [
    shown('button', document.querySelector('button[type=submit]')),
    shown('link', document.querySelector('main a.mantine-Anchor-root')),
    shown('active page', document.querySelector('nav a[aria-current=page]')),
    shown('its label', document.querySelector('nav a[aria-current=page] .mantine-NavLink-label')),
  ].filter(Boolean);
})()`;

interface Shown {
  readonly name: string;
  readonly text: string;
  readonly ground: string;
}

describeInBrowser(
  'branding',
  (browser) => {
    const api = withAdmin({ env: { BASE_PATH: '/wifi' } });
    const set = async (values: object): Promise<WebSchema<'Branding'>> => {
      const answer = await api.admin.put('/branding', { title: null, colour: null, ...values });
      expect(answer.status).toBe(200);
      return answer.body as WebSchema<'Branding'>;
    };
    afterEach(() => set({ logo: null, icon: null }));
    const untilTitled = (page: Page, title: string) =>
      until(`a tab with ${title}`, async () => (await page.title()).endsWith(` · ${title}`) || undefined);
    const variable = (page: Page, name: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('${name}').trim()`);

    test('is chosen with a preview, saved, seen on all open pages at once, and taken back with one button', async () => {
      const { page } = await browser.open(api, { cookie: api.admin.cookie });
      const { page: other } = await browser.open(api, { cookie: api.admin.cookie });
      await openFollowing(other, `${api.url}/users`);
      await waitForContent(other);
      await untilTitle(other, 'Benutzer · voucherd');
      await page.goto(`${api.url}/branding`);
      await waitForContent(page);
      await untilTitle(page, 'Erscheinungsbild · voucherd');
      await page.getByLabel('Titel').fill('Hotel am See');
      await page.getByLabel('Farbe', { exact: true }).fill('#ffff00');
      const preview = page.getByRole('group', { name: 'Vorschau' });
      await preview.getByText('#ffff00 wäre nicht überall gut lesbar').waitFor();
      const picture = (name: string, width: number, height: number) => ({
        ...{ name, mimeType: 'image/png', buffer: redPng(width, height) },
      });
      const files = page.locator('input[type=file]');
      await files
        .nth(0)
        .setInputFiles({ name: 'x.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
      await page.getByText('Das ist kein Bild, das sich verwenden lässt.').waitFor();
      // More than the service takes: made smaller here, with the same proportions.
      await files.nth(0).setInputFiles(picture('logo.png', 6000, 1600));
      await preview.locator('img[src^="data:image/png"]').first().waitFor();
      expect(
        await page.evaluate<number[]>(`(async () => {
          const image = document.querySelector('img[src^="data:image/png"]');
          await image.decode();
          return [image.naturalWidth, image.naturalHeight];
        })()`),
      ).toEqual([1000, 267]);
      const large = { name: 'x.png', mimeType: 'image/png', buffer: Buffer.alloc(20_000_001) };
      await files.nth(0).setInputFiles(large);
      await page.getByText('Die Datei ist zu groß: höchstens 20 MB.').waitFor();
      await files.nth(0).setInputFiles(picture('logo.png', 300, 80));
      await files.nth(1).setInputFiles(picture('icon.png', 64, 64));
      await preview.locator('img[src^="data:image/png"]').nth(3).waitFor();
      // Nothing is saved yet.
      expect(await other.title()).toBe('Benutzer · voucherd');
      expect(await findIssuesInEveryLook(page, 'branding')).toEqual([]);
      await page.getByRole('button', { name: 'Speichern' }).click();
      await page.getByText('Das Erscheinungsbild ist gespeichert.').waitFor();
      for (const tab of [page, other]) {
        await tab.locator('header img[alt="Hotel am See"]').waitFor();
        await untilTitled(tab, 'Hotel am See');
        await tab
          .locator('head link[rel=icon][href^="/wifi/web/branding/pictures/"]')
          .waitFor({ state: 'attached' });
        expect(await variable(tab, '--mantine-color-accent-filled')).not.toBe('');
      }
      await page.getByRole('button', { name: 'Zurücksetzen' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Alle Seiten sehen danach wieder wie voucherd aus.').waitFor();
      await dialog.getByRole('button', { name: 'Zurücksetzen' }).click();
      for (const tab of [page, other]) {
        await tab.locator('header').getByText('voucherd', { exact: true }).waitFor();
        await untilTitled(tab, 'voucherd');
        await tab.locator('head link[rel=icon][href="/wifi/docs/logo.svg"]').waitFor({ state: 'attached' });
      }
    });

    test('a logo that is still being made smaller when the rest is saved is saved with it', async () => {
      const { page } = await browser.open(api, { cookie: api.admin.cookie });
      await page.addInitScript(`{
        const decode = createImageBitmap.bind(window);
        const released = new Promise((resolve) => { window.releasePictures = resolve; });
        window.createImageBitmap = (...given) => released.then(() => decode(...given));
      }`);
      await page.goto(`${api.url}/branding`);
      await waitForContent(page);
      await page.getByLabel('Titel').fill('Hotel am See');
      const logo = { name: 'logo.png', mimeType: 'image/png', buffer: redPng(300, 80) };
      await page.locator('input[type=file]').first().setInputFiles(logo);
      await page.locator('button[data-loading]').waitFor();
      const saved = page.waitForRequest(
        (request) => request.method() === 'PUT' && request.url().endsWith('/branding'),
      );
      await page.getByRole('button', { name: 'Speichern' }).click();
      await page.evaluate('releasePictures()');
      expect((await saved).postDataJSON()).toMatchObject({
        title: 'Hotel am See',
        logo: redPng(300, 80).toString('base64'),
      });
      await page.getByText('Das Erscheinungsbild ist gespeichert.').waitFor();
    });

    test('is there at the first paint of sign-in, kiosk and guest page, which ask for nothing first', async () => {
      const brand = await set({
        title: 'Hotel am See',
        colour: '#7a1f3d',
        logo: redPng(300, 80).toString('base64'),
      });
      const { page } = await browser.open(api);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      for (const [path, title] of [
        ['/', 'Anmelden · Hotel am See'],
        ['/kiosk#x', 'WLAN für Gäste · Hotel am See'],
        ['/guest/x', 'WLAN für Gäste · Hotel am See'],
      ] as const) {
        await page.goto('about:blank');
        await page.goto(api.url + path);
        await waitForContent(page);
        await untilTitle(page, title);
        expect(await variable(page, '--mantine-color-accent-filled')).toBe('#7a1f3d');
        if (path === '/') {
          await page.locator(`img[src="/wifi/web/branding/pictures/${brand.logo?.version ?? ''}"]`).waitFor();
          expect(await findIssuesInEveryLook(page, 'branded-sign-in')).toEqual([]);
        }
      }
      expect(asked.filter((path) => path.endsWith('/web/branding'))).toEqual([]);
    });

    test('any colour gives texts with a contrast of 4.5 in real pages, light and dark', async () => {
      const { page } = await browser.open(api, { cookie: api.admin.cookie });
      await openFollowing(page, `${api.url}/branding`);
      await waitForContent(page);
      const tooWeak: unknown[] = [];
      for (const colour of hostileColours) {
        await set({ colour, title: colour });
        await untilTitled(page, colour);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
          await untilDrawn(page);
          const shown = await page.evaluate<Shown[]>(readColours);
          expect(shown.map(({ name }) => name)).toEqual(['button', 'active page', 'its label']);
          tooWeak.push(...shown.filter(({ text, ground }) => contrastOf(text, ground) < 4.5));
        }
      }
      expect(tooWeak).toEqual([]);
    });

    test('the name of a hotel is read whole on a phone, in two lines where it needs them', async () => {
      await set({ title: 'Seehotel am Bodensee' });
      const { page } = await browser.open(api, { cookie: api.admin.cookie, width: 390 });
      await page.goto(`${api.url}/desk`);
      await waitForContent(page);
      const title = page.locator('.shell-header .brand-title');
      await title.filter({ hasText: 'Seehotel am Bodensee' }).waitFor();
      const cut = `(() => {
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector('.shell-header .brand-title');
        return [scrollWidth - clientWidth, scrollHeight - clientHeight];
      })()`;
      expect(await page.evaluate<number[]>(cut)).toEqual([0, 0]);
    });

    test('a long title from right to left is never too wide', async () => {
      const { page } = await browser.open(api, { cookie: api.admin.cookie });
      await set({ title: 'שלום לכולם וברוכים הבאים למלון על האגם' });
      await page.goto(`${api.url}/branding`);
      await waitForContent(page);
      expect(await findIssuesInEveryLook(page, 'branding-long')).toEqual([]);
    });
  },
  { mayComplain: /status of 4\d\d/ },
);
