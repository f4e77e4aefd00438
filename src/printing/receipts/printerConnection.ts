import { connect, isIP, type Socket } from 'node:net';
import { errorCode, Refusal } from '../../lib/problem.js';
import { AddressRefused, makeSsrfGuard } from '../../notifications/ssrfGuard.js';
import type { Printer } from '../../storage/printers.js';

/** Sends receipts to a printer, one after the other. Throws `Refusal`. */
export type SendToPrinter = (
  printer: Pick<Printer, 'host' | 'port'>,
  receipts: readonly Uint8Array[],
) => Promise<void>;

/**
 * Printers stand in private networks, or behind a print server on this machine. Everything else that is not public is
 * refused, above all the link-local addresses where clouds hand out credentials. Only administrators set the address.
 */
const guard = makeSsrfGuard([
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  ...['127.0.0.0/8', '::1'],
]);

/** Refuses a name or address that no printer can have. */
export const checkPrinterHost = (host: string): void => {
  const isName = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i.test(host) && !/^[\d.]+$/.test(host);
  if (!isName && isIP(host) === 0)
    throw new Refusal('host-invalid', 'a name or an address, without anything else', 'invalid');
  try {
    guard.check(`http://${isIP(host) === 6 ? `[${host}]` : host}/`);
  } catch (error) {
    throw error instanceof AddressRefused ? refuseAddress() : error;
  }
};

const refuseAddress = (): Refusal =>
  new Refusal('printer-address-refused', 'a printer can not have this address');

/** How long a printer may take to accept a connection, and to take one receipt: it prints meanwhile. */
export const printerTimeoutMs = 15_000;
/** How long a printer that has everything may take to close the connection. Some never do. */
const closeTimeoutMs = 1000;

export const makeSendToPrinter =
  (timeoutMs = printerTimeoutMs): SendToPrinter =>
  async ({ host, port }, receipts) => {
    checkPrinterHost(host);
    const socket = connect({ host, port, lookup: guard.lookup });
    // An error may come once more after the step that it ended: it must not end the process.
    socket.on('error', () => undefined);
    const steps = async (): Promise<void> => {
      await step(socket, timeoutMs, (done) => socket.once('connect', () => done()));
      // Answers of the printer are of no interest, but would keep the connection open.
      socket.resume();
      for (const receipt of receipts) await step(socket, timeoutMs, (done) => socket.write(receipt, done));
      await step(socket, timeoutMs, (done) => socket.end(done));
      await step(socket, closeTimeoutMs, (done) => socket.once('close', () => done())).catch(
        (error: unknown) => {
          if (!(error instanceof TimeoutExceeded)) throw error;
        },
      );
    };
    try {
      await steps();
    } catch (error) {
      throw toRefusal(error);
    } finally {
      socket.destroy();
    }
  };

class TimeoutExceeded extends Error {
  override readonly name = 'TimeoutExceeded';
}

/** Waits for one thing, an error of the connection, or the timeout. */
const step = (
  socket: Socket,
  timeoutMs: number,
  begin: (done: (error?: Error | null) => void) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      socket.off('error', fail);
      settle();
    };
    const fail = (error: Error): void => finish(() => reject(error));
    const timer = setTimeout(() => fail(new TimeoutExceeded()), timeoutMs);
    socket.on('error', fail);
    begin((error) => (error ? fail(error) : finish(resolve)));
  });

const toRefusal = (error: unknown): Refusal => {
  if (error instanceof TimeoutExceeded)
    return new Refusal('printer-silent', 'the printer does not take the receipt');
  if (error instanceof AddressRefused) return refuseAddress();
  if (['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ERR_STREAM_DESTROYED'].includes(errorCode(error)))
    return new Refusal('printer-disconnected', 'the printer closed the connection');
  return new Refusal('printer-unreachable', 'the printer can not be reached');
};
