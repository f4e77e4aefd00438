import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runSimulator } from '../../simulators/main.js';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { makeSendToPrinter } from '../../src/printing/receipts/printerConnection.js';
import { toTestReceipt } from '../../src/printing/receipts/receipt.js';
import { childEnv, root } from '../support/built.js';
import { testCases } from '../support/cases.js';
import { expectOneLine, type Ended } from '../support/cli.js';
import { makeFolder } from '../support/folder.js';
import { until } from '../support/until.js';
import { makeConsoleClient } from './consoleClient.js';

const run = async (...argv: string[]): Promise<Ended> => {
  let [out, err] = ['', ''];
  const io = {
    env: {},
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const status = await runSimulator(argv, io, new EventEmitter());
  return { status, out, err };
};

/** `voucherd-simulator unifi` until the signal. */
const starting = (...argv: string[]) => {
  const signals = new EventEmitter();
  let [out, err] = ['', ''];
  const io = {
    env: {},
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const ended = runSimulator(['unifi', '--port', '0', ...argv], io, signals);
  return {
    printed: async () => {
      await until('it waits for a signal', () => {
        if (err !== '') throw new Error(err);
        return signals.listenerCount('SIGTERM') > 0;
      });
      return out;
    },
    end: (signal = 'SIGTERM') => {
      signals.emit(signal);
      return ended;
    },
  };
};

describe('voucherd-simulator unifi', () => {
  test('prints where the console is, its credentials, and the commands that add it', async () => {
    const { printed, end } = starting(
      '--site',
      'default=Haus am "See"',
      '--site',
      'b',
      '--variant',
      'self-hosted',
    );
    const text = await printed();
    const value = (name: string): string => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(text)![1]!;
    const [url, fingerprint] = [value('address'), value('fingerprint')];
    expect(text).toContain('(self-hosted, Network 10.5.66)');
    expect(text).toContain(`${url}/simulator`);
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        `  KEY=${value('API key')} npx voucherd controller add --name Konsole --kind unifi --url ${url} --fingerprint ${fingerprint} --api-key-env KEY`,
        `  npx voucherd site add --name 'Haus am "See"' --controller Konsole --controller-site default`,
        `  npx voucherd site add --name "b" --controller Konsole --controller-site b`,
        `  PASSWORD=${value('password')} npx voucherd controller add --name Klassisch --kind unifi-classic --url ${url} --fingerprint ${fingerprint} --username ${value('user')} --password-env PASSWORD`,
        `  npm run simulator -- use CODE --url ${url}`,
      ]),
    );
    expect(await end('SIGINT')).toBe(0);
  });

  test('its options make the console', async () => {
    const { printed, end } = starting(
      '--json',
      '--version',
      '9.0.99',
      '--seed',
      '3',
      '--clock-offset-s',
      '-3600',
    );
    const started = JSON.parse(await printed()) as UnifiConsole;
    const ask = makeConsoleClient(started);
    const key = { 'x-api-key': started.apiKey };
    const info = await ask('GET', '/proxy/network/integration/v1/info', undefined, key);
    expect(info.json).toEqual({ applicationVersion: '9.0.99' });
    const listed = await ask('GET', '/proxy/network/api/s/default/stat/voucher', undefined, key);
    const seconds = (listed.json.data as { create_time: number }[]).map(({ create_time }) => create_time);
    expect(seconds).toHaveLength(3);
    const hourAgo = Date.now() / 1000 - 3600;
    expect(seconds[0]).toBeLessThanOrEqual(hourAgo);
    expect(seconds[0]).toBeGreaterThan(hourAgo - 600);
    expect(await end()).toBe(0);
    await expect(ask('GET', '/')).rejects.toThrow('ECONNREFUSED');
  });

  testCases([
    [['--port', '70000'], /--port: "70000" is not allowed/],
    [['--site', '=x'], /--site: "=x" is not allowed/],
    [['--version', 'new'], /--version: "new" is not allowed/],
    [['--clock-offset-s', 'x'], /--clock-offset-s: "x" is not allowed/],
    [['--seed', '-1'], /--seed: "-1" is not allowed/],
    [['--variant', 'cloud'], /Allowed choices are unifi-os, self-hosted/],
    [['--nothing'], /unknown option '--nothing'/],
  ])('wrong options are refused with one line', async (argv, line) => {
    expectOneLine(await run('unifi', ...argv), line);
  });
});

