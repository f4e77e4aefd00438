import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';

describeInBrowser('the page System', (browser) => {
  const api = withAdmin({ key: false, env: { RETAIN_VOUCHERS_DAYS: '365' } });

  test('shows how long records are kept, and cuts nothing off on a narrow phone', async () => {
    const { page } = await browser.open(api, { cookie: api.admin.cookie, width: 320 });
    await page.goto(`${api.url}/system`);
    const table = page.getByRole('table', { name: 'Aufbewahrung' });
    await table.getByText('365 Tage').waitFor();
    await table.getByText('RETAIN_VOUCHERS_DAYS').waitFor();
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('table[aria-label="Aufbewahrung"] :is(td, th)')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent)`,
    );
    expect(cut).toEqual([]);
    // Findings have the width of the phone, and not what a state beside them leaves.
    const narrowest = await page.evaluate<number>(
      `Math.min(...[...document.querySelectorAll('main li > :first-child')].map(({ clientWidth }) => clientWidth))`,
    );
    expect(narrowest).toBeGreaterThan(200);
  });

  test('shows sizes in the units of people, and times where the reader is, with UTC on pointing', async () => {
    const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
    await page.goto(`${api.url}/system`);
    await page.getByText(/^[\d.,]+\s[GM]B frei$/).waitFor();
    const clock = page.getByRole('listitem').filter({ hasText: ', Zeitzone ' }).locator('time');
    // Asked at once: the page may show a later time in between.
    const [title, dateTime, text] = await clock.evaluate(
      ({ title, dateTime, textContent }: { title: string; dateTime: string; textContent: string }) => [
        title,
        dateTime,
        textContent,
      ],
    );
    expect(title).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    const at = new Date(dateTime);
    const format = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short' });
    expect(text).toBe(format.format(at));
  });

  test('words what to do as sentences, and leaves commands as they are typed', async () => {
    const { page } = await browser.open(api, { cookie: api.admin.cookie, language: 'de' });
    await page.goto(`${api.url}/system`);
    const firstLetterOf = async (text: string): Promise<string> => {
      await page.getByText(text).waitFor();
      return page.evaluate<string>(
        `getComputedStyle(
          [...document.querySelectorAll('li p')].find(({ textContent }) => textContent.includes('${text}')),
          '::first-letter',
        ).textTransform`,
      );
    };
    expect(await firstLetterOf('SMTP_URL und MAIL_FROM')).toBe('uppercase');
    expect(await firstLetterOf('npx voucherd key create')).toBe('none');
    // Many services have no API key.
    const keys = page.getByRole('listitem').filter({ hasText: 'voucherd key create' });
    await keys.getByText('Zur Information').waitFor();
  });
});
