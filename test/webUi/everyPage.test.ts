import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { pagePaths } from '../../src/pages/pagePaths.js';
import type { Browser as SignedIn } from '../support/web.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findFaultyControls } from '../support/controls.js';
import { findAccessibilityIssues, furnish, goTo, untilDrawn, waitForContent } from '../support/pages.js';

/** The front desk is documented in German, too, and the page that guests open on their phones only as it is there. */
const documented =
  '^(?!guest-).*-en-(light-1440|dark-390)$|^guest-en-light-390$|^(desk|desk-voucher|desk-sheet|vouchers|kiosk-code)-de-light-1440$';
/** `npm run soak -- screenshots` keeps pictures of each page there: those of the documentation, or all. */
const { SCREENSHOTS: pictures, SCREENSHOTS_OF: wanted = documented } = process.env;

type Language = 'de' | 'en';
const languageNames = { de: 'Deutsch', en: 'English' } as const;
/** Pages are checked in German, whose words are the longest; `languages` has the others. */
const languages: readonly Language[] = pictures === undefined ? ['de'] : ['de', 'en'];

/** In each colour scheme and width, and then as before. */
const takePictures = async (page: Page, name: string): Promise<void> => {
  if (pictures === undefined) return;
  const { default: sharp } = await import('sharp');
  for (const width of [390, 1440])
    for (const colorScheme of ['dark', 'light'] as const) {
      const file = `${name}-${colorScheme}-${String(width)}`;
      if (!new RegExp(wanted).test(file)) continue;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await untilDrawn(page);
      // A palette is enough for pages, and makes files a third as large.
      await sharp(await page.screenshot())
        .png({ palette: true, effort: 10 })
        .toFile(join(pictures, `${file}.png`));
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
};

/** What is wrong with what a page shows. `everyControl` looks at the same on a phone, dark. */
const lookAt = async (page: Page, name: string, language: Language = 'de'): Promise<string[]> => {
  await takePictures(page, `${name}-${language}`);
  const issues = await findAccessibilityIssues(page);
  return issues.map((issue) => `${name}-${language}: ${issue}`);
};

/** Chooses a language in the menu at the head of the page. */
const switchTo = async (page: Page, language: Language): Promise<void> => {
  if ((await page.locator('html').getAttribute('lang')) === language) return;
  await page.getByRole('button', { name: /^(Sprache|Language)$/ }).click();
  await page.getByRole('menuitem', { name: languageNames[language] }).click();
  await page.locator(`html[lang=${language}]`).waitFor();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  // As somebody sees the page who comes there.
  await page.reload();
  await waitForContent(page);
};

const lookInEveryLanguage = async (page: Page, name: string): Promise<string[]> => {
  const issues: string[] = [];
  for (const language of languages) {
    await switchTo(page, language);
    issues.push(...(await lookAt(page, name, language)));
  }
  return issues;
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

    test('the pages of an administrator', async () => {
      const issues: string[] = [];
      for (const path of pagePaths.filter((one) => !otherPaths.includes(one))) {
        await goTo(page, api.url + path);
        const faulty = await findFaultyControls(page);
        issues.push(...faulty.map((issue) => `${path}: ${issue}`));
        issues.push(...(await lookInEveryLanguage(page, path.slice(1))));
      }
      expect(issues).toEqual([]);
    });

    test('the pages without a session', async () => {
      for (const [name, path] of [
        ['sign-in', '/'],
        ['first-start', '/first-start#token=x'],
        ['set-password', '/set-password#token=x'],
      ] as const) {
        await signedOut.goto(api.url + path);
        await waitForContent(signedOut);
        expect(await lookInEveryLanguage(signedOut, name)).toEqual([]);
      }
    });

    test.each(languages)(
      'a voucher, an order of many and the sheet for it at the front desk, in the language %s',
      async (language) => {
        await goTo(page, `${api.url}/desk`);
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
      for (const language of languages) {
        await signedOut.getByLabel(/^(?:Sprache|Language)$/).selectOption(language);
        await signedOut.locator(`html[lang=${language}]`).waitFor();
        expect(await lookAt(signedOut, 'guest', language)).toEqual([]);
      }
    });

    test.each(languages)(
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
