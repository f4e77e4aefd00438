import type { Page } from 'playwright-core';
import { findAccessibilityIssues, untilDrawn } from './pages.js';

/** Each width and each colour scheme once; on the narrowest phone only what does not fit. */
const looks = [
  { colorScheme: 'light', width: 1440, isAsked: true },
  { colorScheme: 'dark', width: 390, isAsked: true },
  { colorScheme: 'dark', width: 320, isAsked: false },
] as const;

/** Texts of buttons and badges that do not fit, and a page that is scrolled sideways. */
const findCut = `[...document.querySelectorAll('.mantine-Button-root, .mantine-Badge-root')]
  .filter((element) => element.offsetParent !== null)
  .flatMap((element) => [element, ...element.querySelectorAll('*')])
  .filter(({ scrollWidth, clientWidth, innerText }) => clientWidth > 0 && innerText && scrollWidth > clientWidth + 1)
  .map(({ innerText }) => 'is cut: ' + innerText)
  .concat([...document.querySelectorAll('html, main, [role=dialog]')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, role }) => 'is too wide: ' + (role ?? tagName)))`;

/** What is wrong with what a page shows, light and dark, on a desk and on phones: for axe-core, too wide, or cut. */
export const findIssuesInEveryLook = async (page: Page, name: string): Promise<string[]> => {
  const issues: string[] = [];
  const before = page.viewportSize();
  for (const { colorScheme, width, isAsked } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await untilDrawn(page);
    const found = await page.evaluate<string[]>(findCut);
    if (isAsked) found.push(...(await findAccessibilityIssues(page)));
    issues.push(...found.map((issue) => `${name}-${colorScheme}-${String(width)}: ${issue}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
  return issues;
};
