import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import type { WebSchema } from '../../handlers/web/handler.js';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { changeUser, findAccessibilityIssues, openFollowing, waitForContent } from '../support/pages.js';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { signInNew, type Browser as SignedIn } from '../support/web.js';

/** The order of the profiles and their default, in a real browser: where they are set, and what the desk makes of them. */
describeInBrowser(
  'profiles decide',
  (browser) => {
    const api = withAdmin({ site: { name: 'Haus' } });
    let staff: SignedIn;
    let page: Page;
    const ids = new Map<string, number>();

    beforeAll(async () => {
      for (const [name, values] of Object.entries({
        Tag: { maxUses: 1, expireMinutes: 1440 },
        Tagung: { maxUses: 100, expireMinutes: 4320, down: 20_000, up: 5000, quotaMb: 1000 },
        Woche: { maxUses: 2, expireMinutes: 10_080 },
      })) {
        const added = await api.admin.post('/profiles', { name, ...values });
        ids.set(name, (added.body as { id: number }).id);
      }
      staff = await signInNew(api, api.admin, { name: 'Jonas Weber', role: 'staff', siteIds: [api.siteId] });
      ({ page } = await browser.open(api));
    });
    beforeEach(async () => {
      const order = ['Tag', 'Tagung', 'Woche'].map((name) => ids.get(name));
      await api.admin.put('/profile-order', { profileIds: order, revision: (await list()).revision });
      await api.admin.put('/default-profile', { profileId: null });
    });

    const list = async () => (await api.admin.get('/profiles')).body as WebSchema<'ProfileList'>;
    const storedNames = async () => (await list()).profiles.map(({ name }) => name);
    const open = async (cookie: string, path: string, width = 1440): Promise<void> => {
      await page.setViewportSize({ width, height: 900 });
      await changeUser(page, api.url, cookie);
      await openFollowing(page, api.url + path);
      await waitForContent(page);
    };
    const handle = (name: string) => page.getByRole('button', { name: new RegExp(`^„${name}“ verschieben`) });
    const shownNames = async () =>
      (await page.getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n')[0]);
    const shows = (...names: string[]) =>
      until('the order', async () => (await shownNames()).join() === names.join());
    const isStored = (...names: string[]) =>
      until('the stored order', async () => (await storedNames()).join() === names.join());
    /** Drags a profile to the upper edge of another. */
    const drag = async (name: string, before: string): Promise<void> => {
      const [from, to] = [await handle(name).boundingBox(), await handle(before).boundingBox()];
      if (!from || !to) throw new Error('there is no handle');
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(from.x + from.width / 2, from.y, { steps: 3 });
      await page.mouse.move(to.x + to.width / 2, to.y, { steps: 5 });
      await page.locator('tr[data-drop=before]').waitFor();
      await page.mouse.up();
    };

    test('a mouse drags a profile to another place, Escape leaves it, and the order is stored', async () => {
      await open(api.admin.cookie, '/profiles');
      await drag('Woche', 'Tag');
      await shows('Woche', 'Tag', 'Tagung');
      await isStored('Woche', 'Tag', 'Tagung');
      const box = await handle('Tagung').boundingBox();
      await page.mouse.move(box!.x + 10, box!.y + 10);
      await page.mouse.down();
      await page.mouse.move(box!.x + 10, box!.y - 200, { steps: 4 });
      await page.keyboard.press('Escape');
      await page.mouse.up();
      expect(await shownNames()).toEqual(['Woche', 'Tag', 'Tagung']);
      // What another administrator does is shown without a reload.
      const [day, conference, week] = ['Tag', 'Tagung', 'Woche'].map((name) => ids.get(name));
      const { revision } = await list();
      await api.admin.put('/profile-order', { profileIds: [conference, week, day], revision });
      await shows('Tagung', 'Woche', 'Tag');
    });

    test('a finger drags on a phone', async () => {
      await open(api.admin.cookie, '/profiles', 390);
      const [from, to] = [await handle('Tagung').boundingBox(), await handle('Tag').boundingBox()];
      const session = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: y === undefined ? [] : [{ x: from!.x + 15, y }],
        });
      await touch('touchStart', from!.y + 15);
      for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from!.y + (to!.y - from!.y) * part);
      await page.locator('tr[data-drop=before]').waitFor();
      await touch('touchEnd');
      await isStored('Tagung', 'Tag', 'Woche');
      await shows('Tagung', 'Tag', 'Woche');
    });

    test('the arrow keys move a profile, the handle keeps the focus, and the place is announced', async () => {
      await open(api.admin.cookie, '/profiles');
      await handle('Tag').focus();
      // Faster than the service answers: no move is lost.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.getByRole('status').getByText('„Tag“ ist jetzt auf Platz 3 von 3.').waitFor();
      await isStored('Tagung', 'Woche', 'Tag');
      // At the end there is nowhere to go.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.getByRole('status').getByText('„Tag“ ist jetzt auf Platz 2 von 3.').waitFor();
      await isStored('Tagung', 'Tag', 'Woche');
      expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe(
        '„Tag“ verschieben, Platz 2 von 3',
      );
    });

    test('the menu moves a profile, too, and makes it the default; a removed default leaves none', async () => {
      await open(api.admin.cookie, '/profiles');
      const act = async (name: string, item: string): Promise<void> => {
        await page.getByRole('button', { name: `Aktionen für ${name}`, exact: true }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await act('Woche', 'Nach oben');
      await isStored('Tag', 'Woche', 'Tagung');
      const extra = await api.admin.post('/profiles', { name: 'Extra', maxUses: 1, expireMinutes: 60 });
      expect(extra.status).toBe(201);
      await shows('Tag', 'Woche', 'Tagung', 'Extra');
      await act('Extra', 'Als Standard festlegen');
      await page.getByRole('rowheader', { name: /Extra/ }).getByText('Standard').waitFor();
      await act('Extra', 'Entfernen');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Es ist das Standardprofil').waitFor();
      await dialog.getByRole('textbox').fill('Extra');
      await dialog.getByRole('button', { name: 'Entfernen' }).click();
      await shows('Tag', 'Woche', 'Tagung');
      expect((await list()).profiles.some(({ isDefault }) => isDefault)).toBe(false);
    });

    test('an administrator whose list is out of date is told, and sees what is stored', async () => {
      await open(api.admin.cookie, '/profiles');
      const [day, conference, week] = ['Tag', 'Tagung', 'Woche'].map((name) => ids.get(name));
      // The other one is faster by a moment.
      const beFaster = async (route: Route): Promise<void> => {
        const { revision } = await list();
        await api.admin.put('/profile-order', { profileIds: [week, conference, day], revision });
        await route.continue();
      };
      await page.route('**/web/profile-order', beFaster, { times: 1 });
      await handle('Tag').press('ArrowDown');
      await page.getByText('Jemand anderes hat das inzwischen geändert.').waitFor();
      await shows('Woche', 'Tagung', 'Tag');
      expect(await storedNames()).toEqual(['Woche', 'Tagung', 'Tag']);
    });

    test('the desk shows time, sign-ins and limits in that order, and asks to choose without a default', async () => {
      await open(staff.cookie, '/desk');
      const chips = page.getByRole('group', { name: 'Wie lange und wie viel?' });
      expect((await chips.getByRole('radio').count()) > 3).toBe(true);
      expect(
        (await chips.locator('label').allInnerTexts()).map((text) => text.replaceAll('\u00A0', ' ')),
      ).toEqual([
        'Tag\n1 Tag · 1 Anmeldung',
        'Tagung\n3 Tage · 100 Anmeldungen\n↓ 20 Mbit/s · ↑ 5 Mbit/s · 1 GB',
        'Woche\n7 Tage · 2 Anmeldungen',
        'Eigene Werte\nfrei wählen',
      ]);
      expect(await chips.getByRole('radio', { checked: true }).count()).toBe(0);
      await page.getByLabel(/^Für wen/).fill('Zimmer 12');
      await page.keyboard.press('Enter');
      await page.getByText('Bitte wählen, wie lange und wie viel.').waitFor();
      expect(await findAccessibilityIssues(page, 'form')).toEqual([]);
      expect(await rowsOf(api, 'orders')).toEqual([]);
      // The focus is on the choice: a key chooses, Enter creates.
      await page.keyboard.press('ArrowDown');
      await page.getByText('Bitte wählen, wie lange und wie viel.').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.locator('h2.code').waitFor();
      const chosen = (await controllerVouchers(api, api.siteId)).at(-1);
      expect(chosen).toMatchObject({ expire_minutes: 4320 });
      // The next guest begins without a choice, until there is a default.
      await chips.getByRole('radio', { checked: true }).waitFor({ state: 'detached' });
      await api.admin.put('/default-profile', { profileId: ids.get('Woche') });
      await chips.getByRole('radio', { name: /Woche/, checked: true }).waitFor();
    });

    test('a new kiosk asks for its profile unless there is a default', async () => {
      await open(api.admin.cookie, '/kiosks?dialog=add');
      const dialog = page.getByRole('dialog');
      const add = { name: 'Kiosk hinzufügen' };
      await dialog.getByRole('button', { ...add, disabled: true }).waitFor();
      await api.admin.put('/default-profile', { profileId: ids.get('Woche') });
      await page.reload();
      await dialog.getByText('Woche', { exact: true }).first().waitFor();
      await dialog.getByRole('button', { ...add, disabled: false }).waitFor();
    });
  },
  { mayComplain: /status of 409/ },
);
