import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from '../../scripts/tasks/browser.mjs';

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

/** A real browser without a window. */
export const startBrowser = async (): Promise<Browser> => {
  const found = await findBrowser();
  if (!found) throw new Error('there is no Chromium: install one, or name it in CHROMIUM');
  return chromium.launch({ executablePath: found.executablePath, args: [...found.args, ...quiet] });
};
