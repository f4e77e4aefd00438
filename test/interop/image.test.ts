import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import {
  applyStage,
  makeRoot,
  startContainer,
  whyNoContainers,
  type Container,
} from '../support/container.js';
import { parseCommand, readDockerfile, textsOf } from '../support/dockerfile.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { installTarball, packTarball } from '../support/installedPackage.js';
import { until } from '../support/until.js';

// The stage before installs the package with npm: `npm run soak -- install` does that. Here the folder that it makes is
// put together from the packages of this checkout.
const obstacle = whyNoContainers();
if (obstacle !== undefined) console.warn(`the tests of the image are skipped: ${obstacle}`);
const inContainer = obstacle === undefined ? test : test.skip;

const final = readDockerfile().at(-1)!;
const healthCheck = parseCommand((textsOf(final, 'HEALTHCHECK')[0] ?? '').replace(/^CMD /, '')) ?? [];
const program = parseCommand(textsOf(final, 'ENTRYPOINT')[0] ?? '') ?? [];

/** A busy machine may need longer. */
const patient = { STOP_DEADLINE_S: '600', DATABASE_TIMEOUT_S: '120' };
let root: string;
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  root = join(folder.path, 'root');
  if (obstacle !== undefined) return;
  const installed = await installTarball(await packTarball(folder.path), folder.path);
  makeRoot(root);
  await applyStage(root, final, (path) => {
    expect(path).toBe('/opt/voucherd');
    return installed.folder;
  });
});

const isHealthy = (container: Container): Promise<true> =>
  until('it is healthy', () =>
    container.exec(healthCheck).then(
      () => true as const,
      () => undefined,
    ),
  );

/** Sends a request from inside, and returns status and body. */
const ask = async (container: Container, path: string, init: object): Promise<unknown> => {
  const script = `
    fetch('http://127.0.0.1:3000${path}', ${JSON.stringify(init)})
      .then(async (answer) => console.log(JSON.stringify([answer.status, await answer.json()])));`;
  return JSON.parse(await container.exec(['node', '--eval', script])) as unknown;
};

inContainer('the image runs without rights and with a read-only root, and survives a kill', async () => {
  const first = await startContainer(root, final, patient);
  await isHealthy(first);
  expect(await first.exec(['id', '--user'])).toBe('1000');
  for (const path of ['/opt/voucherd/x', '/etc/x', '/usr/x', '/x'])
    await expect(first.exec(['touch', path])).rejects.toThrow(/Read-only|Permission denied/);
  await expect(first.exec(['sh', '-c', 'mount -o remount,rw /'])).rejects.toThrow();

  const voucherd = (...words: string[]) => first.exec([...program, ...words]);
  await voucherd('controller', 'add', '--name', 'Zentrale', '--kind', 'simulated');
  const site = Number(await voucherd('site', 'add', '--name', 'Haus', '--controller', 'Zentrale'));
  const headers = {
    authorization: `Bearer ${await voucherd('key', 'create', '--name', 'Kasse', '--scope', 'write')}`,
  };
  const body = JSON.stringify({ site_id: site, name: 'Anna' });
  const created = await ask(first, '/vouchers.php', { method: 'POST', headers, body });
  expect(created).toEqual([201, expect.objectContaining({ success: true, site: 'Haus' })]);

  await first.kill('SIGKILL');
  const second = await startContainer(root, final, patient);
  await isHealthy(second);
  const [status, list] = (await ask(second, `/vouchers.php?site_id=${String(site)}`, { headers })) as [
    number,
    unknown,
  ];
  expect(status).toBe(200);
  expect(JSON.stringify(list)).toContain('_Anna"');
  await expect(second.exec(['env', 'PORT=1', ...healthCheck])).rejects.toThrow('ECONNREFUSED');
  const [stopSignal] = textsOf(final, 'STOPSIGNAL');
  expect(await second.kill(stopSignal as NodeJS.Signals)).toBe(0);
  expect(existsSync(join(root, 'data/voucherd.sqlite'))).toBe(true);
});
