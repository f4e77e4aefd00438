import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Keeps requests out that could do nothing but wait. */
export interface Admission {
  /** Takes a request in. False when it is to be refused before anything is done for it; then it need not leave. */
  enter(): boolean;
  leave(): void;
}

interface AdmissionOptions {
  /** How many requests of operations may be in flight. */
  maxInFlight: number;
  /** What every operation needs. */
  readonly database: { readonly isUnavailable: boolean };
}

export const makeAdmission = ({ maxInFlight, database }: AdmissionOptions): Admission => {
  let inFlight = 0;
  return {
    enter: () => {
      if (inFlight >= maxInFlight || database.isUnavailable) return false;
      inFlight += 1;
      return true;
    },
    leave: () => {
      inFlight -= 1;
    },
  };
};

/** Requests of one connection that are in flight at a time. */
const maxInFlightPerConnection = 16;
/** While a client leaves this much of its answers unread, no further request of its connection begins. */
const maxUnsentBytes = 64 * 1024;
/** Requests of all connections that were read and have not begun. Node holds about 4 KB for each. */
const maxWaitingRequests = 4_000;

/** Bounds what a client that sends requests without reading the answers makes the service hold. */
interface Pipelining {
  /** Begins a request at once, or when enough of the earlier ones on its connection are answered. */
  admit(req: IncomingMessage, res: ServerResponse): void;
  /** Has an answer of the connection begun that is not complete? */
  hasBegunAnswer(socket: Socket): boolean;
  /** The last answer that a connection is still owed: a request whose body is incomplete gets none. */
  lastDue(socket: Socket): ServerResponse | undefined;
}

interface PipeliningOptions {
  /** `readAt` is what `performance.now()` said when it was read. */
  begin(req: IncomingMessage, res: ServerResponse, readAt: number): void;
  /** Called when a connection was ended because too many requests wait in all. */
  onDropped(): void;
}

interface PipelinedConnection {
  readonly socket: Socket;
  /** The answers that were not complete when last looked at. */
  inFlight: ServerResponse[];
  readonly waiting: ServerResponse[];
  /** Does its socket stay paused while requests wait? */
  held: boolean;
  /** Are further requests of it about to begin? */
  isScheduled: boolean;
}

/**
 * Node parses everything that one read of a socket brings, up to 64 KiB or 2,500 requests, before anything can stop
 * it. So what is over the limit waits here, and the socket is not read meanwhile.
 */
export const makePipelining = ({ begin, onDropped }: PipeliningOptions): Pipelining => {
  const connections = new WeakMap<Socket, PipelinedConnection>();
  let waitingInAll = 0;

  const connectionOf = (socket: Socket): PipelinedConnection => {
    let connection = connections.get(socket);
    if (!connection) {
      connection = { socket, inFlight: [], waiting: [], held: false, isScheduled: false };
      connections.set(socket, connection);
    }
    return connection;
  };

  /**
   * What one turn of the event loop brings is read first and begun then: a processor that does the same again and again
   * is faster, by a third for lists over 32 connections.
   */
  let read: ServerResponse[] = [];
  let readAt = 0;
  const beginRead = (): void => {
    const [all, at] = [read, readAt];
    read = [];
    for (const res of all) begin(res.req, res, at);
  };
  const start = (connection: PipelinedConnection, res: ServerResponse): void => {
    connection.inFlight.push(res);
    if (read.length === 0) {
      readAt = performance.now();
      setImmediate(beginRead);
    }
    read.push(res);
  };

  /** Short responses are finished at once: the event loop must run in between, so that other connections are read. */
  const scheduleNext = (connection: PipelinedConnection): void => {
    if (connection.isScheduled) return;
    connection.isScheduled = true;
    setImmediate(startNext, connection);
  };

  const startNext = (connection: PipelinedConnection): void => {
    const { socket, waiting } = connection;
    connection.isScheduled = false;
    while (waiting.length > 0 && socket.writable && hasRoom(connection)) {
      waitingInAll -= 1;
      start(connection, waiting.shift() as ServerResponse);
    }
    if (waiting.length === 0) socket.resume();
    else goOnAfter(connection);
  };

  /** Only requests that wait need to hear that an answer is complete. */
  const goOnAfter = (connection: PipelinedConnection): void => {
    connection.inFlight[0]?.once('close', () => scheduleNext(connection));
  };

  const hold = (connection: PipelinedConnection): void => {
    const { socket, waiting } = connection;
    socket.pause();
    if (waiting.length === 1) goOnAfter(connection);
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
    admit: ({ socket }, res) => {
      // What the parser finds in the rest of a read whose connection was ended.
      if (socket.destroyed) return;
      const connection = connectionOf(socket);
      if (connection.waiting.length === 0 && hasRoom(connection)) {
        start(connection, res);
      } else if (waitingInAll < maxWaitingRequests) {
        waitingInAll += 1;
        connection.waiting.push(res);
        hold(connection);
      } else {
        socket.destroy();
        onDropped();
      }
    },
    hasBegunAnswer: (socket) =>
      connectionOf(socket).inFlight.some(({ closed, headersSent }) => !closed && headersSent),
    lastDue: (socket) => {
      const { inFlight, waiting } = connectionOf(socket);
      return [...inFlight, ...waiting].findLast(({ closed, req }) => !closed && req.complete);
    },
  };
};

const hasRoom = (connection: PipelinedConnection): boolean => {
  if (connection.inFlight.length > 0)
    connection.inFlight = connection.inFlight.filter(({ closed }) => !closed);
  const { inFlight } = connection;
  if (inFlight.length === 0) return true;
  if (inFlight.length >= maxInFlightPerConnection) return false;
  let unsentBytes = 0;
  for (const { writableLength } of inFlight) unsentBytes += writableLength;
  return unsentBytes < maxUnsentBytes;
};
