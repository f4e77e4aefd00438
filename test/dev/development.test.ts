import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { addServeCommand, openDevelopment } from '../../src/cli/serve/serve.js';
import { ContractError } from '../../src/contract/source.js';
import type { ReloadResult } from '../../src/http/servedContract.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

const mockedAtStart = ['getSite'];

/** The wire as the service sees it, and what it was told. */
const makeWire = () => {
  const told: object[] = [];
  let connected = true;
  const channel = Object.assign(new EventEmitter(), {
    send: (message: object) => void told.push(message),
    disconnect: () => void (connected = false),
  });
  return { channel, told, isConnected: () => connected };
};

const reloaded: ReloadResult = { added: ['findSite'], removed: [], changed: [], mocked: ['findSite'] };
const position = { file: 'openapi.yaml', line: 3, column: 7 };

test('an order is answered with what changed, under its own number', async () => {
  const { channel, told } = makeWire();
  openDevelopment({}, channel).followReloads({ mockedAtStart, reload: async () => reloaded });
  channel.emit('message', { reload: true, id: 4 });
  await until('the answer', () => told.length === 2);
  expect(told).toEqual([
    { following: true, mocked: mockedAtStart },
    { id: 4, reloaded },
  ]);
});

test.each([
  [
    'with its place',
    new ContractError('x-scope is missing', position),
    { refused: 'x-scope is missing', position },
  ],
  ['of the disk', new Error('ENOENT: no such file'), { refused: 'ENOENT: no such file' }],
])('a contract that can not be loaded is told: one %s', async (_, error, answer) => {
  const { channel, told } = makeWire();
  openDevelopment({}, channel).followReloads({ mockedAtStart, reload: () => Promise.reject(error) });
  channel.emit('message', { reload: true, id: 1 });
  await until('the answer', () => told.length === 2);
  expect(told[1]).toEqual({ id: 1, ...answer });
});

test('what is no order is ignored, and after the end there are no orders', async () => {
  const { channel, told, isConnected } = makeWire();
  let count = 0;
  const development = openDevelopment({}, channel);
  development.followReloads({
    mockedAtStart,
    reload: async () => ({ ...reloaded, added: [String(++count)] }),
  });
  for (const message of [undefined, null, 'reload', 1, {}, { reload: true }, { id: 1 }])
    channel.emit('message', message);
  channel.emit('message', { reload: true, id: 1 });
  await until('the answer', () => told.length === 2);
  development.close();
  channel.emit('message', { reload: true, id: 2 });
  expect(channel.listenerCount('message')).toBe(0);
  expect(isConnected()).toBe(false);
  expect(count).toBe(1);
});

test('without a wire nothing is followed', () => {
  const channel = new EventEmitter();
  const development = openDevelopment({}, channel);
  development.followReloads({ mockedAtStart, reload: async () => reloaded });
  development.reportRefusal(new Error('nobody hears this'));
  development.close();
  expect(channel.listenerCount('message')).toBe(0);
});

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

const startServe = (argv: string[], values: Record<string, string> = {}) => {
  const wire = makeWire();
  const signals = new EventEmitter();
  let out = '';
  const env = { PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: folder.path, NODE_ENV: 'development', ...values };
  const program = new Command().exitOverride();
  addServeCommand(
    program.command('serve'),
    { env, out: (text) => void (out += text), err: () => undefined },
    signals,
    wire.channel,
  );
  const ended = program.parseAsync(['serve', '--json', ...argv], { from: 'user' });
  return { ...wire, signals, ended, url: () => (JSON.parse(out) as { url: string }).url };
};

test('serve --mock-missing follows what it is told over the wire, until it ends', async () => {
  const { channel, told, signals, ended, url, isConnected } = startServe(['--mock-missing']);
  await until('it follows', () => told.length === 1);
  channel.emit('message', { reload: true, id: 1 });
  await until('the answer', () => told.length === 2);
  expect(told[1]).toEqual({ id: 1, reloaded: { added: [], removed: [], changed: [], mocked: [] } });
  expect((await send(url(), 'GET', '/healthz')).status).toBe(200);
  await until('it waits for a signal', () => signals.listenerCount('SIGTERM') > 0);
  signals.emit('SIGTERM');
  await ended;
  expect(isConnected()).toBe(false);
});

test('why it did not start is told too', async () => {
  const { told, ended } = startServe(['--mock-missing'], { HOST: '192.0.2.1' });
  await expect(ended).rejects.toThrow('HOST');
  expect(told).toEqual([{ id: undefined, refused: expect.stringMatching(/^HOST: "192\.0\.2\.1" /) }]);
});

test('serve without --mock-missing hears nothing', async () => {
  const { channel, told, signals, ended, isConnected } = startServe([]);
  await until('it waits for a signal', () => signals.listenerCount('SIGTERM') > 0);
  expect(channel.listenerCount('message')).toBe(0);
  signals.emit('SIGTERM');
  await ended;
  expect(told).toEqual([]);
  expect(isConnected()).toBe(true);
});
