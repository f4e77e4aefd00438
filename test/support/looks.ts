import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findAccessibilityIssues, untilDrawn } from './pages.js';

const looks = [
  { colorScheme: 'light', width: 1440, rules: 'all' },
  { colorScheme: 'dark', width: 1440, rules: 'colours' },
  { colorScheme: 'light', width: 390, rules: 'all' },
  { colorScheme: 'dark', width: 320, rules: 'colours' },
] as const;

/** Texts of buttons and badges that do not fit. */
const findCut = `[...document.querySelectorAll('.mantine-Button-root, .mantine-Badge-root')]
  .filter((element) => element.offsetParent !== null)
  .flatMap((element) => [element, ...element.querySelectorAll('*')])
  .filter(({ scrollWidth, clientWidth, innerText }) => clientWidth > 0 && innerText && scrollWidth > clientWidth + 1)
  .map(({ innerText }) => 'is cut: ' + innerText)`;

/**
 * What is wrong with what a page shows, light and dark, on a desk, a phone and a small phone: for axe-core, too wide, or
 * cut. With SCREENSHOTS, pictures are kept in that folder.
 */
export const findIssuesInEveryLook = async (page: Page, name: string): Promise<string[]> => {
  const issues: string[] = [];
  const before = page.viewportSize();
  for (const { colorScheme, width, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await untilDrawn(page);
    const found = await findAccessibilityIssues(page, rules);
    found.push(...(await page.evaluate<string[]>(findCut)));
    const overflow = Number(await page.evaluate(`document.documentElement.scrollWidth - innerWidth`));
    if (overflow > 0) found.push(`is ${String(overflow)} pixels too wide`);
    const where = `${name}-${colorScheme}-${String(width)}`;
    issues.push(...found.map((issue) => `${where}: ${issue}`));
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${where}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
  return issues;
};
