import { EventEmitter } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { makeProfiles } from '../../../src/profiles/profiles.js';
import { extendDemoKey, prepareDemo } from '../../../src/cli/serve/demo.js';
import { main } from '../../../src/main.js';
import { openDatabase } from '../../../src/database/database.js';
import { makeTables } from '../../../src/app/tables.js';
import { withApi } from '../../support/api.js';
import { expectOneLine, program, run, startProgram } from '../../support/cli.js';
import { putSqliteDatabase } from '../../support/databases.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';
import { send, startService } from '../../support/service.js';
import { until } from '../../support/until.js';

const folder = forAllTests(makeFolder, 'remove');
const env = (values = {}) => ({
  DATA_DIR: `${folder.path}/data`,
  PORT: '0',
  LOG_LEVEL: 'silent',
  ...values,
});

/** A folder of this name with the tables of a service, which a copy makes faster than its migrations. */
const withDatabase = async (name: string): Promise<string> => {
  const path = `${folder.path}/${name}`;
  await mkdir(path);
  await putSqliteDatabase(path);
  return path;
};

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

test('serve ends on SIGTERM with 0, and no longer listens', async () => {
  const serving = startServe(['--json']);
  const { url } = JSON.parse(await serving.printed()) as { url: string };
  await serving.listening();
  await until('it is ready', async () => (await send(url, 'GET', '/readyz')).status === 200);
  expect(await serving.end('SIGTERM')).toBe(0);
  await expect(send(url, 'GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
});

test('a second service on one SQLite file is refused, commands are not, and a kill makes room', async () => {
  const values = env({ DATA_DIR: await withDatabase('twice') });
  const refused = /^voucherd: another service runs on .*voucherd\.sqlite: stop it first/;
  const first = startProgram(['serve', '--json'], values);
  await first.url();

  expectOneLine(await run(['serve'], values), refused);
  // By another name it is the same file.
  await symlink(values.DATA_DIR, `${folder.path}/other`);
  expectOneLine(await run(['serve'], { ...values, DATA_DIR: `${folder.path}/other` }), refused);
  expect(await run(['key', 'create', '--name', 'x', '--scope', 'read'], values)).toMatchObject({ status: 0 });
  expect(await run(['migrate'], values)).toMatchObject({ status: 0 });

  first.process.kill('SIGKILL');
  await first.ended;
  const second = startServe(['--json'], values);
  await second.listening();
  expect(await second.end('SIGTERM')).toBe(0);
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
  test('prints curl lines that create a voucher and list it, below its base path', async () => {
    const values = { BASE_PATH: '/api', DATA_DIR: await withDatabase('below') };
    const serving = startServe(['--demo'], values);
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
  });

  test('prints, once, the addresses, a demo site and a fresh API key that work', async () => {
    const serving = startServe(['--demo']);
    const text = await serving.printed();
    const [, front = '', token = ''] = /(http\S+)\/first-start#token=(\S+)$/m.exec(text)!;
    const [description] = /http\S+\/openapi\.php/.exec(text)!;
    const [key] = /uvt_[0-9a-f]{40}$/m.exec(text)!;
    const site = Number(/Demo site +(\d+)/.exec(text)?.[1]);
    expect((await send(front, 'GET', '/')).status).toBe(200);
    expect((await send(description, 'GET', '')).status).toBe(200);
    const [reference] = /http\S+\/docs$/m.exec(text)!;
    expect((await send(reference, 'GET', '/')).status).toBe(200);
    const sites = await send(front, 'GET', '/sites.php', { key });
    expect((sites.body as { sites: { id: number }[] }).sites.map(({ id }) => id)).toContain(site);
    const administrator = await send(front, 'POST', '/web/first-administrator', {
      headers: { Origin: front, 'Content-Type': 'application/json' },
      body: { token, name: 'Anna', password: 'richtig Pferd Batterie 47' },
    });
    expect(administrator).toMatchObject({ status: 201, body: { role: 'admin' } });
    await serving.listening();
    expect(await serving.end('SIGINT')).toBe(0);
  });

  test('at the next start the key is replaced and the vouchers stay', async () => {
    const values = { DATA_DIR: await withDatabase('again') };
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

describe('the key of a demo', () => {
  const keyIn = (text: string) => /uvt_[0-9a-f]{40}/.exec(text)?.[0] ?? '';
  /** The demo's keys as they are stored, and whether a plain start on the same data accepts the given one. */
  const stored = async (dataDir: string) => {
    const database = openDatabase(`sqlite:${dataDir}/voucherd.sqlite`);
    try {
      return await makeTables(database).apiKeys.all();
    } finally {
      await database.close();
    }
  };
  const isAccepted = async (dataDir: string, key: string) => {
    const serving = startServe(['--json'], { DATA_DIR: dataDir });
    const { url } = JSON.parse(await serving.printed()) as { url: string };
    await serving.listening();
    const { status } = await send(url, 'GET', '/sites.php', { key });
    await serving.end('SIGTERM');
    return status === 200;
  };

  test('ends with the demo', async () => {
    const dataDir = await withDatabase('ended');
    const serving = startServe(['--demo'], { DATA_DIR: dataDir });
    const key = keyIn(await serving.printed());
    await serving.listening();
    await serving.end('SIGTERM');
    expect(await stored(dataDir)).toMatchObject([{ revokedAt: expect.any(Number) }]);
    expect(await isAccepted(dataDir, key)).toBe(false);
  });

  test('expires soon after a demo that was killed, and a plain start revokes it at once', async () => {
    const dataDir = await withDatabase('killed');
    const demo = startProgram(['serve', '--demo'], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
    const key = await until('a key is printed', () => keyIn(demo.out()) || undefined);
    demo.process.kill('SIGKILL');
    await demo.ended;
    const [left] = await stored(dataDir);
    expect(left).toMatchObject({ revokedAt: null, expiresAt: expect.any(Number) });
    expect(left!.expiresAt! - Date.now()).toBeLessThanOrEqual(2 * 60_000);
    expect(await isAccepted(dataDir, key)).toBe(false);
    expect(await stored(dataDir)).toMatchObject([{ revokedAt: expect.any(Number) }]);
  });

  test('is extended while the demo runs', async () => {
    const running = await startService();
    try {
      const { tables } = running.app;
      await prepareDemo(running.app);
      const [added] = await tables.apiKeys.all();
      const kept = await extendDemoKey(running.app, pino({ level: 'silent' }), {
        handOver: true,
        intervalMs: 10,
      });
      await until(
        'it ends later',
        async () => (await tables.apiKeys.all())[0]!.expiresAt! > added!.expiresAt!,
      );
      await kept.end();
      expect(await tables.apiKeys.all()).toMatchObject([{ revokedAt: null }]);
    } finally {
      await running.stop();
    }
  });

  test('can not be taken for another one', async () => {
    expectOneLine(
      await run(['key', 'create', '--name', 'voucherd demo', '--scope', 'write'], env()),
      'voucherd: --name: "voucherd demo" is not allowed: keys of that name end with the demo\n',
    );
  });
});

test('a demo has the profiles of a hotel, in order and with a default, and leaves changed ones alone', async () => {
  const running = await startService();
  try {
    const { tables } = running.app;
    await prepareDemo(running.app);
    const profiles = (await tables.profiles.all()).toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
    expect(profiles.map(({ name }) => name)).toEqual([
      ...['Tagesgast', 'Übernachtung', 'Eine Woche', 'Tagung', 'Restaurant'],
    ]);
    expect(profiles.at(-1)).toMatchObject({ maxUses: 1, expireMinutes: 180, down: 10_000, quotaMb: 1000 });
    expect(profiles.map(({ isDefault }) => isDefault)).toEqual([true, false, false, false, false]);
    const actor = { kind: 'command line', name: 'test', address: null } as const;
    const { remove } = makeProfiles(tables.profiles, { now: Date.now });
    for (const { id } of profiles.slice(1)) await remove(id, actor);
    await prepareDemo(running.app);
    expect(await tables.profiles.all()).toHaveLength(1);
  } finally {
    await running.stop();
  }
});

test('--demo is refused beside a real controller, before anything is added or listens', async () => {
  const values = env({ DATA_DIR: await withDatabase('real'), API_KEY: 'geheimeApiPlatzhalter7Qz' });
  const add = ['controller', 'add', '--name', 'Zentrale', '--kind', 'unifi', '--url', 'https://192.0.2.1'];
  expect((await run([...add, '--api-key-env', 'API_KEY'], values)).status).toBe(0);
  expectOneLine(
    await run(['serve', '--demo'], values),
    `voucherd: a demo (npm start, serve --demo) is refused beside real controllers ("Zentrale"), because it prints a key for all sites: start the service without it: ${program} serve; or give the demo data of its own with DATA_DIR or DATABASE_URL`,
  );
  for (const what of ['key', 'site']) expect((await run([what, 'list', '--json'], values)).out).toBe('[]\n');
});

describe('a start that can not succeed ends with one clear line', () => {
  const running = withApi();

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

  describe('because of the key that opens what is stored', () => {
    const address = 'https://hooks.example.org/services/geheimePlatzhalter';
    const other = 'ab'.repeat(32);
    /** Data with a sealed webhook or two. */
    const sealed = async (name: string, ...webhooks: string[]) => {
      const values = env({ DATA_DIR: await withDatabase(name), ADDRESS: address });
      for (const webhook of webhooks) await addWebhook(webhook, values);
      return { values, file: `${folder.path}/${name}/secret.key` };
    };
    const addWebhook = async (name: string, values: Record<string, string>) => {
      const options = ['--name', name, '--format', 'slack', '--url-env', 'ADDRESS'];
      expect((await run(['webhook', 'add', ...options], values)).status).toBe(0);
    };

    test('when it can not be read, although nothing is sealed with it yet', async () => {
      const { values, file } = await sealed('unreadable');
      await mkdir(file);
      expectOneLine(await run(['serve'], values), `voucherd: ${file} can not be read (EISDIR): `);
    });

    test('when the file holds no key', async () => {
      const { values, file } = await sealed('garbage', 'Chat');
      await writeFile(file, 'no key\n');
      expectOneLine(
        await run(['serve'], values),
        `voucherd: ${file} holds no key: put back the one it held: `,
      );
    });

    test('when the key of an interrupted rotation can not be read', async () => {
      const { values, file } = await sealed('interrupted', 'Chat');
      await writeFile(`${file}.old`, 'no key\n');
      expectOneLine(await run(['serve'], values), `voucherd: ${file}.old holds no key: `);
    });

    test('when it is missing: no new one takes its place', async () => {
      const { values, file } = await sealed('missing', 'Chat');
      await rm(file);
      expectOneLine(
        await run(['serve'], values),
        `voucherd: ${file} is missing, which opens what is stored (webhook "Chat"): put back the key that it was sealed with, or, if that is lost, remove the webhook`,
      );
      for (const command of ['list', 'test Chat']) await run(['webhook', ...command.split(' ')], values);
      await addFails(values);
      expect(await readdir(values.DATA_DIR)).not.toContain('secret.key');
    });
    const addFails = async (values: Record<string, string>) =>
      expectOneLine(
        await run(['webhook', 'add', '--name', 'x', '--format', 'slack', '--url-env', 'ADDRESS'], values),
        'webhook "Chat" was sealed with another key',
      );

    test('when it opens nothing of what is stored', async () => {
      const { values, file } = await sealed('another', 'Chat', 'Empfang');
      const opensNothing = 'opens nothing of what is stored (webhook "Chat", webhook "Empfang"): ';
      expectOneLine(
        await run(['serve'], { ...values, SECRET_KEY: other }),
        `voucherd: SECRET_KEY ${opensNothing}`,
      );
      await writeFile(file, other);
      expectOneLine(await run(['serve'], values), `voucherd: the key in ${file} ${opensNothing}`);
    });

    test('but not when it opens some of it', async () => {
      const { values, file } = await sealed('some', 'Chat');
      await addWebhook('Empfang', values);
      const database = openDatabase(`sqlite:${values.DATA_DIR}/voucherd.sqlite`);
      await database.write('webhooks').where({ name: 'Chat' }).update({ sealed_address: 'v2:AAAA' });
      await database.close();
      expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
      const program = startProgram(['serve', '--json'], { ...values, LOG_LEVEL: 'info' });
      await program.url();
      program.process.kill('SIGTERM');
      const { out } = await program.ended;
      expect(out).toMatch(/"level":50,.*"what":"webhook \\"Chat\\"".*can not be used/);
      expect(out).not.toMatch(/"what":"webhook \\"Empfang/);
    });
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
