import type { Page, Request } from 'playwright-core';
import { findFaultyControls } from './controls.js';
import { findAccessibilityIssues, goTo, untilDrawn, waitForContent } from './pages.js';

/** What lies over a page. */
const overlays = '[role=dialog], [role=menu], [role=listbox]';

/**
 * What can open something: buttons and lists to choose from. Of rows and cards that are built alike, the first two: the
 * second may offer what the first does not.
 */
const openersIn = (parts: string): string => `(() => {
  const seen = new Map();
  return [...document.querySelectorAll('${parts}')].flatMap((part) =>
    [...part.querySelectorAll('button, input[aria-haspopup=listbox]')]).filter((element) => {
    if (element.getClientRects().length === 0 || element.disabled || element.type === 'submit') return false;
    const chain = [];
    for (let part = element; part && part.id !== 'content'; part = part.parentElement) chain.push(part.tagName);
    const isInRow = element.closest('tr, li, [role=listitem], [role=row], article') !== null;
    const own = isInRow
      ? [...element.parentElement.children].indexOf(element)
      : [element.innerText, element.ariaLabel, element.labels?.[0]?.innerText].join();
    const shape = chain.join('<') + own;
    seen.set(shape, (seen.get(shape) ?? 0) + 1);
    // By which it is found again when others have come before it.
    element.openerKey = shape + '#' + seen.get(shape);
    return seen.get(shape) <= (isInRow ? 2 : 1);
  });
})()`;

const nameOf = `(element) => (element.innerText || element.ariaLabel || element.labels?.[0]?.innerText || '').trim().replaceAll('\\n', ' ').slice(0, 40)`;

/** More of one page would be one that always offers something new. */
const maxOpeners = 100;

/** Closes a dialog, or keeps it open. */
const isClosing = /^(Abbrechen|Schließen|Fertig)$/;
/** Leaves the page, or signs out. */
const isLeaving = /^(Abmelden|API-Referenz|Mein Konto)$/;
/** In its own language. */
const isLanguage = /^(Deutsch|English|Français|Italiano|Español|Nederlands)$/;

/** A look at a page and at everything that its buttons open. */
export interface PageTour {
  /** What is wrong with what is shown. */
  look(where: string, scope?: string): Promise<string[]>;
  /** Opens everything that can be opened. `opened` names what was. */
  openAll(path: string, parts: string): Promise<{ issues: string[]; opened: string[] }>;
  /** Waits until nothing is loading and the page has been drawn. */
  settle(): Promise<void>;
}

