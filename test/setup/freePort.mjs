import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that Linux gives to whoever asks for any: another test can't get it before it is used, or meanwhile. */
const [lowest, count] = [15_000, 15_000];

const isFree = (port) =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** A port of this machine that nobody listens on. */
export const findFreePort = async () => {
  for (;;) {
    const port = lowest + randomInt(count);
    if (await isFree(port)) return port;
  }
};
