import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from '../../scripts/tasks/browser.mjs';
import { sharedEnds } from '../setup/native/sharedEnds.mjs';
import { openTab, type OpenedPage, type OpenOptions } from './pages.js';
import type { TestService } from './service.js';

/** Nothing that looks for updates or other hosts; and root, as in a container, has no sandbox. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * The list of Playwright, which this one replaces; the suggestions below the address bar, because Chromium loads two pages
 * of its own for them with each tab, which takes a third of its processor time; and the process that it keeps ready for
 * the next page, which a tab with its own storage never uses.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
];

const startBrowser = async (): Promise<Browser> => {
  const executablePath = await findBrowser();
  if (!executablePath) throw new Error('there is no Chromium: install one, or name it in CHROMIUM');
  const args = [...quiet, `--disable-features=${disabledFeatures.join(',')}`];
  return chromium.launch({ executablePath, args });
};

let shared: Promise<Browser> | undefined;

/** A real browser without a window, started once for all files of this process. Who opens pages closes them. */
export const shareBrowser = async (): Promise<Browser> => {
  if ((await shared)?.isConnected() !== true) {
    shared = startBrowser();
    const browser = await shared;
    sharedEnds.push(() => browser.close());
  }
  return shared!;
};

/** A browser for all tests of a block. */
export interface TestBrowser {
  /**
   * Opens a tab. It is closed after the test, or after all tests when it was opened before them. What it complains of
   * fails the test.
   */
  open(service: Pick<TestService, 'url'>, options?: OpenOptions): Promise<OpenedPage>;
}

interface BrowserBlockOptions {
  /** The browser itself tells of every answer that is an error: those that the tests are about. */
  readonly mayComplain?: RegExp;
}

const isThere = (await findBrowser()) !== undefined;

/** Tests in a real browser. Where there is no Chromium and none could be installed, they are reported as skipped. */
export const describeInBrowser = (
  name: string,
  define: (browser: TestBrowser) => void,
  { mayComplain }: BrowserBlockOptions = {},
): void =>
  (isThere ? describe : describe.skip)(name, () => {
    let browser: Browser | undefined;
    let isInTest = false;
    const tabs = new Map<OpenedPage, 'of the test' | 'of the block'>();
    beforeAll(async () => {
      browser = await shareBrowser();
    });
    // Before the hooks of the block itself, which stop what the tabs are connected to.
    afterAll(async () => {
      for (const tab of tabs.keys()) await tab.context.close();
    });
    beforeEach(() => {
      isInTest = true;
    });
    define({
      open: async (service, options) => {
        if (!browser) throw new Error('the browser runs only in hooks and tests');
        const opened = await openTab(browser, service, options);
        tabs.set(opened, isInTest ? 'of the test' : 'of the block');
        return opened;
      },
    });
    // After those of the block itself, which may still use its tabs.
    afterEach(async () => {
      isInTest = false;
      const complaints: string[] = [];
      for (const [tab, whose] of tabs) {
        complaints.push(...tab.complaints.splice(0));
        if (whose === 'of the block') continue;
        tabs.delete(tab);
        await tab.context.close();
      }
      expect(complaints.filter((complaint) => mayComplain?.test(complaint) !== true)).toEqual([]);
    });
  });