/** Prepares a page for tours: from now on, no request that could change something leaves the browser. */
export const prepareTour = async (page: Page): Promise<PageTour> => {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    // Events never end.
    if (!request.url().endsWith('/events')) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  await page.route('**/web/**', (route) =>
    ['GET', 'HEAD'].includes(route.request().method()) ? route.fallback() : route.abort(),
  );

  const settle: PageTour['settle'] = async () => {
    // The browser tells of a request a moment after it was made.
    let quiet = 0;
    do {
      await untilDrawn(page);
      quiet = pending.size === 0 ? quiet + 1 : 0;
    } while (quiet < 3);
    await waitForContent(page);
  };

  /** A dialog that stands in the address may still be loading. */
  const settleDialog = async (): Promise<void> => {
    await settle();
    if (new URL(page.url()).searchParams.has('dialog')) await page.getByRole('dialog').first().waitFor();
    await settle();
  };

  const look: PageTour['look'] = async (where, scope) => {
    const found = await findFaultyControls(page, scope);
    // Lists to choose from are Mantine's own.
    if (scope !== '[role=listbox]') found.push(...(await findAccessibilityIssues(page, scope)));
    return found.map((issue) => `${where}: ${issue}`);
  };

  /** The role of what is open. */
  const openRole = (): Promise<string | null> =>
    page.evaluate<string | null>(
      `[...document.querySelectorAll('${overlays}')].filter((one) => one.checkVisibility()).at(-1)?.role ?? null`,
    );
  const countOpen = (): Promise<number> =>
    page.evaluate<number>(
      `[...document.querySelectorAll('${overlays}')].filter((one) => one.checkVisibility()).length`,
    );
  /** Closes what is open, up to so many. */
  const close = async (remaining = 0): Promise<void> => {
    for (let open = await countOpen(), left = 4; open > remaining && left > 0; left -= 1) {
      await page.keyboard.press('Escape');
      const before = open;
      // The address changes with a dialog, and that takes a moment.
      for (let frames = 10; frames > 0 && open === before; frames -= 1) {
        await settle();
        open = await countOpen();
      }
    }
  };

  interface Opener {
    readonly key: string;
    readonly name: string;
  }
  const listOpeners = (parts: string): Promise<Opener[]> =>
    page.evaluate<Opener[]>(
      `${openersIn(parts)}.map((element) => ({ key: element.openerKey, name: (${nameOf})(element) }))`,
    );
  const pressIn = async (parts: string, { key }: Opener): Promise<void> => {
    await page.evaluate(
      `(() => { const one = ${openersIn(parts)}.find(({ openerKey }) => openerKey === ${JSON.stringify(key)}); one?.focus(); one?.click(); })()`,
    );
    await settleDialog();
  };

  const openAll: PageTour['openAll'] = async (path, parts) => {
    const issues: string[] = [];
    const opened: string[] = [];
    const seenItems = new Set<string>();
    const seenInDialogs = new Set<string>();
    const press = (opener: Opener): Promise<void> => pressIn(parts, opener);
    /** What lies in a dialog, each once for a page. */
    const openInDialog = async (where: string, reopen: () => Promise<void>): Promise<void> => {
      for (const opener of await listOpeners('[role=dialog]')) {
        const { name } = opener;
        if (name === '' || isClosing.test(name) || seenInDialogs.has(name)) continue;
        seenInDialogs.add(name);
        if ((await countOpen()) === 0) await reopen();
        const before = await countOpen();
        await pressIn('[role=dialog]', opener);
        if ((await countOpen()) > before) {
          opened.push(`${where} > ${name}`);
          issues.push(...(await look(`${where} > ${name}`, `[role=${String(await openRole())}]`)));
          await close(before);
        }
      }
    };
    /** A dialog, each of its tabs, and what lies in it. */
    const lookAtDialog = async (where: string, reopen: () => Promise<void>): Promise<void> => {
      opened.push(where);
      const tabs = page.locator('[role=dialog] [role=tab]');
      const count = await tabs.count();
      for (let tab = 0; tab < Math.max(count, 1); tab += 1) {
        if (tab > 0) {
          await tabs.nth(tab).press('Enter');
          await settle();
        }
        issues.push(...(await look(tab > 0 ? `${where} > ${String(tab)}` : where, '[role=dialog]')));
      }
      await openInDialog(where, reopen);
    };
    const pressed = new Set<string>();
    while (pressed.size < maxOpeners) {
      // Anew each time: what was pressed may have brought others.
      const opener = (await listOpeners(parts)).find(({ key }) => !pressed.has(key));
      if (!opener) break;
      pressed.add(opener.key);
      const { name } = opener;
      const where = `${path} > ${name}`;
      await press(opener);
      const role = await openRole();
      if (role === 'dialog') await lookAtDialog(where, () => press(opener));
      else if (role !== null) {
        opened.push(where);
        const labels = await page
          .locator(`[role=${role}] :is([role=menuitem], [role=option])`)
          .allInnerTexts();
        // The menus of rows are alike.
        if (role !== 'menu' || labels.some((label) => !seenItems.has(label)))
          issues.push(...(await look(where, `[role=${role}]`)));
      }
      if (role === 'menu') {
        const items = await page.locator('[role=menuitem]:not([data-disabled])').allInnerTexts();
        for (const [item, label] of items.entries()) {
          if (seenItems.has(label) || isLeaving.test(label) || isLanguage.test(label)) continue;
          seenItems.add(label);
          const choose = async (): Promise<void> => {
            if ((await openRole()) === null) await press(opener);
            // By a key: what tells of a failed request may lie over it.
            await page.locator('[role=menuitem]:not([data-disabled])').nth(item).press('Enter');
            await settleDialog();
          };
          await choose();
          if ((await openRole()) === 'dialog') await lookAtDialog(`${where} > ${label}`, choose);
          await close();
        }
      }
      await close();
      if (new URL(page.url()).pathname !== path) {
        await goTo(page, path);
        await settle();
      }
    }
    return { issues, opened };
  };
  return { look, openAll, settle };
};
