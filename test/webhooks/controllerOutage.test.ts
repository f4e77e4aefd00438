import { beforeAll, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { startWebhookTarget, type WebhookTarget } from '../../simulators/webhookTarget.js';
import { withApi } from '../support/api.js';
import { run } from '../support/cli.js';
import { makeClock } from '../support/clock.js';
import { until } from '../support/until.js';
import { addConsole } from '../vouchers/consoleFixtures.js';

const clock = makeClock(Date.now());
const allowed = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' };
const api = withApi({
  // Passes of this test alone.
  env: { ...allowed, SYNC_INTERVAL_S: '0' },
  system: clock,
  site: false,
  beforeStop: () => target.stop(),
  afterStop: () => unifi.stop(),
});
let target: WebhookTarget;
let unifi: UnifiConsole;

beforeAll(async () => {
  [target, unifi] = [await startWebhookTarget(), await startUnifiConsole()];
  const env = { DATA_DIR: api.dataDir, ...allowed };
  for (const [name, ...options] of [['Technik', '--controllers'], ['Empfang']]) {
    const added = await run(
      ['webhook', 'add', '--name', name!, '--format', 'generic', '--url-env', 'TARGET', ...options],
      { ...env, TARGET: `${target.url}/${name!}` },
    );
    expect(added).toMatchObject({ status: 0, err: '' });
  }
  await addConsole(api, unifi, 'unifi');
  await api.app.sync();
});

const told = (wanted: string): { type: string; data: { sites: string[]; reason?: string } }[] =>
  target.requests
    .filter(({ path }) => path === wanted)
    .map(({ body }) => JSON.parse(body) as ReturnType<typeof told>[number]);

const passMinutes = async (minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.advance(60_000);
    await api.app.sync();
  }
};

test('a console that stops answering is told once to the webhooks that want it, and so is its return', async () => {
  unifi.fault({ kind: 'bad-gateway', on: 'all' });
  await passMinutes(10);
  await until('the outage arrives', () => told('/Technik').length > 0);
  expect(told('/Technik')).toEqual([
    {
      type: 'controller.unreachable',
      timestamp: expect.any(String),
      data: { controller: expect.stringMatching(/^console /), sites: ['Haus 1'], reason: expect.any(String) },
    },
  ]);
  unifi.fault(undefined);
  await until('the return arrives', async () => {
    await passMinutes(1);
    return told('/Technik').length > 1;
  });
  expect(told('/Technik').map(({ type }) => type)).toEqual([
    'controller.unreachable',
    'controller.reachable',
  ]);
  expect(told('/Technik')[1]?.data).not.toHaveProperty('reason');
  expect(told('/Empfang')).toEqual([]);
});

test('a webhook can be told later, and be told no more', async () => {
  const env = { DATA_DIR: api.dataDir, ...allowed };
  const list = async () =>
    JSON.parse((await run(['webhook', 'list', '--json'], env)).out) as {
      name: string;
      reportsControllers: boolean;
    }[];
  const set = (name: string, state: string) => run(['webhook', 'controllers', name, state], env);
  expect(await set('Empfang', 'on')).toMatchObject({
    status: 0,
    out: 'Empfang is told when a controller can not be reached\n',
  });
  expect(await set('Technik', 'off')).toMatchObject({
    status: 0,
    out: 'Technik is not told when a controller can not be reached\n',
  });
  expect(await list()).toMatchObject([
    { name: 'Empfang', reportsControllers: true },
    { name: 'Technik', reportsControllers: false },
  ]);
  expect(await set('Technik', 'maybe')).toMatchObject({
    out: '',
    err: expect.stringContaining('"maybe" is not allowed: on or off'),
  });
  expect((await list())[1]).toMatchObject({ reportsControllers: false });
});
