import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const folder = forEachTest(makeFolder, 'remove');

/** As root on a machine that has no Chromium, and an apt-get that writes down what it was asked for. */
const ensure = (mayInstall: boolean, env: Record<string, string> = {}): { said: string; asked: string } => {
  const [aptGet, asked] = [join(folder.path, 'apt-get'), join(folder.path, 'asked')];
  writeFileSync(
    aptGet,
    `#!${process.execPath}\nrequire('fs').appendFileSync(${JSON.stringify(asked)}, process.argv[2] + ' ')`,
  );
  chmodSync(aptGet, 0o755);
  const script = `
    Object.defineProperty(process, 'arch', { value: 'arm64' });
    process.getuid = () => 0;
    const { ensureBrowser } = await import(${JSON.stringify(pathToFileURL(join(root, 'scripts/tasks/browser.mjs')).href)});
    await ensureBrowser({ mayInstall: ${String(mayInstall)} });`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: folder.path, ...env },
    encoding: 'utf8',
  });
  return { said: stderr, asked: existsSync(asked) ? readFileSync(asked, 'utf8') : '' };
};

test('without permission no browser is installed, and a line says what is skipped and how to allow it', () => {
  expect(ensure(false)).toEqual({
    said: 'There is no Chromium: the tests of the pages are skipped. Install one, name it in CHROMIUM, let this install one: npm test -- --install-browser.\n',
    asked: '',
  });
});

test('with permission the installation is announced', () => {
  const { said, asked } = ensure(true);
  expect(said).toMatch(/^Installing the package chromium with apt-get/);
  expect(asked).toBe('update install ');
});

test('with NO_BROWSER there is no browser, permission or not', () => {
  expect(ensure(true, { NO_BROWSER: 'true', CHROMIUM: process.execPath })).toEqual({
    said: 'Without a browser, as asked for: the tests of the pages are skipped.\n',
    asked: '',
  });
});
