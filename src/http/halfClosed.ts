import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most answers have begun by then. */
const probeIntervalMs = 250;

/**
 * A client that has closed its side may have sent all it wants to send and still read, or may be gone:
 * both look the same until something is sent. So while it waits for an answer that has not begun,
 * it gets an interim one, which clients of HTTP/1.1 skip. One that is gone resets the connection,
 * which the next interim answer finds out; then the work for it is given up.
 * `nextDue` returns the answer whose turn it is on the connection.
 */
export const probeWhenHalfClosed = (socket: Socket, nextDue: () => ServerResponse | undefined): void => {
  socket.once('end', () => {
    const timer = setInterval(() => {
      const due = nextDue();
      if (due && canProbe(due)) due.writeContinue();
    }, probeIntervalMs).unref();
    socket.once('close', () => clearInterval(timer));
  });
};

const canProbe = ({ req, socket, headersSent }: ServerResponse): boolean =>
  req.httpVersion === '1.1' && socket !== null && !headersSent;
