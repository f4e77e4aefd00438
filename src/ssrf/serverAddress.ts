import { isIP } from 'node:net';
import { Refusal } from '../errors/problem.js';
import { AddressRefused, makeSsrfGuard, type SsrfGuard } from './ssrfGuard.js';

/**
 * Servers that administrators choose, such as a mail server, stand in public and private networks,
 * or on this machine. What is refused are addresses that no server has,
 * above all the link-local ones where clouds hand out credentials.
 */
export const serverGuard: SsrfGuard = makeSsrfGuard([
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  ...['127.0.0.0/8', '::1'],
]);

const addressRefused = (): Refusal =>
  new Refusal('server-address-refused', 'a server can not have this address');

/** Refuses what is no name and no address, or one that no server can have. */
export const checkServerHost = (host: string, refuse: () => Refusal = addressRefused): void => {
  const isName = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i.test(host) && !/^[\d.]+$/.test(host);
  if (!isName && isIP(host) === 0)
    throw new Refusal('host-invalid', 'a name or an address, without anything else', 'invalid');
  try {
    checkAddress(host);
  } catch (error) {
    throw error instanceof AddressRefused ? refuse() : error;
  }
};

const checkAddress = (host: string): URL =>
  serverGuard.check(`http://${isIP(host) === 6 ? `[${host}]` : host}/`);

/** The address of a server, resolved once, so that the checked and the used one cannot differ. */
export const resolveServer = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    checkAddress(host);
    if (isIP(host) !== 0) resolve(host);
    else
      serverGuard.lookup(host, {}, (error, address) => {
        if (error) reject(error);
        else resolve(typeof address === 'string' ? address : (address[0]?.address ?? host));
      });
  });
