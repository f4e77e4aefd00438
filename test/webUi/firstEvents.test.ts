import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { maxHoldMs } from '../../web/src/api/eventsGate.ts';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { waitForContent } from '../support/pages.js';
import { until } from '../support/until.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

/** However slow the machine is, pages wait for their events. */
const withoutDeadline = `
  const { setTimeout } = window;
  window.setTimeout = (task, ms, ...values) =>
    ms === ${String(maxHoldMs)} ? 0 : setTimeout(task, ms, ...values);`;

describeInBrowser('what a page fetches before it hears of changes', (browser) => {
  const api = withAdmin({ site: { name: 'Seehotel' } });
  let staff: SignedIn;
  beforeAll(async () => {
    await api.admin.post('/profiles', { name: 'Day', maxUses: 1, expireMinutes: 1440 });
    staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
  });
  /** Holds the events back until the returned function is called. */
  const holdEvents = async (page: Page): Promise<() => void> => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/web/events', async (route) => {
      await held;
      await route.continue();
    });
    return () => letGo();
  };

  test('its data is fetched once, after the events have begun', async () => {
    const { page } = await browser.open(api, { cookie: staff.cookie });
    await page.addInitScript(withoutDeadline);
    const letGo = await holdEvents(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/web/') && pathname !== '/web/session') asked.push(pathname + search);
    });
    await page.goto(`${api.url}/desk`);
    await page.getByRole('link', { name: 'Empfang' }).waitFor();
    await until('the events to be asked for', () => Promise.resolve(asked.length > 0));
    expect(asked).toEqual(['/web/events']);
    letGo();
    await page.getByRole('radio', { name: /Day/ }).waitFor();
    await waitForContent(page);
    expect(asked.sort()).toEqual([...new Set(asked)].sort());
    expect(asked).toContain('/web/desk');
  });

  test('a change before late events is shown when they begin', async () => {
    const { page } = await browser.open(api, { cookie: staff.cookie });
    const letGo = await holdEvents(page);
    await page.goto(`${api.url}/desk`);
    // It does not wait for good.
    await page.getByRole('radio', { name: /Day/ }).waitFor();
    await api.admin.post('/profiles', { name: 'Week', maxUses: 1, expireMinutes: 10_080 });
    letGo();
    await page.getByRole('radio', { name: /Week/ }).waitFor();
  });
});
