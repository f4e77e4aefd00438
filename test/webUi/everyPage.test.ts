import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { pagePaths } from '../../src/pages/pagePaths.js';
import type { Browser as SignedIn } from '../support/web.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findAccessibilityIssues, furnish, untilDrawn, waitForContent } from '../support/pages.js';

/** The front desk is documented in German, too, and the page that guests open on their phones only as it is there. */
const documented =
  '^(?!guest-).*-en-(light-1440|dark-390)$|^guest-en-light-390$|^(desk|desk-voucher|desk-sheet|vouchers|kiosk-code)-de-light-1440$';
/** `npm run soak -- screenshots` keeps pictures of each page there: those of the documentation, or all. */
const { SCREENSHOTS: pictures, SCREENSHOTS_OF: wanted = documented } = process.env;

type Language = 'de' | 'en';
const languageNames = { de: 'Deutsch', en: 'English' } as const;

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: 1440 | 390;
  /** Colours depend on scheme and width, everything else on width or language: not every rule is asked each time. */
  readonly rules: Partial<Record<Language, Parameters<typeof findAccessibilityIssues>[1]>>;
}
const looks: readonly Look[] = [
  { colorScheme: 'light', width: 1440, rules: { de: 'all', en: 'not colours' } },
  { colorScheme: 'dark', width: 1440, rules: { de: 'colours' } },
  { colorScheme: 'light', width: 390, rules: { de: 'all' } },
  { colorScheme: 'dark', width: 390, rules: { de: 'colours' } },
];

const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures === undefined || !new RegExp(wanted).test(name)) return;
  const { default: sharp } = await import('sharp');
  // A palette is enough for pages, and makes files a third as large.
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(join(pictures, `${name}.png`));
};

