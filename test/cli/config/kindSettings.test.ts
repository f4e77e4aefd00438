import { expect, test } from '@jest/globals';
import { controllerKinds } from '../../../src/controllers/kinds.js';
import { sharedCertificate } from '../../support/certificate.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { phrases, withPhrase, makeFileFolder } from './configFixture.js';

const account = ['--username', 'voucherd', '--password-env', 'SECRET'];
const https = ['--url', 'https://192.168.1.1', '--max-calls', '8'];

/** Every option of each kind, with a value that is not the usual one. */
const optionsOf = (kind: string, fingerprint: string): readonly string[] => {
  const pinned = [...https, '--fingerprint', fingerprint];
  const all: Readonly<Record<string, readonly string[]>> = {
    simulated: ['--latency-ms', '5', '--fault', 'refuse'],
    unifi: [...pinned, '--api-key-env', 'SECRET'],
    'unifi-classic': [...pinned, ...account],
    omada: [...pinned, '--client-id', 'voucherd', '--client-secret-env', 'SECRET'],
    mikrotik: [...pinned, ...account, '--user-manager', 'no'],
    'radius-sql': [
      ...['--url', 'postgresql://192.168.1.5/radius', '--tls', 'system', '--rates', 'no'],
      ...['--disconnect-port', '1700', ...account],
    ],
  };
  return all[kind] ?? [];
};

test.each(controllerKinds)('the settings of the kind %s survive an export and an import', async (kind) => {
  const { fingerprint } = await sharedCertificate();
  const folder = await makeFileFolder();
  const clis = [
    await makeCliFixture({ SECRET: 'geheim', ...phrases }),
    await makeCliFixture(phrases),
  ] as const;
  const [source, target] = clis;
  try {
    const add = ['controller', 'add', '--name', 'Haus', '--kind', kind, ...optionsOf(kind, fingerprint)];
    expect(await source.voucherd(...add)).toMatchObject({ status: 0 });
    const file = folder.newFile();
    expect(await source.voucherd('config', 'export', file, ...withPhrase)).toMatchObject({ status: 0 });
    expect(await target.voucherd('config', 'import', file, ...withPhrase)).toMatchObject({
      status: 0,
      err: '',
    });
    const [[made], [wanted]] = [await target.tables.controllers.all(), await source.tables.controllers.all()];
    expect(made).toMatchObject({ kind, settings: wanted!.settings });
    expect(Object.keys(wanted!.settings)).not.toEqual([]);
  } finally {
    for (const cli of clis) await cli.remove();
    await folder.remove();
  }
});
