import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are in flight at a time. */
const maxInFlight = 16;
/** While a client leaves this much of its answers unread, no further request of its connection begins. */
const maxUnsentBytes = 64 * 1024;
/** Requests of all connections that were read and have not begun. Node holds about 4 KB for each. */
const maxWaiting = 4_000;

/** Bounds what a client that sends requests without reading the answers makes the service hold. */
export interface Pipelining {
  /** Begins a request at once, or when enough of the earlier ones on its connection are answered. */
  admit(res: ServerResponse, begin: () => void): void;
  /** Has an answer of the connection begun that is not complete? */
  hasBegunAnswer(socket: Socket): boolean;
  /** The last answer that a connection is still owed: a request whose body is incomplete gets none. */
  lastDue(socket: Socket): ServerResponse | undefined;
}

interface Waiting {
  readonly res: ServerResponse;
  begin(): void;
}

interface Connection {
  readonly socket: Socket;
  readonly inFlight: Set<ServerResponse>;
  readonly waiting: Waiting[];
  /** Does its socket stay paused while requests wait? */
  held: boolean;
  /** Are further requests of it about to begin? */
  isScheduled: boolean;
}

/**
 * Node parses everything that one read of a socket brings, up to 64 KiB or 2,500 requests, before anything can stop
 * it. So what is over the limit waits here, and the socket is not read meanwhile. `onDropped` hears of connections
 * that were ended because too many requests wait in all.
 */
export const makePipelining = (onDropped: () => void): Pipelining => {
  const connections = new WeakMap<Socket, Connection>();
  let waitingInAll = 0;

  const connectionOf = (socket: Socket): Connection => {
    let connection = connections.get(socket);
    if (!connection) {
      connection = { socket, inFlight: new Set(), waiting: [], held: false, isScheduled: false };
      connections.set(socket, connection);
    }
    return connection;
  };

  const start = (connection: Connection, { res, begin }: Waiting): void => {
    connection.inFlight.add(res);
    res.once('close', () => {
      connection.inFlight.delete(res);
      if (connection.waiting.length > 0) scheduleNext(connection);
    });
    begin();
  };

  /** Short answers are over at once: without a turn of the event loop nobody else would be read in between. */
  const scheduleNext = (connection: Connection): void => {
    if (connection.isScheduled) return;
    connection.isScheduled = true;
    setImmediate(startNext, connection);
  };

  const startNext = (connection: Connection): void => {
    const { socket, waiting } = connection;
    connection.isScheduled = false;
    while (waiting.length > 0 && socket.writable && hasRoom(connection)) {
      waitingInAll -= 1;
      start(connection, waiting.shift() as Waiting);
    }
    if (waiting.length === 0) socket.resume();
  };

  const hold = (connection: Connection): void => {
    const { socket, waiting } = connection;
    socket.pause();
    if (connection.held) return;
    connection.held = true;
    // Node resumes a socket after each request that it has parsed.
    socket.on('resume', () => {
      if (waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      waitingInAll -= waiting.length;
      waiting.length = 0;
    });
  };

  return {
    admit: (res, begin) => {
      const { socket } = res.req;
      // What the parser finds in the rest of a read whose connection was ended.
      if (socket.destroyed) return;
      const connection = connectionOf(socket);
      if (connection.waiting.length === 0 && hasRoom(connection)) {
        start(connection, { res, begin });
      } else if (waitingInAll < maxWaiting) {
        waitingInAll += 1;
        connection.waiting.push({ res, begin });
        hold(connection);
      } else {
        socket.destroy();
        onDropped();
      }
    },
    hasBegunAnswer: (socket) => [...connectionOf(socket).inFlight].some(({ headersSent }) => headersSent),
    lastDue: (socket) => {
      const { inFlight, waiting } = connectionOf(socket);
      return [...inFlight, ...waiting.map(({ res }) => res)].findLast(({ req }) => req.complete);
    },
  };
};

const hasRoom = ({ inFlight }: Connection): boolean => {
  if (inFlight.size === 0) return true;
  if (inFlight.size >= maxInFlight) return false;
  let unsentBytes = 0;
  for (const { writableLength } of inFlight) unsentBytes += writableLength;
  return unsentBytes < maxUnsentBytes;
};