/** What is wrong with what a page shows, in both colour schemes and on both kinds of screen. */
const lookAt = async (page: Page, name: string, language: Language): Promise<string[]> => {
  const issues: string[] = [];
  for (const { colorScheme, width, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await untilDrawn(page);
    const where = `${name}-${language}-${colorScheme}-${String(width)}`;
    const found = rules[language] ? await findAccessibilityIssues(page, rules[language]) : [];
    const overflow = Number(await page.evaluate(`document.documentElement.scrollWidth - innerWidth`));
    if (overflow > 0) found.push(`is ${String(overflow)} pixels too wide`);
    issues.push(...found.map((issue) => `${where}: ${issue}`));
    await takePicture(page, where);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  return issues;
};

const languageOf = async (page: Page): Promise<Language> =>
  (await page.locator('html').getAttribute('lang')) === 'en' ? 'en' : 'de';

/** Chooses a language in the menu at the head of the page. */
const switchTo = async (page: Page, language: Language): Promise<void> => {
  if ((await languageOf(page)) === language) return;
  await page.getByRole('button', { name: /^(Sprache|Language)$/ }).click();
  await page.getByRole('menuitem', { name: languageNames[language] }).click();
  await page.locator(`html[lang=${language}]`).waitFor();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  // As somebody sees the page who comes there.
  if (pictures !== undefined) await page.reload();
  await waitForContent(page);
};

/** Looks at a page in the language that it has, and in the other one. */
const lookInBothLanguages = async (page: Page, name: string): Promise<string[]> => {
  const first = await languageOf(page);
  const second = first === 'de' ? 'en' : 'de';
  const issues = await lookAt(page, name, first);
  await switchTo(page, second);
  return [...issues, ...(await lookAt(page, name, second))];
};

/** Without a session, or only a way to another page. */
const otherPaths = ['/', '/sign-in', '/set-password', '/first-start', '/kiosk'];

describeInBrowser(
  'every page has no errors, asks no other host and is accessible',
  (browser) => {
    // A mail server that is never asked: with one, vouchers can be sent.
    const api = withAdmin({
      env: { SMTP_URL: 'smtp://mail.example.invalid:587', MAIL_FROM: 'wifi@example.org' },
    });
    let kioskPath: string;
    /** An administrator's, and one without a session. */
    let page: Page;
    let signedOut: Page;

    beforeAll(async () => {
      await furnish(api, api.admin);
      kioskPath = await addKiosk(api.admin);
      ({ page } = await browser.open(api, { cookie: api.admin.cookie }));
      ({ page: signedOut } = await browser.open(api));
      await page.goto(api.url);
      // The front desk remembers the site that was chosen last.
      const site = (await api.tables.sites.all()).find(({ name }) => name === 'Hauptgebäude');
      await page.evaluate(`localStorage.setItem('voucherd.site', '${String(site?.id)}')`);
      if (pictures !== undefined) await mkdir(pictures, { recursive: true });
    });

    /** A tablet, or a guest page, for the first site that has a profile. */
    const addKiosk = async (admin: SignedIn, values: object = {}): Promise<string> => {
      const { sites } = (await admin.get('/desk')).body as WebSchema<'Desk'>;
      const site = sites.find(({ profiles }) => profiles.length > 0);
      const kiosk = { siteId: site?.id, profileId: site?.profiles[0]?.id, perHour: 100, asksName: true };
      return ((await admin.post('/kiosks', { ...kiosk, ...values })).body as WebSchema<'CreatedKiosk'>).path;
    };

    /** By the navigation where it leads there, which is faster than loading everything again. */
    const goTo = async (path: string): Promise<void> => {
      await waitForContent(page);
      const link = page.locator(`nav a[href="${path}"]`);
      if ((await link.count()) > 0) {
        const name = await link.innerText();
        await link.click();
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      } else await page.goto(api.url + path);
      await waitForContent(page);
    };

    test.each(pagePaths.filter((path) => !otherPaths.includes(path)))('%s', async (path) => {
      await goTo(path);
      expect(await lookInBothLanguages(page, path.slice(1))).toEqual([]);
    });

    test.each([
      ['sign-in', '/'],
      ['first-start', '/first-start#token=x'],
      ['set-password', '/set-password#token=x'],
    ])('%s', async (name, path) => {
      await signedOut.goto(api.url + path);
      await waitForContent(signedOut);
      expect(await lookInBothLanguages(signedOut, name)).toEqual([]);
    });

    test.each(['de', 'en'] as const)(
      'a voucher, an order of many and the sheet for it at the front desk, in the language %s',
      async (language) => {
        await goTo('/desk');
        await switchTo(page, language);
        await page.getByPlaceholder(/12/).fill(language === 'de' ? 'Zimmer 12' : 'Room 12');
        await page.keyboard.press('Enter');
        await page.locator('h2.code').waitFor();
        await waitForContent(page);
        expect(await lookAt(page, 'desk-voucher', language)).toEqual([]);
        await page.keyboard.press('n');
        await page.getByPlaceholder(/12/).fill(language === 'de' ? 'Tagung' : 'Conference');
        await page.locator('input[type=number]').fill('30');
        await page.keyboard.press('Enter');
        await page.locator('textarea').waitFor();
        expect(await lookAt(page, 'desk-many', language)).toEqual([]);
        await page.keyboard.press('p');
        await page.getByRole('dialog').waitFor();
        expect(await lookAt(page, 'desk-sheet', language)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await page.keyboard.press('n');
      },
    );

    test('a guest page', async () => {
      await addKiosk(api.admin, { slug: 'hotel', perDevice: 2 });
      await signedOut.goto(`${api.url}/guest/hotel`);
      await waitForContent(signedOut);
      for (const language of ['de', 'en'] as const) {
        await signedOut.getByLabel(/^(?:Sprache|Language)$/).selectOption(language);
        await signedOut.locator(`html[lang=${language}]`).waitFor();
        expect(await lookAt(signedOut, 'guest', language)).toEqual([]);
      }
    });

    test.each(['de', 'en'] as const)(
      'a kiosk and the code that a guest takes there, in the language %s',
      async (language) => {
        await signedOut.goto('about:blank');
        await signedOut.goto(api.url + kioskPath);
        await waitForContent(signedOut);
        await signedOut.getByLabel(/^(?:Sprache|Language)$/).selectOption(language);
        await signedOut.locator(`html[lang=${language}]`).waitFor();
        expect(await lookAt(signedOut, 'kiosk', language)).toEqual([]);
        await signedOut.locator('button[type=submit]').click();
        await signedOut.locator('h1.code').waitFor();
        expect(await lookAt(signedOut, 'kiosk-code', language)).toEqual([]);
      },
    );
  },
  { mayComplain: /status of 401/ },
);
