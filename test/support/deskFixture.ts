import { beforeAll, beforeEach, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { withAdmin, type Api } from './api.js';
import type { TestBrowser } from './browser.js';
import { changeUser, openFollowing } from './pages.js';
import { controllerVouchers } from './serviceInternals.js';
import { until } from './until.js';
import { signInNew, type Browser as SignedIn } from './web.js';

/** A service with a site and two profiles, staff of it, and the front desk in a browser, in English. */
export interface DeskFixture {
  readonly api: Api;
  staff(): SignedIn;
  /** Somebody who also has a site, Annexe, whose controller refuses. */
  staffOfTwo(): SignedIn;
  /** The tab of all tests, in which nobody is signed in before `goToDesk`. The functions below are about it. */
  page(): Page;
  /** Signs in, with the session of somebody else if one is given, and opens the front desk. */
  goToDesk(cookie?: string): Promise<void>;
  nameField(): Locator;
  result(): Locator;
  /** The code of the result, without its dash, as soon as it is there. */
  codeShown(): Promise<string>;
  /** The names of vouchers on the controller that end with this one. */
  namesMade(name: string): Promise<string[]>;
  /** Waits until the service knows an order. */
  orderOf(name: string): Promise<unknown>;
  /**
   * Goes on in a tab of its own, in which the answers to orders are held back until `letGo()` is called in the page, or
   * the first one is lost. Either way the service has created what was ordered.
   */
  tamper(how: 'hold' | 'lose'): Promise<Page>;
}

export const withDesk = (browser: TestBrowser): DeskFixture => {
  const api = withAdmin({ site: {} });
  let staff: SignedIn;
  let staffOfTwo: SignedIn;
  let shared: Page;
  let page: Page;

  beforeAll(async () => {
    const dayGuest = await api.admin.post('/profiles', {
      name: 'Day guest',
      maxUses: 1,
      expireMinutes: 1440,
    });
    const { id: defaultProfileId } = dayGuest.body as { id: number };
    const change = { ssid: 'Gäste', slipText: 'Willkommen!', defaultProfileId };
    expect(await api.admin.patch(`/sites/${String(api.siteId)}`, change)).toMatchObject({ status: 200 });
    await api.admin.put('/default-profile', { profileId: defaultProfileId });
    await api.admin.post('/profiles', { name: 'Conference', maxUses: 100, expireMinutes: 4320 });
    staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
    const refusing = await api.addSite({ name: 'Annexe', fault: 'refuse' });
    const siteIds = [api.siteId, refusing];
    staffOfTwo = await signInNew(api, api.admin, { name: 'Mira Öztürk', role: 'staff', siteIds });
    ({ page: shared } = await browser.open(api, { language: 'en' }));
  });
  beforeEach(() => {
    page = shared;
  });

  const nameField = (): Locator => page.getByLabel('For whom?');
  const result = (): Locator => page.getByRole('region', { name: 'Result' });
  return {
    api,
    staff: () => staff,
    staffOfTwo: () => staffOfTwo,
    page: () => page,
    goToDesk: async (cookie = staff.cookie) => {
      await changeUser(page, api.url, cookie);
      await openFollowing(page, `${api.url}/desk`);
      await nameField().waitFor();
    },
    nameField,
    result,
    codeShown: async () => {
      const code = result().getByRole('heading');
      await code.getByText(/^\d{5}-\d{5}$/).waitFor();
      return (await code.innerText()).replace('-', '');
    },
    namesMade: async (name) =>
      (await controllerVouchers(api, api.siteId))
        .map((row) => String(row['name']))
        .filter((n) => n.endsWith(name)),
    orderOf: (name) => until('the order', async () => (await staff.get('/orders')).text.includes(name)),
    tamper: async (how) => {
      ({ page } = await browser.open(api, { language: 'en' }));
      await page.addInitScript(`
    const { fetch } = window;
    const held = new Promise((resolve) => { window.letGo = resolve; });
    let isFirst = true;
    window.fetch = async (request) => {
      const answer = await fetch(request);
      if (request.method !== 'PUT' || !request.url.includes('/web/orders/')) return answer;
      if ('${how}' === 'hold') await held;
      else if (isFirst) {
        isFirst = false;
        throw new TypeError('lost');
      }
      return answer;
    };`);
      return page;
    },
  };
};
