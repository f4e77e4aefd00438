import { connect, type Socket } from 'node:net';
import { Refusal } from '../../errors/problem.js';
import { errorCode } from '../../lib/errorCode.js';
import { checkServerHost, serverGuard } from '../../ssrf/serverAddress.js';
import { AddressRefused } from '../../ssrf/ssrfGuard.js';
import type { Printer } from '../printerTable.js';
import { CodedError } from '../../errors/codedError.js';

/** What is known of sent receipts: the printer confirms that it is ready, or does not answer. */
export type PrintOutcome = 'confirmed' | 'sent';

/** Sends receipts to a printer, one after the other. Throws `Refusal`. */
export type SendToPrinter = (
  printer: Pick<Printer, 'host' | 'port'>,
  receipts: readonly Uint8Array[],
) => Promise<PrintOutcome>;

/**
 * Refuses a name or address that no printer can have: it is
 * in a private network, or behind a print server here.
 */
export const checkPrinterHost = (host: string): void => checkServerHost(host, refuseAddress);

const refuseAddress = (): Refusal =>
  new Refusal('printer-address-refused', 'a printer can not have this address');

/** How long a printer may take. */
export interface PrinterTimeouts {
  /**
   * To accept a connection, to accept one receipt, and then to confirm that it is ready: it prints meanwhile.
   */
  readonly stepMs: number;
  /** To report its state for the first time. Printers that can do so take milliseconds. */
  readonly answerMs: number;
  /** To close the connection when it has everything. Some never do. */
  readonly closeMs: number;
  /** For all of it, for each receipt and in addition to that. */
  readonly jobMs: number;
  readonly receiptMs: number;
}

export const printerTimeouts: PrinterTimeouts = {
  stepMs: 15_000,
  answerMs: 1000,
  closeMs: 1000,
  jobMs: 30_000,
  receiptMs: 3000,
};

/**
 * Creates the connection to printers. A printer that answers is asked for its state before and after:
 * it has to be ready, or nothing is sent, and it still has to be ready when it has accepted everything.
 */
export const makeSendToPrinter =
  (timeouts: PrinterTimeouts = printerTimeouts): SendToPrinter =>
  async ({ host, port }, receipts) => {
    const { stepMs, answerMs, closeMs, jobMs, receiptMs } = timeouts;
    checkPrinterHost(host);
    const socket = connect({ host, port, lookup: serverGuard.lookup });
    // An error may come once more after the step that it ended: it must not end the process.
    socket.on('error', () => undefined);
    const answers = collectAnswers(socket);
    const deadline = setTimeout(
      () => socket.destroy(new PrinterError('deadline')),
      jobMs + receiptMs * receipts.length,
    );
    try {
      await step(socket, stepMs, (done) => socket.once('connect', () => done()));
      const canAnswer = await checkStatus(socket, answers, answerMs);
      for (const receipt of receipts) await step(socket, stepMs, (done) => socket.write(receipt, done));
      const isConfirmed = canAnswer
        ? await checkStatus(socket, answers, stepMs)
        : await checkStatus(socket, answers, answerMs).catch(ignoreDisconnection);
      if (answers.haveEnded()) return 'sent';
      await step(socket, stepMs, (done) => socket.end(done));
      await step(socket, closeMs, (done) => socket.once('close', () => done())).catch(ignoreTimeout);
      return isConfirmed ? 'confirmed' : 'sent';
    } catch (error) {
      throw toRefusal(error);
    } finally {
      clearTimeout(deadline);
      socket.destroy();
    }
  };

/** Answers that were not awaited yet. */
interface StatusAnswers {
  /** Has the printer closed its side of the connection? */
  haveEnded(): boolean;
  clear(): void;
  next(timeoutMs: number): Promise<number>;
}

const collectAnswers = (socket: Socket): StatusAnswers => {
  const bytes: number[] = [];
  let hasEnded = false;
  let wake: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    // A printer may send more than it was asked for: only the latest answer counts.
    bytes.push(...chunk.subarray(-maxAnswers).filter(isStatusAnswer));
    bytes.splice(0, bytes.length - maxAnswers);
    wake();
  });
  socket.on('end', () => {
    hasEnded = true;
    wake();
  });
  return {
    haveEnded: () => hasEnded,
    clear: () => void bytes.splice(0),
    next: async (timeoutMs) => {
      await step(socket, timeoutMs, (done) => {
        wake = () => {
          if (bytes.length > 0) done();
          else if (hasEnded) done(new PrinterError('disconnected'));
        };
        wake();
      });
      return bytes.shift() ?? 0;
    },
  };
};

