import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are in flight at a time. */
const maxInFlightPerConnection = 16;
/** While a client leaves this much of its answers unread, no further request of its connection begins. */
const maxUnsentBytes = 64 * 1024;
/** Requests of all connections that wait for earlier ones. Node holds about 4 KB for each. */
const maxDelayedRequests = 4_000;

/** Bounds what a client that sends requests without reading the answers makes the service hold. */
interface Pipelining {
  /**
   * Begins a request in this turn of the event loop, or when
   * enough earlier ones of its connection are answered.
   */
  admit(req: IncomingMessage, res: ServerResponse): void;
  /** Has an answer of the connection begun that is not complete? */
  hasBegunAnswer(socket: Socket): boolean;
  /** Is there a request of the connection without an answer? */
  isOwedAnswer(socket: Socket): boolean;
  /** The answer whose turn it is on a connection, if it is owed one. */
  nextDue(socket: Socket): ServerResponse | undefined;
  /** The last answer that a connection is still owed: a request whose body is incomplete gets none. */
  lastDue(socket: Socket): ServerResponse | undefined;
  /**
   * Does something as soon as a connection is read again. False when it is read now: then nothing is done.
   */
  whenReadAgain(socket: Socket, act: () => void): boolean;
  /** Has the request that a connection is in the middle of become complete since this was called? */
  watchProgress(socket: Socket): () => boolean;
}

interface PipeliningOptions {
  /**
   * `at` is what `performance.now()` said when the request was read; for one that had to wait,
   * when it could begin. When others of its connection wait or are in flight (`isPipelined`), an answer must
   * not be put off once it is known: how much of it is unread decides whether the next may begin.
   */
  begin(req: IncomingMessage, res: ServerResponse, at: number, isPipelined: boolean): void;
  /** Called when a connection was ended because too many requests wait in all. */
  onDropped(): void;
  /** Called when a connection was closed before this many of its requests could begin. */
  onAbandoned(requests: number): void;
}

interface PipelinedConnection {
  readonly socket: Socket;
  readonly inFlight: Set<ServerResponse>;
  /** Requests that were read and have not begun. */
  readonly waiting: ServerResponse[];
  /** How many of them wait for answers to earlier ones. */
  delayed: number;
  /** Does its socket stay paused while requests wait? */
  held: boolean;
  /** Was it ended because too many requests wait? */
  isDropped: boolean;
  /** How many requests of it were read. */
  read: number;
  /** What is to be done when it is read again. */
  onReadAgain: (() => void) | undefined;
}

/**
 * Node parses everything that one read of a socket brings, up to 64 KiB or 2,500 requests,
 * before anything can stop it. So what is over the limit waits here, and the socket is not read meanwhile.
 *
 * What one turn of the event loop brings is read first and begun then: the processor's caches stay warm while
 * it repeats one kind of work, which makes lists over 32 connections up to a third faster.
 */
