import { expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.js';
import type { Signals } from '../../src/lib/signals.js';
import { expectOneLine, run } from '../support/cli.js';
import { makeFolder } from '../support/folder.js';

/** Should it start after all, it ends at once. */
const stopAtOnce: Signals = {
  on: (signal, listener) => {
    if (signal === 'SIGTERM') listener();
  },
  off: () => undefined,
};

/** What becomes of a start with each of these as `TZ`. */
const startedWith = (zones: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(
    zones.map((zone) => {
      try {
        readConfig({ TZ: zone });
        return [zone, true];
      } catch {
        return [zone, false];
      }
    }),
  );
const all = (zones: readonly string[], starts: boolean) =>
  Object.fromEntries(zones.map((zone) => [zone, starts]));

test('a time zone that the database does not know stops the start [timezone-unknown-stops]', async () => {
  const folder = await makeFolder();
  const env = { TZ: 'Europe/Atlantis', DATA_DIR: folder.path, PORT: '0' };
  const ended = await run(['serve'], env, stopAtOnce);
  await folder.remove();
  expectOneLine(ended, /TZ: "Europe\/Atlantis" is not allowed: a name of the time zone database/);
  const unknown = [
    'Berlin',
    'PST',
    'CEST',
    '+02:00',
    'CET-1CEST',
    'GMT+2',
    'localtime',
    '/etc/localtime',
    ' ',
  ];
  const otherCase = ['europe/berlin', 'EUROPE/BERLIN', 'us/eastern', 'utc'];
  expect(startedWith([...unknown, ...otherCase])).toEqual(all([...unknown, ...otherCase], false));
});

test('a name of the database, an old one or none does not stop it', () => {
  const known = [
    'Europe/Berlin',
    'Europe/Kyiv',
    'Asia/Calcutta',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT-14',
  ];
  const short = ['UTC', 'CET', 'EST5EDT', 'GMT0', ':Europe/Berlin', ''];
  expect(startedWith([...known, ...short])).toEqual(all([...known, ...short], true));
});
