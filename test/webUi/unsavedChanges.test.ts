import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withAdmin } from '../support/api.js';
import { describeInBrowser } from '../support/browser.js';
import { findAccessibilityIssues, openFollowing, untilValue, waitForContent } from '../support/pages.js';
import { addSite } from '../support/records.js';

describeInBrowser(
  'unsaved changes',
  (browser) => {
    const api = withAdmin();
    let siteId: number;
    let page: Page;
    beforeAll(async () => {
      await api.admin.put('/account/language', { language: 'en' });
      ({ siteId } = await addSite(api.tables, 'Seaside'));
      ({ page } = await browser.open(api, { cookie: api.admin.cookie, language: 'en' }));
    });
    /** Opens a page by its link, so that Back is a step within the pages. */
    const open = async (link: string): Promise<void> => {
      // Loaded anew: what the last test has typed is gone.
      await openFollowing(page, `${api.url}/profiles`);
      await waitForContent(page);
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { name: link, level: 1 }).waitFor();
      await waitForContent(page);
    };
    const question = () => page.getByRole('dialog', { name: 'Discard your changes?' });
    const answer = async (name: 'Keep editing' | 'Discard'): Promise<void> => {
      await question().getByRole('button', { name }).click();
      await question().waitFor({ state: 'detached' });
    };

    test.each([
      ['E-mail', 'Mail server'],
      ['SMS', 'Sender'],
      ['Branding', 'Title'],
    ])('%s is left by a link and by Back only after a question', async (name, label) => {
      await open(name);
      const address = page.url();
      const field = page.getByLabel(label).first();
      const elsewhere = page.getByRole('link', { name: 'Profiles', exact: true });
      await field.fill('mine');
      await elsewhere.click();
      await question().waitFor();
      if (name === 'E-mail') expect(await findAccessibilityIssues(page)).toEqual([]);
      await answer('Keep editing');
      expect(await field.inputValue()).toBe('mine');
      await page.goBack();
      await answer('Keep editing');
      await page.waitForURL(({ href }) => href === address);
      expect(await field.inputValue()).toBe('mine');
      await elsewhere.click();
      await answer('Discard');
      await page.getByRole('heading', { name: 'Profiles', level: 1 }).waitFor();
    });

    test('what was saved is left at once', async () => {
      await open('Branding');
      await page.getByLabel('Title').fill('Hotel');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The branding is saved.').waitFor();
      // The form begins anew, and the button still has the focus.
      await page.getByRole('button', { name: 'Save' }).and(page.locator(':focus')).waitFor();
      await page.getByRole('link', { name: 'Profiles', exact: true }).click();
      await page.getByRole('heading', { name: 'Profiles', level: 1 }).waitFor();
    });

    test.each([
      ['single sign-on', 'Users', 'Set up', 'Client ID', 'Cancel'],
      ['own texts', 'Sites', 'Texts for all sites', 'Heading', 'Cancel'],
    ])(
      'the dialog of %s is closed by its cross, by its button and by Back only after a question',
      async (_name, link, opener, label, button) => {
        await open(link);
        const address = page.url();
        const begin = async () => {
          await page.getByRole('button', { name: opener }).click();
          await page.getByLabel(label, { exact: false }).first().fill('mine');
        };
        await begin();
        const field = page.getByLabel(label, { exact: false }).first();
        await page.getByRole('button', { name: 'Close', exact: true }).click();
        await answer('Keep editing');
        await page.goBack();
        await answer('Keep editing');
        expect(await field.inputValue()).toBe('mine');
        await page.goBack();
        await answer('Discard');
        await field.waitFor({ state: 'detached' });
        await begin();
        await page.getByRole('button', { name: button, exact: true }).click();
        await answer('Keep editing');
        expect(await field.inputValue()).toBe('mine');
        await page.getByRole('button', { name: button, exact: true }).click();
        await answer('Discard');
        await field.waitFor({ state: 'detached' });
        await page.waitForURL(({ href }) => href === address);
      },
    );

    test('own texts that are as they were are closed unasked, whatever was looked at', async () => {
      await open('Sites');
      await page.getByRole('button', { name: 'Texts for all sites' }).click();
      const dialog = page.getByRole('dialog');
      const language = dialog.getByLabel('Language of the guest');
      // The first field has the focus, and not the button that would close the dialog.
      await language.and(page.locator(':focus')).waitFor();
      await language.selectOption('Français');
      const heading = dialog.getByRole('textbox', { name: 'Heading' });
      await heading.fill('mine');
      await heading.fill('');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await question().count()).toBe(0);
    });

    test('each own text shows what stands there without it, for kiosks, too', async () => {
      await api.admin.patch(`/sites/${String(siteId)}`, { slipText: 'See you at breakfast' });
      await api.admin.patch('/texts/0', { texts: { en: { kioskText: 'Free for our guests' } } });
      await openFollowing(page, `${api.url}/sites?dialog=texts&id=${String(siteId)}`);
      const dialog = page.getByRole('dialog');
      const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
      const untilStandard = (name: string, text: string) =>
        field(name)
          .and(dialog.getByPlaceholder(text, { exact: true }))
          .waitFor();
      await untilStandard('Text at the end', 'See you at breakfast');
      await dialog.getByText('In this language, it replaces the “Text on slips” of the site.').waitFor();
      await field('Text at the end').fill('Mine');
      await dialog.getByText('E-mail', { exact: true }).click();
      // E-mails end as slips do.
      await untilStandard('Text at the end', 'Mine');
      await dialog.getByText('SMS', { exact: true }).click();
      await dialog.getByPlaceholder('Otherwise, there is nothing here.').waitFor();
      await dialog.getByText('Kiosk', { exact: true }).click();
      await untilStandard('Heading', 'Wi-Fi for guests');
      await untilStandard('Text below it', 'Free for our guests');
      await untilStandard('Text below the code', 'See you at breakfast');
      const preview = page.getByRole('group', { name: /Preview/ });
      await preview.getByText('Wi-Fi for guests').waitFor();
      await preview.getByText('Free for our guests').waitFor();
      await dialog.getByLabel('Language of the guest').selectOption('Čeština');
      await field('Heading').and(dialog.getByPlaceholder('Wi-Fi for guests')).waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Edit the standard text: Heading' }).click();
      expect(await field('Heading').inputValue()).toMatch(/Wi-Fi/);
      expect(await findAccessibilityIssues(page)).toEqual([]);
    });

    test('a form keeps what is typed when somebody else saves, says so, and lets the person choose', async () => {
      await open('Branding');
      const title = page.getByLabel('Title');
      const save = (value: string) => api.admin.put('/branding', { title: value, colour: null });
      // Nothing is typed: it follows.
      await save('Theirs 1');
      await page.locator('input[value="Theirs 1"]').waitFor();
      await title.fill('Mine');
      await save('Theirs 2');
      const notice = page.getByText('Somebody else has just saved other values here.');
      await notice.waitFor();
      expect(await title.inputValue()).toBe('Mine');
      expect(await findAccessibilityIssues(page)).toEqual([]);
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await notice.waitFor({ state: 'detached' });
      expect(await title.inputValue()).toBe('Mine');
      await save('Theirs 3');
      await notice.waitFor();
      await page.getByRole('button', { name: 'Use the saved values' }).click();
      await notice.waitFor({ state: 'detached' });
      await untilValue(title, 'Theirs 3');
      await title.fill('Mine after all');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The branding is saved.').waitFor();
      expect(await notice.count()).toBe(0);
      expect((await api.admin.get('/branding')).body).toMatchObject({ title: 'Mine after all' });
    });

    test('a text that two administrators change is shown to the second one, who chooses', async () => {
      const path = `/texts/${String(siteId)}`;
      await openFollowing(page, `${api.url}/sites?dialog=texts&id=${String(siteId)}`);
      const heading = page.getByRole('textbox', { name: 'Heading' });
      const theirs = async (texts: object) =>
        expect((await api.admin.patch(path, { texts: { en: texts } })).status).toBe(204);
      await heading.fill('Mine');
      await theirs({ slipHeading: 'Theirs', slipText: 'Another text' });
      const notice = page.getByText('Somebody else has changed this text in the meantime');
      await notice.waitFor();
      // Where one looks: above the texts, and not below all of them.
      expect((await notice.boundingBox())!.y).toBeLessThan((await heading.boundingBox())!.y);
      expect(await findAccessibilityIssues(page)).toEqual([]);
      await page.getByRole('button', { name: 'Use theirs' }).click();
      await notice.waitFor({ state: 'detached' });
      await untilValue(heading, 'Theirs');
      await heading.fill('Mine again');
      await theirs({ slipHeading: 'Theirs again' });
      await notice.waitFor();
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await notice.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect((await api.admin.get(path)).body).toMatchObject({
        texts: { en: { slipHeading: 'Mine again', slipText: 'Another text' } },
      });
    });

    test('a tab with unsaved changes is closed only after the question of the browser, and without them at once', async () => {
      await open('E-mail');
      let asked = 0;
      page.on('dialog', (dialog) => (asked += dialog.type() === 'beforeunload' ? 1 : 0));
      await page.goto(page.url());
      await waitForContent(page);
      expect(asked).toBe(0);
      // A browser asks only where somebody has typed or clicked.
      await page.getByLabel('Mail server').first().pressSequentially('mail');
      await page.goto(`${api.url}/profiles`);
      await waitForContent(page);
      expect(asked).toBe(1);
    });
  },
  { mayComplain: /status of 4\d\d/ },
);
