/**
 * What a printer says of itself, by ESC/POS `DLE EOT n`: it answers at once, also while it can not print, with a byte for
 * each question. Not all printers, and few print servers, answer.
 */
export type PrinterStatus = 'ready' | 'no-paper' | 'cover-open' | 'offline';

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
export const statusQuestions: readonly StatusQuestion[] = [
  ask(4, (answer) => ((answer & 0x60) !== 0 ? 'no-paper' : undefined)),
  ask(2, (answer) => {
    if ((answer & 0x04) !== 0) return 'cover-open';
    if ((answer & 0x20) !== 0) return 'no-paper';
    return (answer & 0x40) !== 0 ? 'offline' : undefined;
  }),
  ask(1, (answer) => ((answer & 0x08) !== 0 ? 'offline' : undefined)),
];

/** Answers have some bits in common, which flow control and unsolicited messages lack. */
export const isStatusAnswer = (byte: number): boolean => (byte & 0x93) === 0x12;
