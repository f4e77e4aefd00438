import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/config/config.js';
import { checkPermissions } from '../../../src/diagnostics/filePermissions.js';
import { program, run } from '../../support/cli.js';
import { forAllTests } from '../../support/fixture.js';
import { startService } from '../../support/service.js';
import { doctor, makeDoctorFolder } from './doctorFixture.js';

const folder = forAllTests(makeDoctorFolder, 'remove');

test('service: when it does not run, the command that starts it is named', async () => {
  const { find } = await doctor(await folder.prepared('stopped', ['migrate']));
  expect(find('service')).toMatchObject({
    ok: false,
    message: expect.stringContaining('http://127.0.0.1:1/readyz'),
    remedy: `start it: ${program} serve`,
  });
});

describe('service', () => {
  const answering = async (
    listener: RequestListener,
    work: (port: string) => Promise<void>,
  ): Promise<void> => {
    const server: Server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    try {
      await work(String(typeof address === 'object' ? address?.port : ''));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  const serviceAt = async (env: Record<string, string>, PORT: string) =>
    (await doctor({ ...env, PORT })).find('service');
  let own: Record<string, string>;
  const service = forAllTests(startService, 'stop');
  beforeAll(async () => {
    own = { DATA_DIR: service.dataDir };
  });
  const port = () => new URL(service.url).port;

  test('is recognised by its database', async () => {
    expect(await serviceAt(own, port())).toEqual({
      check: 'service',
      ok: true,
      message: `ready at ${service.url}/readyz`,
    });
  });

  test('with another database is another one, also when that is a restored backup of this one', async () => {
    const other = await folder.prepared('another', ['migrate']);
    const backup = `${folder.path}/a.backup`;
    const restored = { DATA_DIR: `${folder.path}/trial` };
    expect(await run(['backup', backup], own)).toMatchObject({ status: 0 });
    expect(await run(['restore', backup, '--data-dir', restored.DATA_DIR])).toMatchObject({ status: 0 });
    for (const env of [other, restored])
      expect(await serviceAt(env, port())).toMatchObject({
        ok: false,
        message: `${service.url}/readyz: another voucherd answers there, which uses another database`,
        remedy: 'set HOST and PORT, and DATA_DIR or DATABASE_URL, to those of one service',
      });
    expect(await serviceAt({ DATA_DIR: `${folder.path}/no/where` }, port())).toMatchObject({
      ok: false,
      message: expect.stringContaining('a service is ready there, but not known to be this one'),
    });
  });

  const endless: RequestListener = (_, response) => {
    const write = (): void => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    response.on('error', () => undefined);
    write();
  };
  test.each<[string, RequestListener, string]>([
    ['a page', (_, response) => response.end('<h1>It works</h1>'), 'another program answers there (200)'],
    ['JSON', (_, response) => response.end('{"status":"up"}'), 'another program answers there (200)'],
    ['null', (_, response) => response.end('null'), 'another program answers there (200)'],
    ['an error', (_, response) => response.writeHead(404).end('{"status":"ready"}'), 'answers there (404)'],
    [
      'a redirection',
      (_, response) => response.writeHead(302, { Location: '/' }).end(),
      'answers there (302)',
    ],
    ['without an end', endless, '/readyz: '],
    [
      'not ready',
      (_, response) => response.writeHead(503).end('{"status":"unavailable","reason":"no \\u001b[31m"}'),
      'it runs, but is not ready: no  [31m',
    ],
  ])('what answers %s is no service that is ready', async (_, listener, message) => {
    await answering(listener, async (at) => {
      expect(await serviceAt(own, at)).toMatchObject({
        ok: false,
        message: expect.stringContaining(message),
      });
    });
  });

  test('that is a mock does not say which database it uses', async () => {
    await answering(
      (_, response) => response.end('{"status":"ready"}'),
      async (at) => {
        expect(await serviceAt(own, at)).toMatchObject({
          ...{ ok: true, level: 'warning' },
          message: expect.stringContaining('it does not say which database it uses'),
        });
      },
    );
  });
});

describe('permissions', () => {
  const permissions = async (env: Record<string, string>) => (await doctor(env)).find('permissions');

  test('files for their user alone are in order; where there are none, it says that', async () => {
    const env = await folder.prepared('private', ['migrate']);
    expect(await permissions(env)).toMatchObject({
      ok: true,
      message: 'no other user of this machine can open the files',
    });
    const none = { DATA_DIR: `${folder.path}/nothing/here`, PORT: '1' };
    expect(await permissions(none)).toMatchObject({
      ok: true,
      message: `there are no files yet: nothing in ${none.DATA_DIR}`,
    });
    mkdirSync(none.DATA_DIR, { recursive: true });
    expect(await permissions(none)).toMatchObject({
      message: expect.stringContaining('there are no files yet'),
    });
  });

  test('a file of a secret that others can read is named', async () => {
    chmodSync(folder.path, 0o755);
    const env = await folder.prepared('secrets', ['migrate']);
    const token = `${folder.path}/metrics-token`;
    writeFileSync(token, 'geheimerPlatzhalter4Xz', { mode: 0o644 });
    chmodSync(token, 0o644);
    const found = await permissions({ ...env, METRICS_TOKEN_FILE: token });
    expect(found).toMatchObject({
      ok: false,
      message: `every user of this machine can open ${token}`,
      remedy: `chmod o= "${token}"`,
    });
    chmodSync(token, 0o600);
    expect(await permissions({ ...env, METRICS_TOKEN_FILE: token })).toMatchObject({ ok: true });
  });

  const isRoot = process.geteuid?.() === 0;
  (isRoot ? test : test.skip)(
    'another user is told that it is not known (skipped unless run as root)',
    async () => {
      const { DATA_DIR: dataDir = '' } = await folder.prepared('foreign', ['migrate']);
      process.seteuid?.(65_534);
      const found = await checkPermissions(readConfig({ DATA_DIR: dataDir })).finally(() =>
        process.seteuid?.(0),
      );
      expect(found).toEqual({
        check: 'permissions',
        ok: false,
        message: { code: 'files-hidden', values: { files: expect.stringContaining(dataDir) } },
        remedy: { code: 'other-user', values: {} },
      });
    },
  );

  (isRoot ? test.skip : test)(
    'a file that this user can not open is named (skipped when run as root)',
    async () => {
      const { DATA_DIR: dataDir = '' } = await folder.prepared('closed', ['migrate']);
      const key = `${dataDir}/secret.key`;
      writeFileSync(key, '0a'.repeat(32), { mode: 0o000 });
      expect(await checkPermissions(readConfig({ DATA_DIR: dataDir }))).toMatchObject({
        ok: false,
        message: { code: 'files-not-usable', values: { files: key } },
      });
    },
  );
});
