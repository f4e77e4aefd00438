import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { makeServedPaths } from './dispatch.js';
import type { makeDropReporter } from './droppedConnections.js';
import { makeParserErrorResponse, writeParserErrorResponse, type ParserError } from './parserErrors.js';
import type { makePipelining } from './pipelining.js';
import { closeWithoutReading, type ObserveRequest } from './response.js';

interface ClientErrorsDeps {
  readonly pipelining: ReturnType<typeof makePipelining>;
  readonly paths: Pick<ReturnType<typeof makeServedPaths>, 'errorForm' | 'methodsAt'>;
  readonly noteDropped: Pick<ReturnType<typeof makeDropReporter>, 'incomplete'>;
  readonly observe: ObserveRequest;
  newRequestId(): string;
  /** How long the head of a request may take. */
  readonly headersTimeoutMs: number;
}

/** Answers what Node hands over without a response: CONNECT, and what is no HTTP or comes too late. */
export const makeClientErrors = ({
  pipelining,
  paths,
  noteDropped,
  observe,
  newRequestId,
  headersTimeoutMs,
}: ClientErrorsDeps) => {
  const { admit, hasBegunAnswer, lastDue, whenReadAgain, watchProgress } = pipelining;

  /** Does something after the answers that a connection is still owed. */
  const afterAnswers = (socket: Socket, act: () => void): void => {
    const due = lastDue(socket);
    if (due) due.once('close', act);
    else act();
  };

  /** Node leaves a CONNECT alone with its socket. It is answered like any other request. */
  const onConnect = (req: IncomingMessage, socket: Socket): void => {
    socket.on('error', () => undefined);
    socket.on('timeout', () => socket.destroy());
    afterAnswers(socket, () => {
      if (!socket.writable) return;
      const res = new ServerResponse(req);
      res.shouldKeepAlive = false;
      res.assignSocket(socket);
      res.once('finish', () => {
        closeWithoutReading(socket);
      });
      admit(req, res);
    });
  };

  /** A client is not late while we do not read its connection. Afterwards it gets its time once more. */
  const giveMoreTime = (error: ParserError, socket: Socket): boolean =>
    whenReadAgain(socket, () => {
      const hasGoneOn = watchProgress(socket);
      const timer = setTimeout(() => {
        // What has arrived while the process was busy is read first.
        setImmediate(() => {
          if (!socket.destroyed && !hasGoneOn()) onClientError(error, socket);
        });
      }, headersTimeoutMs).unref();
      socket.once('close', () => clearTimeout(timer));
    });

  const refused = new WeakSet<Socket>();
  /** What is no HTTP is refused once. What was asked before it is answered first. */
  const onClientError = (error: ParserError, socket: Socket): void => {
    if (refused.has(socket)) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && giveMoreTime(error, socket)) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    afterAnswers(socket, () => {
      // A request whose body never comes to its end may still
      // be there: the refusal is its answer, unless it has one.
      if (hasBegunAnswer(socket)) {
        socket.destroy();
        noteDropped.incomplete();
      } else if (!socket.writable) closeWithoutReading(socket);
      else {
        const [reqId, refusal] = [
          newRequestId(),
          makeParserErrorResponse(error, paths.methodsAt, paths.errorForm()),
        ];
        const { status, method } = refusal;
        writeParserErrorResponse(socket, reqId, refusal);
        observe({ reqId, operation: 'none', method, status, started: performance.now() });
      }
    });
  };

  return { onConnect, onClientError };
};
