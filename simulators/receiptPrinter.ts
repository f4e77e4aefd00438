import { createServer, type AddressInfo, type Socket } from 'node:net';
import iconv from 'iconv-lite';
import { darkRuns, encodeQr } from '../src/printing/qrCode.js';

/** What a receipt printer does with a connection. */
export type PrinterBehaviour =
  /** Accepts everything, reports its state when asked, and closes the connection like the other side. */
  | 'print'
  /** The same, but leaves the connection open. */
  | 'print and stay'
  /** Accepts everything, and never answers. */
  | 'print without answers'
  /** Prints nothing, and reports why. */
  | PrinterFault
  /** Reports that it is ready until it has a receipt, and then that it has no paper. */
  | 'paper ends'
  /** Reports that it is ready until it has a receipt, and then does not answer. */
  | 'hang'
  /** Accepts the connection, and reads nothing. */
  | 'silence'
  /** Accepts the connection, and closes it. */
  | 'close'
  /** Drops the connection when the first bytes arrive. */
  | 'reset';

export type PrinterFault = 'no paper' | 'cover open' | 'offline' | 'error';

/** Answers to `DLE EOT n`. */
const readyAnswers = { 1: 0x16, 2: 0x12, 3: 0x12, 4: 0x12 };
const faultAnswers: Readonly<Record<PrinterFault, Readonly<Record<number, number>>>> = {
  'no paper': { 1: 0x1e, 2: 0x32, 3: 0x12, 4: 0x7e },
  'cover open': { 1: 0x1e, 2: 0x16, 3: 0x12, 4: 0x12 },
  offline: { 1: 0x1e, 2: 0x12, 3: 0x12, 4: 0x12 },
  error: { 1: 0x1e, 2: 0x52, 3: 0x32, 4: 0x12 },
};

export interface ReceiptPrinterSimulator {
  readonly port: number;
  /** What was printed, a receipt for each cut. */
  receipts(): readonly PrintedReceipt[];
  /** How many connections there were, and how many at a time at most. */
  connections(): { readonly total: number; readonly most: number };
  behave(behaviour: PrinterBehaviour): void;
  stop(): Promise<void>;
}

export interface ReceiptPrinterOptions {
  /** Any free port by default. */
  readonly port?: number;
  readonly paper?: '58mm' | '80mm';
  /** Called for each receipt. */
  onPrinted?(receipt: PrintedReceipt): void;
}

