// Writes log lines without ever waiting for their reader. pino's own sonic-boom can't take its place:
// what it could not write to a full disk or a closed pipe stays in its buffer,
// and neither it nor its `drop` event counts those lines as lost.
import { constants, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { errorCode } from '../lib/errorCode.js';

/** Where log lines go. A slow reader never blocks the process. */
export interface LogOutput {
  /** Writes a line, or keeps it until the reader takes it; drops it when too much waits already. */
  write(line: string): void;
  /** How many lines nobody will read: those that were dropped, and those that could not be written. */
  dropped(): number;
  /** What waits gets a last moment; after it the process can end, whether it was read or not. */
  end(): void;
}

export interface LogOutputOptions {
  /** A descriptor that does not block. One of a file may: a disk answers. */
  readonly fd: number;
  /** How much may wait for the reader. */
  readonly maxBytes?: number;
  /** Called when the reader is back, with the number of lines that it missed. */
  readonly onRecovery: (missed: number) => void;
}

/**
 * Lines are written together: when they are so many, or after so long.
 * A process that is killed loses the last ones.
 */
const flushLength = 16 * 1024;
const flushMs = 10;
const retryMs = { first: 10, longest: 200 };
/** How long a reader may take for the rest when the process ends. */
const flushTimeoutMs = 2000;

export const makeLogOutput = ({ fd, maxBytes = 1024 * 1024, onRecovery }: LogOutputOptions): LogOutput => {
  /** Lines of the last moment, which are written together. */
  let lines = '';
  let flush: NodeJS.Timeout | undefined;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let [dropped, reported] = [0, 0];
  let endsAt = Infinity;

  const keep = (bytes: Buffer): void => {
    waiting.push(bytes);
    waitingBytes += bytes.length;
  };
  const take = (): Buffer => {
    const [only = Buffer.alloc(0)] = waiting;
    const bytes = waiting.length > 1 ? Buffer.concat(waiting) : only;
    [waiting, waitingBytes] = [[], 0];
    return bytes;
  };
  const keepLines = (): void => {
    clearTimeout(flush);
    flush = undefined;
    if (lines === '') return;
    const bytes = Buffer.from(lines);
    lines = '';
    if (waitingBytes + bytes.length > maxBytes) dropped += linesIn(bytes);
    else keep(bytes);
  };
  /** Writes what waits, until the pipe is full. A closed pipe or a full disk loses it. */
  const writeWaiting = (): void => {
    keepLines();
    let bytes = take();
    try {
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if (isPipeFull(error)) keep(bytes);
      else dropped += linesIn(bytes);
      return;
    }
    const missed = dropped - reported;
    reported = dropped;
    if (missed > 0) onRecovery(missed);
  };
  /** What is written in between, such as the line about lost ones, may have begun to. */
  const isRetrying = (): boolean => timer !== undefined;
  const retryIn = (delayMs: number): void => {
    timer = setTimeout(() => {
      const before = waitingBytes;
      timer = undefined;
      writeWaiting();
      if (waitingBytes === 0 || isRetrying()) return;
      if (performance.now() > endsAt) dropped += linesIn(take());
      else retryIn(waitingBytes < before ? retryMs.first : Math.min(delayMs * 2, retryMs.longest));
    }, delayMs);
  };
  /** When the process ends with an exception, or at once, there are no more turns of the event loop. */
  const atExit = (): void => {
    const until = performance.now() + flushTimeoutMs;
    writeWaiting();
    while (waitingBytes > 0 && performance.now() < until) {
      sleep(retryMs.first);
      writeWaiting();
    }
  };
  process.once('exit', atExit);

  const writeLines = (): void => {
    if (isRetrying()) {
      keepLines();
      return;
    }
    writeWaiting();
    if (waitingBytes > 0 && !isRetrying()) retryIn(retryMs.first);
  };

  return {
    write: (line) => {
      lines += line;
      if (lines.length >= flushLength) writeLines();
      else flush ??= setTimeout(writeLines, flushMs);
    },
    dropped: () => dropped,
    end: () => {
      writeLines();
      endsAt = performance.now() + flushTimeoutMs;
      process.off('exit', atExit);
    },
  };
};

/**
 * A descriptor of standard output that does not block. Node sees to that for
 * pipes and sockets as soon as its own stream of them is made. Writing to a
 * terminal blocks while somebody holds its output, so it is opened once more.
 */
export const openStandardOutput = (): number => {
  const { fd } = process.stdout;
  if (!isatty(fd)) return fd;
  try {
    return openSync(`/dev/fd/${String(fd)}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Where a terminal can not be opened by name, it stays one that may block.
    return fd;
  }
};

const isPipeFull = (error: unknown): boolean => errorCode(error) === 'EAGAIN';

const newline = 0x0a;
const linesIn = (bytes: Buffer): number => bytes.reduce((lines, byte) => lines + Number(byte === newline), 0);

const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
