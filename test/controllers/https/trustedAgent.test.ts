import { once } from 'node:events';
import { request } from 'node:https';
import { expect, test } from '@jest/globals';
import { makeTrustedAgent } from '../../../src/controllers/https/trust.js';
import { until } from '../../support/until.js';
import { startTarget, well } from './target.js';

test('connections that are dropped at once are followed by no more than are needed', async () => {
  const target = await startTarget(() => undefined);
  const { url, fingerprint } = target;
  const settings = { url, fingerprint, ca: undefined, maxCalls: 4 };
  const { agent, destroy } = makeTrustedAgent({ settings, name: 'Zentrale', connectMs: 60_000 });
  const hanging = [1, 2, 3, 4].map(() =>
    request(url, { agent })
      .on('error', () => undefined)
      .end(),
  );
  await until('all hang', () => target.requests.length === 4);
  target.answer(well);
  for (const each of hanging) each.destroy();
  // The agent still counts the four, and it must not connect once for each of them.
  const [response] = (await once(request(url, { agent }).end(), 'response')) as [NodeJS.ReadableStream];
  await once(response.resume(), 'end');
  await until(
    'the dropped ones are closed',
    () => agent.sockets[Object.keys(agent.sockets)[0] ?? ''] === undefined,
  );
  expect(target.handshakes).toBe(5);
  destroy();
  await target.stop();
});
