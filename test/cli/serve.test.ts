import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { main } from '../../src/main.js';
import { expectOneLine, run } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { send, startService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());
const env = (values = {}) => ({
  DATA_DIR: `${folder.path}/data`,
  PORT: '0',
  LOG_LEVEL: 'silent',
  ...values,
});

/** Starts `serve` in this process; `end` sends the signal. */
const startServe = (argv: string[], values = {}) => {
  const signals = new EventEmitter();
  let out = '';
  const io = { env: env(values), out: (text: string) => void (out += text), err: () => undefined };
  const status = main(['serve', ...argv], io, signals);
  const end = (signal: string): Promise<number> => {
    signals.emit(signal);
    return status;
  };
  return {
    printed: () => until('something is printed', () => out || undefined),
    listening: () => until('it waits for a signal', () => signals.listenerCount('SIGTERM') > 0),
    end,
  };
};

describe.each(['SIGTERM', 'SIGINT'])('serve ends on %s', (signal) => {
  test('with 0, and no longer listens', async () => {
    const serving = startServe(['--json']);
    const { url } = JSON.parse(await serving.printed()) as { url: string };
    await serving.listening();
    expect((await send(url, 'GET', '/readyz')).status).toBe(200);
    expect(await serving.end(signal)).toBe(0);
    await expect(send(url, 'GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
  });
});

/** The words of a line as a shell would hand them to a program. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

/** Sends what a `curl` line would send. */
const paste = (line: string) => {
  const words = wordsOf(line.trim());
  expect(words.shift()).toBe('curl');
  const headers: Record<string, string> = {};
  let body: string | undefined;
  let address = '';
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(': ');
      headers[name] = value;
    } else if (word === '-d') body = words.shift();
    else address = word;
  }
  const { origin, pathname, search } = new URL(address);
  return send(origin, body === undefined ? 'GET' : 'POST', pathname + search, { headers, body });
};

describe('serve --demo', () => {
  test.each(['', '/api'])(
    'prints curl lines that create a voucher and list it (below "%s")',
    async (base) => {
      const serving = startServe(['--demo'], { BASE_PATH: base, DATA_DIR: `${folder.path}/demo${base}` });
      const lines = (await serving.printed()).split('\n').filter((line) => line.trim().startsWith('curl '));
      expect(lines).toHaveLength(2);
      const created = await paste(lines[0]!);
      expect(created.status).toBe(201);
      const listed = await paste(lines[1]!);
      expect(listed.status).toBe(200);
      const { code } = created.body as { code: string };
      expect(listed.body).toMatchObject({ vouchers: [{ voucher_code: code }] });
      await serving.listening();
      expect(await serving.end('SIGTERM')).toBe(0);
    },
  );

  test('prints, once, the addresses, a demo site and a fresh API key that work', async () => {
    const serving = startServe(['--demo']);
    const text = await serving.printed();
    const [front] = /http\S+\/$/m.exec(text)!;
    const [description] = /http\S+\/openapi\.php/.exec(text)!;
    const [key] = /uvt_[0-9a-f]{40}$/m.exec(text)!;
    const site = Number(/Demo site +(\d+)/.exec(text)?.[1]);
    expect((await send(front.slice(0, -1), 'GET', '/')).status).toBe(200);
    expect((await send(description, 'GET', '')).status).toBe(200);
    const sites = await send(front.slice(0, -1), 'GET', '/sites.php', { key });
    expect((sites.body as { sites: { id: number }[] }).sites.map(({ id }) => id)).toContain(site);
    await serving.listening();
    expect(await serving.end('SIGINT')).toBe(0);
  });

  test('at the next start the key is replaced and the vouchers stay', async () => {
    const values = { DATA_DIR: `${folder.path}/again` };
    const linesOf = async (serving: ReturnType<typeof startServe>) =>
      (await serving.printed()).split('\n').filter((line) => line.trim().startsWith('curl '));
    const first = startServe(['--demo'], values);
    const [create, list] = await linesOf(first);
    expect((await paste(create!)).status).toBe(201);
    await first.listening();
    await first.end('SIGTERM');

    const second = startServe(['--demo'], values);
    const [, listAgain] = await linesOf(second);
    expect(((await paste(listAgain!)).body as { vouchers: unknown[] }).vouchers).toHaveLength(1);
    const oldKey = /uvt_\w+/.exec(list!)?.[0] ?? '';
    expect((await paste(listAgain!.replace(/uvt_\w+/, oldKey))).status).toBe(401);
    await second.listening();
    await second.end('SIGTERM');
  });
});

describe('a start that can not succeed ends with one clear line', () => {
  let running: TestService;
  beforeAll(async () => {
    running = await startService();
  });
  afterAll(() => running.stop());

  test('when the port is in use', async () => {
    const { port } = new URL(running.url);
    expectOneLine(await run(['serve'], env({ PORT: port })), new RegExp(`^voucherd: .*in use.*${port}`));
  });

  test('when a variable is wrong: it names the variable, the value and what is allowed', async () => {
    expectOneLine(
      await run(['serve'], env({ LOG_LEVEL: 'loud' })),
      'voucherd: LOG_LEVEL: "loud" is not allowed: one of trace, debug, info, warn, error, fatal, silent\n',
    );
  });

  test('when HOST is no address of this machine', async () => {
    expectOneLine(await run(['serve'], env({ HOST: '192.0.2.1' })), /^voucherd: HOST: "192\.0\.2\.1" /);
  });

  test('when DATA_DIR can not be written', async () => {
    expectOneLine(
      await run(['serve'], env({ DATA_DIR: '/dev/null/data' })),
      /^voucherd: DATA_DIR: "\/dev\/null\/data" /,
    );
  });

  test('when TLS_CERT_FILE holds no certificate', async () => {
    const file = `${folder.path}/none.pem`;
    await writeFile(file, 'no certificate');
    expectOneLine(
      await run(['serve'], env({ TLS_CERT_FILE: file, TLS_KEY_FILE: file })),
      new RegExp(`^voucherd: TLS_(CERT|KEY)_FILE: "${file}" is not allowed: `),
    );
  });
});