const maxAnswers = 16;

/** Asks a printer for its state. Returns false when it does not answer, and throws when it can not print. */
const checkStatus = async (socket: Socket, answers: StatusAnswers, timeoutMs: number): Promise<boolean> => {
  answers.clear();
  for (const { bytes, problemIn } of statusQuestions) {
    await step(socket, timeoutMs, (done) => socket.write(bytes, done));
    const answer = await answers.next(timeoutMs).catch(ignoreTimeout);
    if (answer === undefined) return false;
    const problem = problemIn(answer);
    if (problem) throw new PrinterError(problem);
  }
  return true;
};

/** Why a receipt was not taken. `timeout`: of one step; `deadline`: of all. */
class PrinterError extends CodedError<
  Exclude<PrinterStatus, 'ready'> | 'disconnected' | 'timeout' | 'deadline'
> {
  override readonly name = 'PrinterError';

  constructor(code: PrinterError['code']) {
    super(code, 'the printer can not print', { kind: 'unavailable' });
  }
}

const isPrinterError = (error: unknown, code: PrinterError['code']): boolean =>
  error instanceof PrinterError && error.code === code;

/** A printer that never answers may close the connection when it has everything. */
const ignoreDisconnection = (error: unknown): false => {
  if (isPrinterError(error, 'disconnected')) return false;
  throw error;
};

const ignoreTimeout = (error: unknown): undefined => {
  if (!isPrinterError(error, 'timeout')) throw error;
};

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
    const timer = setTimeout(() => fail(new PrinterError('timeout')), timeoutMs);
    socket.on('error', fail);
    begin((error) => (error ? fail(error) : finish(resolve)));
  });

const toRefusal = (error: unknown): Refusal => {
  if (error instanceof PrinterError) return refusals[error.code]();
  if (error instanceof AddressRefused) return refuseAddress();
  return ['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ERR_STREAM_DESTROYED'].includes(errorCode(error))
    ? refusals.disconnected()
    : new Refusal('printer-unreachable', 'the printer can not be reached');
};

const refuseSilent = (): Refusal => new Refusal('printer-silent', 'the printer does not take the receipt');

const refusals: Readonly<Record<PrinterError['code'], () => Refusal>> = {
  timeout: refuseSilent,
  deadline: refuseSilent,
  disconnected: () => new Refusal('printer-disconnected', 'the printer closed the connection'),
  'no-paper': () => new Refusal('printer-no-paper', 'the printer has no paper'),
  'cover-open': () => new Refusal('printer-cover-open', 'the cover of the printer is open'),
  offline: () => new Refusal('printer-offline', 'the printer says that it can not print'),
};

/**
 * What a printer says of itself, by ESC/POS `DLE EOT n`: it answers at once, also while it can not print,
 * with a byte for each question. Not all printers, and few print servers, answer.
 */
type PrinterStatus = 'ready' | 'no-paper' | 'cover-open' | 'offline';

const dle = 0x10;
const eot = 0x04;

interface StatusQuestion {
  readonly bytes: Buffer;
  /** Undefined when the answer shows no problem. */
  problemIn(answer: number): Exclude<PrinterStatus, 'ready'> | undefined;
}

const ask = (topic: number, problemIn: StatusQuestion['problemIn']): StatusQuestion => ({
  bytes: Buffer.from([dle, eot, topic]),
  problemIn,
});

/** The cause comes before the effect: a printer without paper is offline, too. */
const statusQuestions: readonly StatusQuestion[] = [
  ask(4, (answer) => ((answer & 0x60) !== 0 ? 'no-paper' : undefined)),
  ask(2, (answer) => {
    if ((answer & 0x04) !== 0) return 'cover-open';
    if ((answer & 0x20) !== 0) return 'no-paper';
    return (answer & 0x40) !== 0 ? 'offline' : undefined;
  }),
  ask(1, (answer) => ((answer & 0x08) !== 0 ? 'offline' : undefined)),
];

/** Answers have some bits in common, which flow control and unsolicited messages lack. */
const isStatusAnswer = (byte: number): boolean => (byte & 0x93) === 0x12;
