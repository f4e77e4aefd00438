import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pagePaths } from '../../src/pages/pagePaths.js';
import { maxHoldMs } from '../../web/src/api/eventsGate.ts';
import { preloadMs } from '../../web/src/lib/preload.ts';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { waitForContent } from '../support/pages.js';
import { until } from '../support/until.js';
import { type Browser as SignedIn, signInNew } from '../support/web.js';

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

/** Script and style together, compressed. */
const maxFirstLoadBytes = 250_000;

/** Answered once the main thread has nothing else to do: the time since the navigation began. */
const untilIdle = 'new Promise((resolve) => requestIdleCallback(() => resolve(performance.now())))';

/** What a page loads ahead when it has long been there is not part of the first load, however slow the machine is. */
const withoutPreloading = `
  const { setTimeout } = window;
  window.setTimeout = (task, ms, ...values) =>
    ms === ${String(preloadMs)} ? 0 : setTimeout(task, ms, ...values);`;

interface FirstLoad {
  /** Of scripts and styles, over the network. */
  readonly bytes: number;
  /** Until the page is shown and takes input, from the begin of the navigation, by the browser's clock. */
  readonly interactiveMs: number;
}

/** Those that load most. */
const largePages = ['/desk', '/vouchers', '/overview', '/controllers', '/sites', '/kiosks', '/reports'];

/** `npm run soak -- first-load` prints the figures, of several loads of each page. */
const loads = process.env['SHOW_FIRST_LOAD'] ? 5 : 1;
const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

describeInBrowser(
  'what a browser loads at first',
  (browser) => {
    const api = withAdmin();

    /** Loads a page with an empty cache. */
    const loadFirst = async (path: string, cookie: string): Promise<FirstLoad> => {
      const { page } = await browser.open(api, { cookie });
      let bytes = 0;
      page.on('response', (response) => {
        if (response.url().includes('/assets/')) bytes += Number(response.headers()['content-length']);
      });
      await page.addInitScript(withoutPreloading);
      await page.goto(api.url + path);
      await waitForContent(page);
      const interactiveMs = await page.evaluate<number>(untilIdle);
      await page.close();
      return { bytes, interactiveMs };
    };

    /** What the browser and the machine take for a page with nothing in it. */
    const emptyPageMs = async (): Promise<number> => {
      const { page } = await browser.open(api);
      await page.goto(`${api.url}/healthz`);
      const ms = await page.evaluate<number>(untilIdle);
      await page.close();
      return ms;
    };

    const pages = [
      ['the sign-in', '/', () => ''],
      ['a kiosk', '/kiosk#x', () => ''],
      ['a guest page', '/guest/x', () => ''],
      ...(loads > 1 ? pagePaths.filter((path) => path !== '/kiosk') : largePages).map(
        (path) => [path, path, () => api.admin.cookie] as const,
      ),
    ] as const;
    test('every page fits the budget', async () => {
      const outside: unknown[] = [];
      for (const [name, path, cookieOf] of pages) {
        const times: number[] = [];
        const emptyTimes: number[] = [];
        let bytes = 0;
        for (let load = 0; load < loads; load += 1) {
          const first = await loadFirst(path, cookieOf());
          bytes = first.bytes;
          times.push(first.interactiveMs);
          if (loads > 1) emptyTimes.push(await emptyPageMs());
        }
        if (bytes < 100_000 || bytes > maxFirstLoadBytes) outside.push({ name, bytes });
        if (loads > 1) {
          const [ms, emptyMs] = [medianOf(times), medianOf(emptyTimes)];
          console.log(
            `${name}: ${String(bytes)} bytes; interactive after ${ms.toFixed(0)} ms, an empty page after ${emptyMs.toFixed(0)} ms`,
          );
        }
      }
      expect(outside).toEqual([]);
    });
  },
  { mayComplain: /status of 4\d\d/ },
);