export const makePipelining = ({ begin, onDropped, onAbandoned }: PipeliningOptions): Pipelining => {
  const connections = new WeakMap<Socket, PipelinedConnection>();
  let delayedInAll = 0;
  /**
   * Have there been too many, of which more than half still wait? The room that a connection leaves when it
   * is ended must not be filled by the next one, which would be ended, too:
   * parsing that for nothing takes the time of others.
   */
  let isFull = false;
  /** The connections with requests of this turn. */
  let read: PipelinedConnection[] = [];
  let readAt = 0;
  /** The connections of which further requests are about to begin, in the order of their turns. */
  const scheduled = new Set<PipelinedConnection>();

  const connectionOf = (socket: Socket): PipelinedConnection => {
    let connection = connections.get(socket);
    if (!connection) {
      connection = {
        socket,
        inFlight: new Set(),
        waiting: [],
        delayed: 0,
        held: false,
        isDropped: false,
        read: 0,
        onReadAgain: undefined,
      };
      connections.set(socket, connection);
    }
    return connection;
  };

  const noteDelayed = (connection: PipelinedConnection, count: number): void => {
    delayedInAll += count - connection.delayed;
    connection.delayed = count;
    if (delayedInAll <= maxDelayedRequests / 2) isFull = false;
  };

  const abandon = (connection: PipelinedConnection): void => {
    const { waiting } = connection;
    if (waiting.length > 0 && !connection.isDropped) onAbandoned(waiting.length);
    waiting.length = 0;
    noteDelayed(connection, 0);
  };

  /** One function for all responses, because each of them gets it. */
  const onClose = function (this: ServerResponse): void {
    const connection = connectionOf(this.req.socket);
    connection.inFlight.delete(this);
    if (connection.waiting.length > 0) scheduleNext(connection);
  };

  const beginWaiting = (connection: PipelinedConnection, at: number): void => {
    const { socket, inFlight, waiting } = connection;
    while (waiting.length > 0 && socket.writable && hasRoom(connection)) {
      const res = waiting.shift() as ServerResponse;
      inFlight.add(res);
      begin(res.req, res, at, waiting.length > 0 || inFlight.size > 1);
    }
    if (!socket.writable) abandon(connection);
    noteDelayed(connection, waiting.length);
    if (waiting.length > 0) hold(connection);
    else if (connection.held) {
      socket.resume();
      const { onReadAgain } = connection;
      connection.onReadAgain = undefined;
      onReadAgain?.();
    }
  };

  const beginRead = (): void => {
    const [all, at] = [read, readAt];
    read = [];
    for (const connection of all) beginWaiting(connection, at);
  };

  /**
   * Short responses are finished at once: the event loop must run in between,
   * so that other connections are read. And a turn must be short however many connections wait,
   * because each turn accepts one new connection. So it goes on with one of those that wait.
   * That has an immediate of its own: what is read in a turn must begin after the immediates that were queued
   * before it came, or it could be answered from a revision that was looked up earlier.
   */
  const scheduleNext = (connection: PipelinedConnection): void => {
    if (scheduled.size === 0) setImmediate(beginNext);
    scheduled.add(connection);
  };

  const beginNext = (): void => {
    const [connection] = scheduled;
    if (!connection) return;
    scheduled.delete(connection);
    if (scheduled.size > 0) setImmediate(beginNext);
    beginWaiting(connection, performance.now());
  };

  const hold = (connection: PipelinedConnection): void => {
    const { socket, waiting } = connection;
    socket.pause();
    if (connection.held) return;
    connection.held = true;
    // Node resumes a socket after each request that it has parsed.
    socket.on('resume', () => {
      if (waiting.length > 0) socket.pause();
    });
    socket.once('close', () => abandon(connection));
  };

  return {
    admit: ({ socket }, res) => {
      // What the parser finds in the rest of a read whose connection was ended.
      if (socket.destroyed) return;
      const connection = connectionOf(socket);
      const { inFlight, waiting, delayed } = connection;
      connection.read += 1;
      if (delayed > 0 || inFlight.size + waiting.length >= maxInFlightPerConnection) {
        isFull ||= delayedInAll >= maxDelayedRequests;
        if (isFull) {
          connection.isDropped = true;
          socket.destroy();
          stopParsing(socket);
          onDropped();
          return;
        }
        noteDelayed(connection, delayed + 1);
        hold(connection);
      }
      waiting.push(res);
      // Registered first, so that it runs before other close listeners:
      // a complete answer is no longer in flight.
      res.on('close', onClose);
      if (waiting.length > 1) return;
      if (read.length === 0) {
        readAt = performance.now();
        setImmediate(beginRead);
      }
      read.push(connection);
    },
    whenReadAgain: (socket, act) => {
      const connection = connectionOf(socket);
      if (connection.waiting.length === 0) return false;
      connection.onReadAgain = act;
      return true;
    },
    ...makeConnectionReader(connectionOf),
  };
};

/** Says what a connection is owed, and how far its requests have come. */
const makeConnectionReader = (
  connectionOf: (socket: Socket) => PipelinedConnection,
): Omit<Pipelining, 'admit' | 'whenReadAgain'> => ({
  hasBegunAnswer: (socket) => [...connectionOf(socket).inFlight].some(({ headersSent }) => headersSent),
  isOwedAnswer: (socket) => {
    const { inFlight, waiting } = connectionOf(socket);
    return inFlight.size + waiting.length > 0;
  },
  nextDue: (socket) => {
    const { inFlight, waiting } = connectionOf(socket);
    const [first = waiting[0]] = inFlight;
    return first;
  },
  lastDue: (socket) => {
    const { inFlight, waiting } = connectionOf(socket);
    return [...inFlight, ...waiting].findLast(({ req }) => req.complete);
  },
  watchProgress: (socket) => {
    const connection = connectionOf(socket);
    const { inFlight, waiting, read } = connection;
    const incomplete = [...inFlight, ...waiting].find(({ req }) => !req.complete)?.req;
    return () => connection.read > read || incomplete?.complete === true;
  },
});

/**
 * Stops parsing what was already read of a destroyed connection: up to 2,500 requests, which cost memory and
 * the time of others. The value 2 tells the parser that an upgrade follows, so it ignores the rest.
 * Node does not document this; if a version works differently, the rest is parsed and `admit` discards it.
 */
const stopParsing = (socket: Socket): void => {
  const { parser } = socket as { parser?: { onIncoming: () => number } | null };
  if (parser) parser.onIncoming = () => 2;
};

const hasRoom = ({ inFlight }: PipelinedConnection): boolean => {
  if (inFlight.size === 0) return true;
  if (inFlight.size >= maxInFlightPerConnection) return false;
  let unsentBytes = 0;
  for (const { writableLength } of inFlight) unsentBytes += writableLength;
  return unsentBytes < maxUnsentBytes;
};
