import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { openRaw } from '../support/rawSocket.js';
import { until } from '../support/until.js';

const api = withApi();

const order = (site: number, id: string): string => {
  const body = JSON.stringify({ site_id: site, name: 'Familie Berger' });
  return [
    'POST /vouchers.php HTTP/1.1',
    'Host: localhost',
    `X-API-Key: ${api.key}`,
    `X-Request-Id: ${id}`,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
};

const lineOf = (id: string): Promise<unknown> =>
  until(`a line of ${id}`, () => {
    const line = api.lines.find((text) => text.includes(`"reqId":"${id}"`) && text.includes('"status"'));
    return line && (JSON.parse(line) as unknown);
  });

test('an order whose client has closed its side leaves a log line, whatever becomes of it', async () => {
  const site = await api.addSite();
  for (let round = 0; round < 20; round += 1) {
    const connection = await openRaw(api.url);
    connection.write(order(site, `half-${round}`));
    connection.end();
    const line = await lineOf(`half-${round}`);
    expect(line).toMatchObject({ operation: 'createVoucher', method: 'POST' });
    expect([201, 499]).toContain((line as { status: number }).status);
    connection.socket.destroy();
  }
});

test('a client that leaves in the middle of its body leaves a line with status 499', async () => {
  const { socket } = await openRaw(api.url);
  socket.end(order(await api.addSite(), 'left').slice(0, -1));
  expect(await lineOf('left')).toMatchObject({ operation: 'createVoucher', status: 499 });
});

test('a client that sends an order and closes its connection at once leaves a line', async () => {
  const site = await api.addSite();
  const abandoned = (): number =>
    api.lines.filter((line) => line.includes('a connection was closed before')).length;
  for (let round = 0; round < 20; round += 1) {
    const { socket } = await openRaw(api.url);
    const [id, before] = [`closed-${round}`, abandoned()];
    await new Promise((resolve) => socket.write(order(site, id), resolve));
    socket.destroy();
    await until(
      'a line',
      () => abandoned() > before || api.lines.some((line) => line.includes(`"reqId":"${id}"`)),
    );
  }
});
