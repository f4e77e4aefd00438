import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { nodeSystem } from '../../src/lib/system.js';
import type { Tables } from '../../src/app/tables.js';
import type { TestService } from './service.js';
import { someRecord, someVoucher } from './records.js';
import { until } from './until.js';
import { signInNew, type Browser as SignedIn } from './web.js';

/** A page in a real browser, and everything that is wrong with it. */
export interface OpenedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page complained of, and whom it asked beside the service. */
  readonly complaints: string[];
}

export interface OpenOptions {
  /** As the service set it. */
  readonly cookie?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  /** Of the browser. */
  readonly language?: string;
}

/** What each page is reading. When it reads nothing, it shows no more what it had read before. */
const runningReads = new WeakMap<Page, Set<Request>>();

const followReads = (page: Page): void => {
  const running = new Set<Request>();
  runningReads.set(page, running);
  const end = (request: Request): void => void running.delete(request);
  page.on('request', (request) => {
    // A load gives up what the document before it was reading.
    if (request.isNavigationRequest()) running.clear();
    // The events go on for as long as the page is open.
    const isRead = request.method() === 'GET' && request.resourceType() === 'fetch';
    if (isRead && !request.url().endsWith('/web/events')) running.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
};

/** Makes a tab somebody else's from its next load on, without what it had stored. `cookie` is as the service set it. */
export const changeUser = async (page: Page, url: string, cookie: string): Promise<void> => {
  // Of this origin, and without a script that would store anything again.
  await page.goto(`${url}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  const [name, value] = cookie.split('=');
  if (name && value) await page.context().addCookies([{ name, value, url }]);
};

/** Opens a tab, with a session or without. */
export const openTab = async (
  browser: Browser,
  { url }: Pick<TestService, 'url'>,
  { cookie = '', colorScheme = 'light', width = 1440, language = 'de' }: OpenOptions = {},
): Promise<OpenedPage> => {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: 900 },
    locale: language,
    reducedMotion: 'reduce',
    // Where a test has TLS, it has made the certificate itself.
    ignoreHTTPSErrors: true,
  });
  // Only to end a test that waits for what does not come: a busy machine may take ten times as long as an idle one.
  context.setDefaultTimeout(120_000);
  const [name, value] = cookie.split('=');
  if (name && value) await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    // A test that leaves a form in the middle means to.
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !asked.startsWith('data:')) complaints.push(`asked ${asked}`);
  });
  followReads(page);
  return { context, page, complaints };
};

/** Opens a page of somebody who is signed in, and waits until it hears of changes. */
export const openFollowing = async (page: Page, address: string): Promise<void> => {
  const followed = page.waitForResponse((response) => response.url().endsWith('/web/events'));
  await page.goto(address);
  await followed;
};

/** Waits until a page shows what it has to show: its data is there, and nothing is loading. */
export const waitForContent = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor();
  // Not by a function: where that has to wait, it is evaluated in the page, whose policy forbids it.
  await page
    .locator('[aria-busy="true"], [data-waiting], .mantine-Skeleton-root')
    .first()
    .waitFor({ state: 'detached' });
};

/**
 * Shows another page of the same service and user, as a link in it does. Loading it takes five times the processor time,
 * so that is for tests of what a load brings: other cookies, and what no event tells of.
 */
export const goTo = async (page: Page, address: string): Promise<void> => {
  const isSame = new URL(address, page.url()).pathname === new URL(page.url()).pathname;
  // What is shown goes when the new page has come.
  if (!isSame)
    await page.evaluate(`for (const one of document.querySelectorAll('h1')) one.dataset.left = ''`);
  // With its place in the history, as the router notes it: by that it knows Back from Forward.
  const state = '{ __TSR_index: (history.state?.__TSR_index ?? 0) + 1 }';
  await page.evaluate(`history.pushState(${state}, '', ${JSON.stringify(address)})`);
  await page.locator('h1:not([data-left])').first().waitFor();
  // It shows what it had read on an earlier visit, until it has read it again.
  await untilDrawn(page);
  await until('a page that reads nothing', () => runningReads.get(page)?.size === 0);
  await waitForContent(page);
};

/** Waits until the page was drawn: a page follows its size and colours when the browser draws the next frame. */
export const untilDrawn = async (page: Page): Promise<void> => {
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))',
  );
};

/** Waits until a field has a value, which pages fill in when they are drawn again. */
export const untilValue = (field: Locator, value: string): Promise<true> =>
  until(`a field with "${value}"`, async () => (await field.inputValue()) === value);

/** Waits until the tab has a title, which pages set after they are drawn. */
export const untilTitle = (page: Page, title: string): Promise<true> =>
  until(`the title "${title}"`, async () => (await page.title()) === title);

/**
 * Opens a page again in the same tab. Not by a reload: on a busy machine, one in a hundred leaves Chromium without a frame
 * of this page for good, and every click waits for frames.
 */
export const openAgain = async (page: Page): Promise<void> => {
  const url = page.url();
  await page.goto('about:blank');
  await page.goto(url);
};

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const options = JSON.stringify({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
  resultTypes: ['violations'],
  // No script runs in the frames of the pages, so axe can't look into them, and the browser complains of its trying.
  iframes: false,
});

/** What axe-core finds wrong by WCAG 2.1 AA, a line each. */
export const findAccessibilityIssues = async (
  page: Page,
  /** A part of the page, by its selector. Less to look at takes less time. */
  scope?: string,
): Promise<string[]> => {
  // By the debugger, because the policy of the pages allows no script from elsewhere.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axeSource);
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${scope === undefined ? 'document' : JSON.stringify(scope)}, ${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')}: ${html.slice(0, 160)}`),
  );
};

const dayMs = 86_400_000;

const addVouchers = async (tables: Tables, siteId: number, controllerId: number, name: string) => {
  const now = nodeSystem.now();
  const records = Array.from({ length: 29 }, (_, day) =>
    Array.from({ length: (day * 7 + siteId * 5) % 9 }, (__, index) => {
      const createdAt = now - day * dayMs - index * 3_600_000;
      const used = (day + index) % 3 > 0;
      return someRecord(
        { siteId, controllerId },
        {
          voucher: someVoucher({
            createdAt,
            usedCount: used ? 1 : 0,
            status: day > 0 ? 'expired' : used ? 'used' : 'valid',
          }),
          notification: {
            type: 'voucher.created',
            id: nodeSystem.randomBytes(8).toString('hex'),
            count: 1,
            site: name,
            source: 'API: Buchungssystem',
            createdAt,
          },
        },
      );
    }),
  ).flat();
  await Promise.all(records.map((record) => tables.vouchers.record(record)));
};

/**
 * Fills a service with what an ordinary one has, so that every page has something to show. Every text that somebody
 * could have typed ends with `suffix`.
 */
export const furnish = async (service: TestService, admin: SignedIn, suffix = ''): Promise<void> => {
  const { tables } = service.app;
  const furnished = [
    ['Zentrale', 'Hauptgebäude', 'Nebengebäude'],
    ['Seehaus', 'Gästehaus am See'],
  ] as const;
  for (const [controller, ...names] of furnished) {
    const added = await admin.post('/controllers', { name: controller + suffix, kind: 'simulated' });
    const { id } = added.body as { id: number };
    const sites = names.map((name) => ({ name: name + suffix, controllerSite: name }));
    await admin.post(`/controllers/${String(id)}/sites`, { sites });
  }
  const all = await tables.sites.all();
  for (const { id, name, controllerId } of all) {
    await addVouchers(tables, id, controllerId, name);
    await admin.patch(`/sites/${String(id)}`, {
      ssid: suffix === '' ? 'Gäste' : suffix.slice(0, 32),
      slipText: `Willkommen!${suffix}`,
    });
  }
  const sites = all.map(({ id }) => id);
  for (const [name, scope] of [
    ['Buchungssystem', 'write'],
    ['Anzeigetafel', 'read'],
  ])
    await admin.post('/keys', { name: `${String(name)}${suffix}`, scope, rateLimit: 60 });
  await signInNew(service, admin, {
    name: `Jonas Weber${suffix}`,
    role: 'staff',
    siteIds: sites.slice(0, 2),
  });
  await signInNew(service, admin, { name: `Mira Öztürk${suffix}`, role: 'admin' });
  const dayGuest = await admin.post('/profiles', {
    name: `Tagesgast${suffix}`,
    maxUses: 1,
    expireMinutes: 1440,
    down: 20_000,
    up: 5000,
  });
  await admin.put('/default-profile', { profileId: (dayGuest.body as { id: number }).id });
  await admin.post('/profiles', {
    name: `Tagung${suffix}`,
    maxUses: 100,
    expireMinutes: 4320,
    siteIds: sites.slice(0, 1),
  });
  await admin.post('/printers', {
    name: `Theke${suffix}`,
    // Nobody listens there: tests talk to nobody else.
    host: '127.0.0.1',
    port: 9,
    paper: '80mm',
    siteIds: null,
  });
  // A host that can not exist.
  const address = 'https://chat.example.invalid/hooks/xxxx';
  await admin.post('/webhooks', { name: `Empfang${suffix}`, format: 'mattermost', language: 'de', address });
};