describe('voucherd-simulator use', () => {
  test('lets guests use a voucher of a running console', async () => {
    const running = await startUnifiConsole();
    running.seed(1, { code: '0000000001', limit: 3 });
    expect(await run('use', '00000-00001', '--url', running.url, '--guests', '2')).toEqual({
      status: 0,
      out: '00000-00001 used\n',
      err: '',
    });
    expect(running.vouchers()).toMatchObject([{ used: 2 }]);
    expectOneLine(await run('use', '0000000001', '--url', running.url, '--guests', '2'), /2 have used it/);
    expectOneLine(
      await run('use', '0000000009', '--url', running.url),
      /no voucher with the code 0000000009/,
    );
    await running.stop();
  });

  test('what its page does: deleting a voucher, failing, and working again', async () => {
    const running = await startUnifiConsole();
    running.seed(1, { code: '0000000001' });
    const at = ['--url', running.url];
    const info = async (): Promise<number> =>
      (
        await makeConsoleClient(running)('GET', '/proxy/network/integration/v1/info', undefined, {
          'x-api-key': running.apiKey,
        })
      ).status;
    expect(await run('fault', 'throttled', '--on', 'all', '--times', '5', ...at)).toEqual({
      status: 0,
      out: 'out of order: throttled\n',
      err: '',
    });
    expect(await info()).toBe(429);
    expect(await run('fault', 'none', ...at)).toMatchObject({ status: 0, out: 'in order\n' });
    expect(await info()).toBe(200);
    expect(await run('delete', '00000-00001', ...at)).toMatchObject({
      status: 0,
      out: '00000-00001 deleted\n',
    });
    expect(running.vouchers()).toEqual([]);
    expectOneLine(await run('delete', '0000000001', ...at), /no voucher with the code 0000000001/);
    expectOneLine(await run('fault', 'flood', ...at), /Allowed choices are none, slow/);
    expectOneLine(await run('fault', 'slow', '--delay-ms', '0', ...at), /--delay-ms: "0" is not allowed/);
    await running.stop();
  });

  testCases(['http://127.0.0.1:1', 'console'])('what is no address of a console is refused', async (url) => {
    expectOneLine(await run('use', '0000000001', '--url', url), /--url: .* begins with https:/);
  });
});

describe('voucherd-simulator receipt-printer', () => {
  test('writes each receipt as a picture until it is stopped', async () => {
    const folder = await makeFolder();
    const signals = new EventEmitter();
    let out = '';
    const io = { env: {}, out: (text: string) => void (out += text), err: () => undefined };
    const argv = ['receipt-printer', '--port', '0', '--folder', folder.path];
    const ended = runSimulator(argv, io, signals);
    const port = await until('its port', () => /port (\d+)/.exec(out)?.[1]);
    const receipt = await toTestReceipt({ name: 'Empfang', paper: '80mm' }, loadGuestTexts('en'));
    await makeSendToPrinter()({ host: '127.0.0.1', port: Number(port) }, [receipt]);
    const file = join(folder.path, 'receipt-1.svg');
    await until('the picture', () => out.includes(file));
    expect(readFileSync(file, 'utf8')).toContain('Empfang</text>');
    signals.emit('SIGTERM');
    expect(await ended).toBe(0);
    await folder.remove();
  });

  const onLinux = existsSync('/proc/self') ? test : test.skip;
  // In a process of its own, which would be busy for ever.
  onLinux('ends at once where the system makes no folders', () => {
    const argv = ['scripts/simulator.mjs', 'receipt-printer', '--port', '0', '--folder', '/proc/x'];
    const options = {
      cwd: root,
      env: childEnv(),
      encoding: 'utf8',
      timeout: 600_000,
      killSignal: 'SIGKILL',
    } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, options);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'voucherd-simulator: --folder: "/proc/x" is not allowed: the system lets nobody create anything in /proc\n',
    });
  });
});
