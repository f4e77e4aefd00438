import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Download, Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { goTo, openAgain, untilDrawn, untilTitle } from '../support/pages.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

/** Finding vouchers again among many, and doing something with several of them. */
describeInBrowser('finding vouchers', (browser) => {
  // A mail server that nobody asks: what is sent stays in the outbox.
  const api = withAdmin({
    site: {},
    env: { SMTP_URL: 'smtp://mail.example.invalid:587', MAIL_FROM: 'wifi@example.org' },
  });
  let staff: SignedIn;
  let shared: Page;
  let page: Page;

  const limits = { maxUses: 1, expireMinutes: 1440, down: 0, up: 0, quotaMb: 0 };
  const order = async (name: string, count: number): Promise<void> => {
    const answer = await staff.put(`/orders/${crypto.randomUUID()}`, {
      siteId: api.siteId,
      name,
      count,
      limits,
    });
    expect(answer).toMatchObject({ status: 200, body: { state: 'made', made: count } });
  };

  beforeAll(async () => {
    staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
    await staff.put('/account/language', { language: 'en' });
    for (let round = 0; round < 2; round += 1) await order('Conference', 500);
    await order('Room 12', 1);
    ({ page: shared } = await browser.open(api, { cookie: staff.cookie, language: 'en' }));
    await shared.goto(`${api.url}/vouchers`);
  });

  const rows = () => page.getByRole('listitem');
  const textOf = async (download: Download): Promise<string> => readFile(await download.path(), 'latin1');

  beforeEach(async () => {
    page = shared;
    await page.unrouteAll({ behavior: 'wait' });
    // Nothing of the test before is left on a page that was left.
    for (const path of ['/account', '/vouchers']) await goTo(page, api.url + path);
    await rows().first().waitFor();
  });

  test('a thousand scroll to the end, and only those on the screen are elements', async () => {
    await page.getByLabel('Code or name').fill('Conference');
    await page.getByText('The first 100 vouchers').waitFor();
    let most = 0;
    // One screen after the other: the next page comes before its place is reached.
    for (;;) {
      most = Math.max(most, await rows().count());
      const isEnd = await page.getByText('1,000 vouchers', { exact: true }).isVisible();
      if (isEnd) break;
      await page.mouse.wheel(0, 3000);
      await untilDrawn(page);
    }
    expect(most).toBeLessThan(100);
  });

  describe('whose time passes while they are shown', () => {
    const setExpiry = (at: number | null): Promise<unknown> =>
      api.database.write('vouchers').update({ expires_at: at });
    beforeEach(async () => {
      await setExpiry(Date.now() + 3_600_000);
      ({ page } = await browser.open(api, { cookie: staff.cookie, language: 'en' }));
      await page.clock.install();
      await page.goto(`${api.url}/vouchers`);
      await rows().first().getByText('Valid').waitFor();
    });
    // The service's own clock stays: to it they are valid all the time.
    afterEach(() => setExpiry(null));

    test('they expire in a list too long to be fetched again, and nobody prints or revokes them', async () => {
      await page.getByLabel('Code or name').fill('Conference');
      await page.getByText('The first 100 vouchers').waitFor();
      for (const boxes = page.getByRole('checkbox', { name: /^Select \d/ }); ;) {
        await boxes.first().check();
        if (await page.getByText(/^The first [4-9]\d\d vouchers/).isVisible()) break;
        await page.mouse.wheel(0, 3000);
        await untilDrawn(page);
      }
      const bar = page.getByRole('region', { name: 'Selection' });
      await bar.getByRole('button', { name: 'Revoke' }).waitFor();
      await page.clock.fastForward('02:00:00');
      await rows().getByText('Expired').first().waitFor();
      await bar.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
      await bar.getByRole('button', { name: 'Slips as PDF' }).waitFor({ state: 'detached' });
      await rows().getByText('Valid').first().waitFor({ state: 'detached' });
    });

    test('the service is asked once more, not again and again while its clock is behind', async () => {
      await page.getByLabel('Code or name').fill('Room 12');
      await page.getByText('One voucher', { exact: true }).waitFor();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const again = page.waitForResponse((answer) => answer.url().includes('/web/vouchers?'));
      await page.clock.fastForward('02:00:00');
      await rows().getByText('Expired').waitFor();
      await page.clock.runFor(1000);
      await again;
      for (let tick = 0; tick < 3; tick += 1) await page.clock.runFor(30_000);
      await rows().getByRole('button').click();
      const details = page.getByRole('dialog', { name: 'Voucher' });
      await details.getByText('It can no longer be used.').waitFor();
      expect(asked.filter((path) => path === '/web/vouchers')).toHaveLength(1);
    });
  });

  test('a part of a code without its dash, and the beginning of a name, find a voucher', async () => {
    const [row] = (await controllerVouchers(api, api.siteId)).filter(({ name }) =>
      String(name).endsWith('Room 12'),
    );
    const code = String(row?.['code']);
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type(code.slice(3, 8));
    await page.getByText(`${code.slice(0, 5)}-${code.slice(5)}`).waitFor();
    await page.getByLabel('Code or name').fill('room');
    await page.getByText('One voucher', { exact: true }).waitFor();
    await page.getByLabel('State').selectOption('Revoked');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('button', { name: 'Reset filters' }).click();
    await page.getByText('1,001 vouchers').waitFor();
  });

  test('Enter shows the only voucher found, also before the answer is there, as a scanner types', async () => {
    const [row] = (await controllerVouchers(api, api.siteId)).filter(({ name }) =>
      String(name).endsWith('Room 12'),
    );
    const code = String(row?.['code']);
    const search = page.getByLabel('Code or name');
    await search.fill(code);
    await search.press('Enter');
    const details = page.getByRole('dialog', { name: 'Voucher' });
    await details.getByText('Room 12').waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await page.locator('input[type=search]:focus').waitFor();
    await search.press('Enter');
    await details.getByText('Room 12').waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    // Of several, the person chooses; and what is typed on is another search.
    await search.fill('Conference');
    await search.press('Enter');
    await search.fill('Room 12');
    await page.getByText('One voucher', { exact: true }).waitFor();
    await untilDrawn(page);
    expect(await details.count()).toBe(0);
  });

  test('the arrow down goes from the search to the first row, and again after the focus went elsewhere', async () => {
    const search = page.getByLabel('Code or name');
    for (let round = 0; round < 2; round += 1) {
      await search.press('ArrowDown');
      await page.locator('[data-index="0"] .voucher-row-main:focus').waitFor();
    }
    // From elsewhere on the page, too.
    await page.getByRole('checkbox').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-index="0"] .voucher-row-main:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-index="1"] .voucher-row-main:focus').waitFor();
  });

  test('arrows and Enter show one with all that is known, and an e-mail is sent once', async () => {
    await page.getByLabel('Code or name').fill('Room 12');
    await page.getByText('One voucher', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('checkbox').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const details = page.getByRole('dialog', { name: 'Voucher' });
    await details.getByText('by Jonas Weber').waitFor();
    // The keys of the page rest, and `p` is for what is shown.
    await page.evaluate(`window.print = () => { document.title = 'printing'; }`);
    await page.keyboard.press('p');
    await untilTitle(page, 'printing');
    expect(await page.getByLabel('Code or name').inputValue()).toBe('Room 12');
    await details.getByRole('button', { name: 'E-mail' }).click();
    const email = page.getByRole('dialog', { name: /by e-mail/ });
    await email.getByLabel('E-mail address of the guest').fill('guest@example.org');
    await email.getByRole('button', { name: 'Send' }).dblclick();
    await details.getByText('guest@example.org').waitFor();
    expect(await details.getByText('guest@example.org').count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      details
        .getByRole('button', { name: 'More actions' })
        .click()
        .then(() => page.getByRole('menuitem', { name: 'PDF' }).click()),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.pdf$/);
    expect(await textOf(download)).toMatch(/^%PDF/);
  });

  test('heads sort by name and time, in the address, and a letter is found by every way to spell it', async () => {
    await order('Łódź Müller', 1);
    await order('anna Åberg', 1);
    const first = page.locator('[data-index="0"]');
    await page.getByRole('button', { name: 'Name' }).click();
    await first.getByText('anna Åberg').waitFor();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'name');
    await page.getByRole('button', { name: 'Name', pressed: true }).click();
    await first.getByText('Room 12').waitFor();
    await openAgain(page);
    await first.getByText('Room 12').waitFor();
    for (const text of ['mueller', 'MÜLL', 'lodz', 'aaberg']) {
      await page.getByLabel('Code or name').fill(text);
      await page.getByText('One voucher', { exact: true }).waitFor();
    }
    await page.getByRole('button', { name: 'Created', exact: true }).click();
    await page.waitForURL((url) => !url.searchParams.has('sort'));
  });

  test('on a wide screen, all filters stand in one line', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await untilDrawn(page);
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('[role=search] .mantine-InputWrapper-root')]
        .filter((field) => field.checkVisibility())
        .map((field) => Math.round(field.getBoundingClientRect().bottom))`,
    );
    expect(tops.length).toBeGreaterThan(4);
    expect(new Set(tops).size).toBe(1);
  });

  test('an order of many is one row that opens, is selected as a whole, and says the states of its vouchers', async () => {
    const order = page.getByRole('button', { name: /500 vouchers Conference/ }).first();
    await order.getByText('Valid: 500').waitFor();
    expect(await rows().count()).toBeLessThan(10);
    await order.click();
    const opened = page.getByRole('button', { name: /500 vouchers Conference/, expanded: true });
    await opened.waitFor();
    // A link and a reload keep what is open.
    await page.waitForURL((url) => /^[\da-f-]{36}$/.test(url.searchParams.get('orders') ?? ''));
    await openAgain(page);
    await opened.waitFor();
    await page
      .getByRole('checkbox', { name: /^Select \d/ })
      .nth(20)
      .waitFor();
    const whole = page.getByRole('checkbox', { name: 'Select the 500 vouchers of this order' }).first();
    await whole.check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('500 selected').waitFor();
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect((await textOf(table)).trim().split('\r\n')).toHaveLength(501);
    await order.click();
    await page.waitForURL((url) => !url.searchParams.has('orders'));
    await whole.uncheck();
    await bar.waitFor({ state: 'detached' });
  });

  test('several are selected, saved as a table, printed on a sheet, and revoked', async () => {
    await page.getByLabel('Code or name').fill('Conference');
    await page.getByText('The first 100 vouchers').waitFor();
    await page
      .getByRole('checkbox', { name: /^Select \d/ })
      .nth(1)
      .check();
    await page
      .getByRole('checkbox', { name: /^Select \d/ })
      .nth(3)
      .check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('2 selected').waitFor();
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect((await textOf(table)).trim().split('\r\n')).toHaveLength(3);
    await bar.getByRole('button', { name: 'Slips as PDF' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Columns').selectOption('3');
    const [sheet] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save PDF' }).click(),
    ]);
    expect(await textOf(sheet)).toMatch(/^%PDF/);
    await dialog.waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByLabel('Type “2” to confirm').fill('2');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('2 vouchers are revoked.').waitFor();
    await page.getByLabel('State').selectOption('Revoked');
    await page.getByText('2 vouchers', { exact: true }).waitFor();
    expect(await controllerVouchers(api, api.siteId)).toHaveLength(1001);
  });

  test('orders that are selected one right after the other are all selected', async () => {
    await order('Wedding', 3);
    await order('Wedding', 2);
    await openAgain(page);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/web/vouchers?orderId=*', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('checkbox', { name: 'Select the 3 vouchers of this order' }).click();
    await page.getByRole('checkbox', { name: 'Select the 2 vouchers of this order' }).click();
    release();
    await page.getByRole('region', { name: 'Selection' }).getByText('5 selected').waitFor();
  });
});