/** A receipt printer on the network: it understands ESC/POS over TCP, and shows what came out of it. */
export const startReceiptPrinter = async ({
  port = 0,
  paper = '80mm',
  onPrinted = () => undefined,
}: ReceiptPrinterOptions = {}): Promise<ReceiptPrinterSimulator> => {
  const dots = paper === '80mm' ? 576 : 384;
  let behaviour: PrinterBehaviour = 'print';
  const printed: PrintedReceipt[] = [];
  const sockets = new Set<Socket>();
  const count = { total: 0, most: 0 };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    count.total += 1;
    count.most = Math.max(count.most, sockets.size);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (behaviour === 'close') socket.end();
    if (behaviour === 'silence' || behaviour === 'close') return;
    let received = Buffer.alloc(0);
    let answered = 0;
    socket.on('data', (chunk: Buffer) => {
      if (behaviour === 'reset') return void socket.resetAndDestroy();
      received = Buffer.concat([received, chunk]);
      for (;;) {
        const asked = received.indexOf(statusCommand, answered);
        if (asked < 0 || asked + 2 >= received.length) return;
        const topic = received[asked + 2] ?? 0;
        const hasReceipt = asked !== answered || answered > firstQuestionsBytes;
        answered = asked + 3;
        const answer = answerOf(behaviour, topic, hasReceipt);
        if (answer !== undefined) socket.write(Buffer.from([answer]));
      }
    });
    socket.on('end', () => {
      const fresh = interpretEscpos(received, dots);
      printed.push(...fresh);
      fresh.forEach(onPrinted);
      if (behaviour !== 'print and stay') socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    receipts: () => printed,
    connections: () => count,
    behave: (wanted) => {
      behaviour = wanted;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const statusCommand = Buffer.from([0x10, 0x04]);
/** What is asked before a receipt. */
const firstQuestionsBytes = 9;

const answerOf = (behaviour: PrinterBehaviour, topic: number, hasReceipt: boolean): number | undefined => {
  if (behaviour === 'print without answers' || (behaviour === 'hang' && hasReceipt)) return undefined;
  const fault = behaviour === 'paper ends' && hasReceipt ? 'no paper' : behaviour;
  const answers: Readonly<Record<number, number>> =
    fault in faultAnswers ? faultAnswers[fault as PrinterFault] : readyAnswers;
  return answers[topic];
};

/** What came out of the printer up to a cut. */
export interface PrintedReceipt {
  /** The lines of text. */
  readonly lines: readonly string[];
  /** As a picture, in dots of the printer. */
  toSvg(): string;
}

const codePages: Readonly<Record<number, string>> = { 0: 'cp437', 16: 'cp1252', 18: 'cp852' };
const lineHeight = 30;

/** Draws what the bytes print. Commands that no receipt of voucherd uses are an error: a real printer would print them. */
export const interpretEscpos = (bytes: Buffer, dots: number): PrintedReceipt[] => {
  const receipts: PrintedReceipt[] = [];
  let at = 0;
  const next = (): number => {
    const byte = bytes[at];
    if (byte === undefined) throw new Error('the bytes end in the middle of a command');
    at += 1;
    return byte;
  };
  const nextNumber = (): number => next() + next() * 256;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('the bytes end in the middle of a command');
    at += length;
    return bytes.subarray(at - length, at);
  };
  let state = { page: 0, isCentred: false, isBold: false, scale: 1 };
  let shapes: string[] = [];
  let lines: string[] = [];
  let line = '';
  let y = 0;
  let qr = { side: 3, data: '' };

  const feed = (): void => {
    const size = 24 * state.scale;
    if (line !== '') {
      const [x, anchor] = state.isCentred ? [dots / 2, 'middle'] : [0, 'start'];
      shapes.push(
        `<text x="${String(x)}" y="${String(y + size)}" font-size="${String(size * 0.83)}" text-anchor="${anchor}"${state.isBold ? ' font-weight="bold"' : ''}>${escapeXml(line)}</text>`,
      );
      lines.push(line);
    }
    y += lineHeight * state.scale;
    line = '';
  };
  const rectangle = (x: number, top: number, width: number, height: number): void =>
    void shapes.push(
      `<rect x="${String(x)}" y="${String(top)}" width="${String(width)}" height="${String(height)}"/>`,
    );
  const printQr = (): void => {
    const squares = encodeQr(qr.data);
    const size = squares.size * qr.side;
    if (size > dots) throw new Error('the QR code is wider than the paper');
    const left = Math.floor((dots - size) / 2);
    for (const run of darkRuns(squares))
      rectangle(left + run.x * qr.side, y + run.y * qr.side, run.length * qr.side, qr.side);
    y += size;
  };
  const printPicture = (widthBytes: number, height: number, bits: Buffer): void => {
    const left = Math.floor((dots - widthBytes * 8) / 2);
    for (let row = 0; row < height; row += 1)
      for (let x = 0; x < widthBytes * 8; x += 1)
        if (((bits[row * widthBytes + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0)
          rectangle(left + x, y + row, 1, 1);
    y += height;
  };
  const cut = (): void => {
    const drawing = { shapes, height: y + lineHeight };
    receipts.push({ lines, toSvg: () => toSvg(drawing.shapes, dots, drawing.height) });
    shapes = [];
    lines = [];
    y = 0;
  };

  const runQrCommand = (): void => {
    const length = nextNumber();
    const [kind, fn, ...rest] = take(length);
    if (kind !== 0x31) throw new Error('only QR codes are known');
    if (fn === 0x43) qr = { ...qr, side: rest[0] ?? 3 };
    else if (fn === 0x50) qr = { ...qr, data: Buffer.from(rest.slice(1)).toString() };
    else if (fn === 0x51) printQr();
    else if (fn !== 0x41 && fn !== 0x45) throw new Error(`unknown function ${String(fn)} of a QR code`);
  };
  const runEsc = (): void => {
    const command = next();
    if (command === 0x40) state = { page: 0, isCentred: false, isBold: false, scale: 1 };
    else if (command === 0x61) state.isCentred = next() === 1;
    else if (command === 0x74) state.page = next();
    else if (command === 0x45) state.isBold = next() === 1;
    else if (command === 0x64) for (let left = next(); left > 0; left -= 1) feed();
    else throw new Error(`unknown command ESC ${String(command)}`);
  };
  const runGs = (): void => {
    const command = next();
    if (command === 0x21) state.scale = next() === 0x11 ? 2 : 1;
    else if (command === 0x28 && next() === 0x6b) runQrCommand();
    else if (command === 0x56) {
      if (next() === 0x42) next();
      cut();
    } else if (command === 0x76) {
      take(2);
      const widthBytes = nextNumber();
      const height = nextNumber();
      printPicture(widthBytes, height, take(widthBytes * height));
    } else throw new Error(`unknown command GS ${String(command)}`);
  };
  while (at < bytes.length) {
    const byte = next();
    if (byte === 0x10) {
      if (next() !== 0x04) throw new Error('only DLE EOT is known');
      next();
    } else if (byte === 0x1b) runEsc();
    else if (byte === 0x1d) runGs();
    else if (byte === 0x0a) feed();
    else if (byte < 0x20) throw new Error(`unknown control character ${String(byte)}`);
    else line += iconv.decode(Buffer.from([byte]), codePages[state.page] ?? 'cp437');
  }
  return receipts;
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const toSvg = (shapes: readonly string[], width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width + 40)}" height="${String(height + 40)}" viewBox="-20 -20 ${String(width + 40)} ${String(height + 40)}"><rect x="-20" y="-20" width="100%" height="100%" fill="#fff"/><g font-family="monospace" xml:space="preserve">${shapes.join('')}</g></svg>`;
