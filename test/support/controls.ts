import type { Page } from 'playwright-core';

/** What people press or read at a glance, and what must never be cut. */
const controls = [
  'button',
  'a[class*="Button"]',
  '[class*="Badge-label"]',
  '[class*="Button-label"]',
  '[role=tab]',
  '[role=menuitem]',
  '[role=option]',
  'label',
  'h1, h2, h3',
  'th, td',
].join(', ');

/** What is pressed. */
const targets =
  'button, [role=menuitem], [role=tab], [role=option], select, input:not([type=hidden]), textarea, nav a';

/**
 * Runs in the page. A part of the page that is scrolled sideways, such as a table, cuts nothing. What people typed may
 * end in dots where the whole of it is shown elsewhere: its element says so by `title`.
 */
const script = (root: string): string => `(() => {
  const roots = [...document.querySelectorAll(${JSON.stringify(root)})];
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && getComputedStyle(element).clipPath === 'none' && !element.closest('[aria-hidden=true]');
  };
  const nameOf = (element) => element.tagName + ' ' + (element.innerText || element.ariaLabel || element.name || '').trim().replaceAll('\\n', ' ').slice(0, 60);
  const found = [];
  const scrolls = (element) => element.closest('.data-table-frame, [class*="ScrollArea-viewport"]');
  for (const element of all(${JSON.stringify(controls)})) {
    if (!isShown(element)) continue;
    const box = element.getBoundingClientRect();
    const text = element.innerText.trim();
    const style = getComputedStyle(element);
    if (text !== '' && style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1 && element.title === '')
      found.push('cut: ' + nameOf(element));
    else if (!scrolls(element) && (box.right > innerWidth + 1 || box.left < -1)) found.push('outside: ' + nameOf(element));
  }
  const pressed = all(${JSON.stringify(targets)}).filter(isShown);
  const boxes = pressed.map((element) => {
    // A tick box and its label are one target, and so are a field and the frame around it.
    const around = element.closest('[class*="PillsInput-input"], [class*="Input-wrapper"], [class*="Switch-root"]') ?? element;
    const labels = [...(element.labels ?? [])].map((label) => label.getBoundingClientRect());
    const own = [element.getBoundingClientRect(), ...(element.matches('input') ? [around.getBoundingClientRect(), ...labels] : [])];
    return { width: Math.max(...own.map(({ width }) => width)), height: Math.max(...own.map(({ height }) => height)) };
  });
  pressed.forEach((element, index) => {
    const { width, height } = boxes[index];
    // In a sentence, a target is as high as its line.
    if (element.closest('p')) return;
    if (width < 23.5 || height < 23.5) found.push('small: ' + nameOf(element) + ' ' + Math.round(width) + '×' + Math.round(height));
  });
  // What tells of something for a few seconds may lie over the rest.
  const buttons = pressed.filter((element) => element.matches('button, [role=tab]') && !element.closest('[class*=Notification]'));
  buttons.forEach((element, index) => {
    const one = element.getBoundingClientRect();
    for (const other of buttons.slice(index + 1)) {
      if (element.contains(other) || other.contains(element)) continue;
      // A dialog lies over what is under it.
      if (element.closest('[role=dialog]') !== other.closest('[role=dialog]')) continue;
      const two = other.getBoundingClientRect();
      const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (wide > 1 && high > 1 && getComputedStyle(element).position !== 'absolute' && getComputedStyle(other).position !== 'absolute')
        found.push('overlap: ' + nameOf(element) + ' and ' + nameOf(other));
    }
  });
  const overflow = document.documentElement.scrollWidth - innerWidth;
  if (overflow > 0) found.push('is ' + overflow + ' pixels too wide');
  return [...new Set(found)];
})()`;

/**
 * Controls whose text is cut, that lie outside of the screen, overlap, or are smaller than 24 pixels (WCAG 2.2, 2.5.8);
 * and a page that is scrolled sideways. `root` is a part of the page.
 */
export const findFaultyControls = (page: Page, root = 'body'): Promise<string[]> =>
  page.evaluate<string[]>(script(root));
