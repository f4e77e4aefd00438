import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/built.js';
import { runBuilt, startProgram } from '../../support/cli.js';
import { makeEmptyPostgresDatabase } from '../../support/databases.js';
import { makeFolder } from '../../support/folder.js';
import { send } from '../../support/service.js';

test.each(['SQLite', 'PostgreSQL'])(
  'the built program takes and lists an order with a key of its command on %s, and ends with 0 on SIGTERM',
  async (name) => {
    // Without it the compiler's output would be started.
    expect(existsSync(join(root, 'dist/program/main.cjs'))).toBe(true);
    const folder = await makeFolder();
    const database = name === 'SQLite' ? undefined : await makeEmptyPostgresDatabase();
    const env = {
      ...{ DATA_DIR: folder.path, PORT: '0', SYNC_INTERVAL_S: '0' },
      // A busy machine may need longer.
      ...{ STOP_DEADLINE_S: '600', DATABASE_TIMEOUT_S: '120' },
      ...(database && { DATABASE_URL: database.url }),
    };
    const service = startProgram(['serve', '--json'], env);
    const url = await service.url();
    const commands = [
      ['controller', 'add', '--name', 'Zentrale', '--kind', 'simulated'],
      ['site', 'add', '--name', 'Haus', '--controller', 'Zentrale'],
      ['key', 'create', '--name', 'Kasse', '--scope', 'write'],
    ];
    const ended = await runBuilt(commands, env);
    expect(ended.map(({ status }) => status)).toEqual([0, 0, 0]);
    const [, site = '', key = ''] = ended.map(({ out }) => out.trim());
    const order = { site_id: Number(site), name: 'Anna' };
    const created = await send(url, 'POST', '/vouchers.php', { key, body: order });
    expect(created).toMatchObject({ status: 201, body: { success: true, site: 'Haus' } });
    const { code } = created.body as { code: string };
    const listed = await send(url, 'GET', `/vouchers.php?site_id=${site}`, { key });
    const voucher = { voucher_code: code, voucher_name: expect.stringMatching(/^[-\d]{10}_Anna$/) };
    expect(listed).toMatchObject({ status: 200, body: { vouchers: [voucher] } });
    service.process.kill('SIGTERM');
    expect((await service.ended).status).toBe(0);
    await database?.drop();
    await folder.remove();
  },
);
