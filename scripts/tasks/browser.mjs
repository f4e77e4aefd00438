import { existsSync } from 'node:fs';
import { runQuietly, seconds, StepFailed } from './run.mjs';

/** Browsers as they are called where they are installed. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const installed = () => {
  const folders = (process.env.PATH ?? '').split(':');
  return names
    .flatMap((name) => folders.map((folder) => `${folder}/${name}`))
    .find((file) => existsSync(file));
};

/**
 * The Chromium for tests of pages: the one that CHROMIUM names, one that is installed, or the one that comes as a
 * package, which there is only for x64. Undefined when there is none.
 */
export const findBrowser = async () => {
  const own = process.env.CHROMIUM || installed();
  if (own) return { executablePath: own, args: [] };
  if (process.arch !== 'x64' || process.platform !== 'linux') return undefined;
  const { default: chromium } = await import('@sparticuz/chromium');
  return { executablePath: await chromium.executablePath(), args: chromium.args };
};

/** Sees to it that there is a browser: on a Debian whose administrator runs this, it is installed. */
export const ensureBrowser = async () => {
  if (await findBrowser()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const started = Date.now();
    console.error('Installing Chromium for the tests of the pages.');
    try {
      await runQuietly('apt-get update', 'apt-get', ['update']);
      await runQuietly('apt-get install chromium', 'apt-get', [
        'install',
        '--yes',
        '--no-install-recommends',
        'chromium',
      ]);
      console.error(`  done in ${seconds(started)}`);
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      console.error(error.message);
    }
  }
  if (!(await findBrowser()))
    console.error(
      'There is no Chromium: the tests of the pages are skipped. Install one, or name it in CHROMIUM.',
    );
};
