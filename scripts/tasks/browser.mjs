import { existsSync } from 'node:fs';
import { runQuietly, seconds, StepFailed } from './run.mjs';

/** Browsers as they are called where they are installed. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const inPath = (name) =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => `${folder}/${name}`)
    .find((file) => existsSync(file));

/** There only for x64. It has no window: a tab takes a quarter of the processor time that it takes in others. */
const unpackHeadless = async () => {
  const { default: chromium } = await import('@sparticuz/chromium');
  return chromium.executablePath();
};

/**
 * The path of the Chromium for tests of pages: the one that CHROMIUM names, the one that comes as a package, or one that
 * is installed. Undefined when there is none, or when NO_BROWSER is set.
 */
export const findBrowser = async () => {
  if (process.env.NO_BROWSER) return undefined;
  const named = process.env.CHROMIUM;
  if (!named && process.arch === 'x64' && process.platform === 'linux') return unpackHeadless();
  return named || names.map(inPath).find(Boolean);
};

const aptGet = (...args) => runQuietly(`apt-get ${args[0]}`, 'apt-get', args);

const installBrowser = async () => {
  const started = Date.now();
  console.error('Installing the package chromium with apt-get, for the tests of the pages.');
  try {
    await aptGet('update');
    await aptGet('install', '--yes', '--no-install-recommends', 'chromium');
    console.error(`  done in ${seconds(started)}`);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
  }
};

/**
 * Says which tests are skipped where there is no browser. With permission, one is installed first, where that is
 * possible: on a Debian whose administrator runs this.
 */
export const ensureBrowser = async ({ mayInstall }) => {
  if (process.env.NO_BROWSER) {
    console.error('Without a browser, as asked for: the tests of the pages are skipped.');
    return;
  }
  if (await findBrowser()) return;
  const canInstall = process.getuid?.() === 0 && inPath('apt-get') !== undefined;
  if (canInstall && mayInstall) await installBrowser();
  if (await findBrowser()) return;
  const offer = canInstall && !mayInstall ? ', let this install one: npm test -- --install-browser' : '';
  console.error(
    `There is no Chromium: the tests of the pages are skipped. Install one, name it in CHROMIUM${offer}.`,
  );
};
