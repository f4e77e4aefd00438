import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { answered } from '../support/deliveryReasons.js';
import { furnish, goTo, untilDrawn, waitForContent } from '../support/pages.js';

/** Buttons and badges beyond the edge of their table, one above the other for want of place, or cut by their corners. */
const findMisplaced = `[...document.querySelectorAll('.data-table-frame')].flatMap((frame) => {
  const { left, right } = frame.getBoundingClientRect();
  return [...frame.querySelectorAll('td button, td .mantine-Badge-root')].flatMap((element) => {
    const box = element.getBoundingClientRect();
    const text = element.textContent;
    const label = element.querySelector('.mantine-Button-label');
    return [
      ...(box.left < left || box.right > right ? ['beyond the edge: ' + (text || element.ariaLabel)] : []),
      ...(label && !text.includes(' ') && label.getBoundingClientRect().height > 30 ? ['broken: ' + text] : []),
      ...(Number.parseFloat(getComputedStyle(element).borderRadius) > 16 ? ['too round: ' + text] : []),
    ];
  });
})`;

describeInBrowser('lists of administrators', (browser) => {
  const api = withAdmin({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });

  let page: Page;
  let shownIn: 'de' | 'en' | undefined;
  const open = async (path: string, language: 'de' | 'en'): Promise<void> => {
    await page.setViewportSize({ width: 1280, height: 900 });
    if (language === shownIn) return goTo(page, api.url + path);
    shownIn = language;
    await api.admin.put('/account/language', { language });
    await page.goto(api.url + path);
    await waitForContent(page);
  };

  beforeAll(async () => {
    await furnish(api, api.admin);
    // Nobody has signed in as this user yet.
    await api.admin.post('/users', { name: 'Pia Neu', email: 'pia@example.org', role: 'staff', siteIds: [] });
    const [site] = await api.tables.sites.all();
    const { body } = await api.admin.get('/profiles');
    const [profile] = (body as { profiles: { id: number }[] }).profiles;
    const values = { siteId: site?.id, profileId: profile?.id, perHour: 20, asksName: true };
    for (const kiosk of [{ name: 'Foyer' }, { name: 'Strand', slug: 'strand', needsApproval: true }])
      expect((await api.admin.post('/kiosks', { ...values, ...kiosk })).status).toBe(201);
    ({ page } = await browser.open(api, { cookie: api.admin.cookie, width: 1280 }));
  });

  test('fit with their buttons and states on a small desktop and on phones, in German', async () => {
    await open('/users', 'de');
    const misplaced: string[] = [];
    for (const path of ['/users', '/kiosks', '/keys', '/sites', '/profiles', '/printers', '/webhooks']) {
      if (path !== '/users') await goTo(page, api.url + path);
      await page.locator('.data-table-frame').first().waitFor();
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await untilDrawn(page);
        const found = await page.evaluate<string[]>(findMisplaced);
        misplaced.push(...found.map((text) => `${path} at ${String(width)}: ${text}`));
      }
    }
    expect(misplaced).toEqual([]);
  });

  test('keep an address and a time of the audit log in one line', async () => {
    await open('/audit', 'de');
    const addresses = page.locator('td[data-label] .code');
    await addresses.first().waitFor();
    for (const [width, places] of [
      [1280, 'td .code, td time'],
      [1100, 'td .code'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await untilDrawn(page);
      const lines = `[...document.querySelectorAll('${places}')].map((one) => one.getClientRects().length)`;
      expect(new Set(await page.evaluate<number[]>(lines))).toEqual(new Set([1]));
    }
  });

  test('show whose a voucher is whole, in two lines where one is too short', async () => {
    const names = ['Zimmer 14, Herr Süßmilch', 'Kongress der Önologen'];
    const [site] = await api.tables.sites.all();
    const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0 };
    for (const [index, name] of names.entries()) {
      const order = { siteId: site?.id, name, count: index + 1, limits };
      const { status } = await api.admin.put(`/orders/${randomUUID()}`, { ...order, profileId: null });
      expect([200, 201, 202]).toContain(status);
    }
    for (const path of ['/desk', '/vouchers']) {
      await open(path, 'de');
      for (const name of names) {
        const shown = page.locator('.voucher-row-name').filter({ hasText: name });
        await shown.waitFor();
        const isCut = await shown.evaluate(
          ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
            scrollWidth > clientWidth || scrollHeight > clientHeight,
        );
        expect([path, name, isCut]).toEqual([path, name, false]);
      }
    }
  });

  test('say which guest page needs approval, and dialogs speak of it as a guest page', async () => {
    await open('/kiosks', 'en');
    await page
      .getByRole('row', { name: /Strand/ })
      .getByText('With approval')
      .waitFor();
    expect(await page.getByText('With approval').count()).toBe(1);
    // On a phone it stands below the address, which is at the end of the line.
    await page.setViewportSize({ width: 390, height: 900 });
    await untilDrawn(page);
    const [address, approval] = await Promise.all(
      [page.getByRole('link', { name: '/guest/strand' }), page.getByText('With approval')].map((one) =>
        one.boundingBox(),
      ),
    );
    expect(approval!.y).toBeGreaterThanOrEqual(address!.y + address!.height);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Actions for Strand' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await page.getByRole('dialog').getByText('You can do that on the page “E-mail”.').waitFor();
    expect(await page.getByRole('dialog').innerText()).not.toMatch(/kiosk|tablet|administrator/i);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add a kiosk' }).click();
    await page.getByLabel('Kind').selectOption('public');
    await page.getByRole('dialog', { name: 'Add a guest page' }).getByText('Only this computer').waitFor();
    const added = await page.getByRole('dialog').innerText();
    // The kind of a kiosk that is not chosen speaks of one.
    expect(added.replace('Tablet with a link', '')).not.toMatch(/kiosk|tablet/i);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for Strand' }).click();
    await page.getByRole('menuitem', { name: 'Withdraw' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw the guest page “Strand”?' });
    await dialog.getByText('Its address stops working at once').waitFor();
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The guest page “Strand” is withdrawn.').waitFor();
  });

  test('a user is created right after a site was chosen, though others could be chosen', async () => {
    await open('/users', 'en');
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Leo Kurz');
    await dialog.getByRole('combobox', { name: 'Sites' }).click();
    await page.getByRole('option', { name: 'Hauptgebäude' }).click();
    await page.getByRole('option', { name: 'Nebengebäude' }).waitFor();
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('dialog', { name: 'Leo Kurz is created' }).waitFor();
  });

  test('a failed delivery of a webhook that is off is sent again later, and that is said', async () => {
    // Nothing is sent to the others meanwhile.
    const { body: list } = await api.admin.get('/webhooks');
    for (const { id: other } of (list as { webhooks: { id: number }[] }).webhooks)
      await api.admin.delete(`/webhooks/${String(other)}`);
    const webhook = { name: 'Booking', format: 'generic', address: 'http://127.0.0.1:1/x' };
    const { body } = await api.admin.post('/webhooks', webhook);
    const { id } = (body as { webhook: { id: number } }).webhook;
    const { tables, database, now } = api.app;
    const notification = { id: 'n1', count: 1, site: 'Nord', source: 'API: n1', created_at: now() };
    await database.write('notifications').insert(notification);
    await tables.deliveries.dispatch(now());
    const deliveries = await tables.deliveries.newest({}, 100);
    const delivery = deliveries.find(({ webhookId }) => webhookId === id);
    await tables.outbox.settle(delivery?.id ?? 0, 'failed', answered(410), now());
    await open('/webhooks', 'en');
    await page.getByRole('button', { name: 'Actions for Booking' }).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await page.getByText('Booking is off. Vouchers created meanwhile are not reported.').waitFor();
    await page.getByRole('button', { name: 'Actions for Booking' }).click();
    await page.getByRole('menuitem', { name: 'Deliveries' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is sent again as soon as Booking is on.').waitFor();
    await page.getByRole('dialog').getByText('Waits until the webhook is on again').waitFor();
  });
});

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
      await tables.outbox.postpone(first?.id ?? 0, {
        ...{ reason: answered(503), at: now() + 3_600_000, holds: true },
      });
    expect(second?.tries).toBe(0);
    const { page } = await browser.open(api, { cookie: api.admin.cookie });
    await page.goto(`${api.url}/webhooks`);
    await page.getByText('Gestört', { exact: true }).waitFor();
    await page.getByText(/503/).waitFor();
    // One state, and not beside it that nothing is wrong.
    const states = page.getByRole('row', { name: /Empfang/ }).locator('.mantine-Badge-root');
    expect(await states.allInnerTexts()).toHaveLength(1);
    await page.getByRole('button', { name: /Empfang/ }).click();
    await page.getByRole('menuitem', { name: 'Zustellungen' }).click();
    await page.getByText('Wartet, bis das Ziel wieder antwortet').waitFor();
    await goTo(page, `${api.url}/overview`);
    await page.getByText(/Webhook Empfang .*503/).waitFor();
  });
});

describeInBrowser('the page System', (browser) => {
  const api = withAdmin({ key: false, env: { RETAIN_VOUCHERS_DAYS: '365' } });
  let page: Page;
  beforeAll(async () => {
    ({ page } = await browser.open(api, { cookie: api.admin.cookie, width: 320 }));
    await page.goto(`${api.url}/system`);
  });

  test('shows how long records are kept, and cuts nothing off on a narrow phone', async () => {
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
