import { beforeAll, expect, test } from '@jest/globals';
import { openRaw } from '../support/rawSocket.js';
import { withService } from '../support/service.js';
import { until } from '../support/until.js';

const service = withService();
let key: string;
beforeAll(async () => {
  key = await service.addKey();
});

const order = (site: number, id: string): string => {
  const body = JSON.stringify({ site_id: site, name: 'Familie Berger' });
  return [
    'POST /vouchers.php HTTP/1.1',
    'Host: localhost',
    `X-API-Key: ${key}`,
    `X-Request-Id: ${id}`,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
};

const lineOf = (id: string): Promise<unknown> =>
  until(`a line of ${id}`, () => {
    const line = service.lines.find((text) => text.includes(`"reqId":"${id}"`) && text.includes('"status"'));
    return line && (JSON.parse(line) as unknown);
  });

test('an order whose client has closed its side leaves a log line, whatever becomes of it', async () => {
  const site = await service.addSite();
  for (let round = 0; round < 20; round += 1) {
    const connection = await openRaw(service.url);
    connection.write(order(site, `half-${round}`));
    connection.end();
    const line = await lineOf(`half-${round}`);
    expect(line).toMatchObject({ operation: 'createVoucher', method: 'POST' });
    expect([201, 499]).toContain((line as { status: number }).status);
    connection.socket.destroy();
  }
});

test('a client that leaves in the middle of its body leaves a line with status 499', async () => {
  const { socket } = await openRaw(service.url);
  socket.end(order(await service.addSite(), 'left').slice(0, -1));
  expect(await lineOf('left')).toMatchObject({ operation: 'createVoucher', status: 499 });
});

test('a client that sends an order and closes its connection at once leaves a line', async () => {
  const site = await service.addSite();
  const abandoned = (): number =>
    service.lines.filter((line) => line.includes('a connection was closed before')).length;
  for (let round = 0; round < 20; round += 1) {
    const { socket } = await openRaw(service.url);
    const [id, before] = [`closed-${round}`, abandoned()];
    await new Promise((resolve) => socket.write(order(site, id), resolve));
    socket.destroy();
    await until(
      'a line',
      () => abandoned() > before || service.lines.some((line) => line.includes(`"reqId":"${id}"`)),
    );
  }
});
