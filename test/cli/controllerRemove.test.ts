import { expect, test } from '@jest/globals';
import { makeConsoleCli } from '../support/consoleCli.js';
import { startService } from '../support/service.js';

test('a running service copes with a controller that is removed, and still lists its vouchers', async () => {
  const cli = await makeConsoleCli();
  const service = await startService({ dataDir: cli.dataDir });
  try {
    await cli.add('Konsole', 'unifi');
    const id = (await cli.voucherd('site', 'add', '--name', 'Haus', '--controller', 'Konsole')).out.trim();
    const key = await service.addKey();
    const order = () => service.post('/vouchers.php', { site_id: Number(id), name: 'Berger' }, { key });
    expect((await order()).status).toBe(201);
    await cli.voucherd('site', 'deactivate', id);
    expect((await cli.voucherd('controller', 'remove', 'Konsole')).status).toBe(0);
    expect((await order()).status).toBe(404);
    expect((await service.get('/sites.php', { key })).body).toEqual({ sites: [] });
    const listed = await service.get(`/vouchers.php?site_id=${id}`, { key });
    expect(listed.body).toMatchObject({ vouchers: [{ voucher_name: expect.stringMatching(/_Berger$/) }] });
    // The console itself keeps what it made.
    expect(cli.unifi.vouchers()).toHaveLength(1);
    expect(await cli.database.read('controllers').pluck('sealed_credentials')).toEqual([null]);
  } finally {
    await service.stop();
    await cli.remove();
  }
});
