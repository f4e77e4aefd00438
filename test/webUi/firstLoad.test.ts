import { beforeAll, expect, test } from '@jest/globals';
import { pagePaths } from '../../src/pages/pagePaths.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { waitForContent } from '../support/pages.js';
import { preloadMs } from '../../web/src/lib/preload.ts';

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

/** `npm run soak -- first-load` prints the figures, of several loads. */
const loads = process.env['SHOW_FIRST_LOAD'] ? 5 : 1;
const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

describeInBrowser(
  'what a browser loads at first',
  (browser) => {
    const api = withAdmin();
    let cookie: string;
    beforeAll(async () => {
      ({ cookie } = api.admin);
    });

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

    test.each([
      ['the sign-in', '/', () => ''],
      ['a kiosk', '/kiosk#x', () => ''],
      ['a guest page', '/guest/x', () => ''],
      ...pagePaths.filter((path) => path !== '/kiosk').map((path) => [path, path, () => cookie] as const),
    ])('%s fits the budget', async (name, path, cookieOf) => {
      const times: number[] = [];
      const emptyTimes: number[] = [];
      let bytes = 0;
      for (let load = 0; load < loads; load += 1) {
        const first = await loadFirst(path, cookieOf());
        bytes = first.bytes;
        times.push(first.interactiveMs);
        if (loads > 1) emptyTimes.push(await emptyPageMs());
      }
      expect(bytes).toBeGreaterThan(100_000);
      expect(bytes).toBeLessThanOrEqual(maxFirstLoadBytes);
      if (loads > 1) {
        const [ms, emptyMs] = [medianOf(times), medianOf(emptyTimes)];
        console.log(
          `${name}: ${String(bytes)} bytes; interactive after ${ms.toFixed(0)} ms, an empty page after ${emptyMs.toFixed(0)} ms`,
        );
      }
    });
  },
  { mayComplain: /status of 4\d\d/ },
);
