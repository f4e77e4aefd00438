import { CommandError, parseWholeNumber, type Io } from '../src/cli/io.js';
import { waitForSignal, type Signals } from '../src/lib/signals.js';

// What the commands share that start a simulated controller.

interface SimulatedController {
  readonly url: string;
  /** Adds vouchers that were made elsewhere. */
  seed(count: number): void;
  stop(): Promise<void>;
}

interface RunOptions<T extends SimulatedController> {
  readonly io: Io;
  readonly signals: Signals;
  readonly given: { readonly seed?: string; readonly json?: boolean };
  start(): Promise<T>;
  /** What is printed as JSON. */
  describe(running: T): object;
  /** What is printed otherwise: its address, and the commands that add it to voucherd. */
  introduce(running: T): string;
}

/** Runs a simulated controller until the process is told to end. */
export const runSimulatedController = async <T extends SimulatedController>(
  options: RunOptions<T>,
): Promise<void> => {
  const { io, signals, given, start, describe, introduce } = options;
  const seeded = optionalNumber('--seed', given.seed, 1_000_000) ?? 0;
  const running = await start();
  try {
    running.seed(seeded);
    io.out(
      given.json
        ? `${JSON.stringify(describe(running))}\n`
        : `${introduce(running)}${actionsText(running.url)}`,
    );
    await waitForSignal(signals);
  } finally {
    await running.stop();
  }
};

const actionsText = (
  url: string,
): string => `A guest uses a voucher; a voucher is deleted; creating fails; everything works again:

  npm run simulator -- use CODE --url ${url}
  npm run simulator -- delete CODE --url ${url}
  npm run simulator -- fault bad-gateway --url ${url}
  npm run simulator -- fault none --url ${url}

Ctrl-C ends it. Its vouchers, credentials and certificate end with it.
`;

/** The values of an option that may be repeated. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

export const optionalNumber = (option: string, text: string | undefined, most: number): number | undefined =>
  text === undefined ? undefined : parseWholeNumber(option, text, 1, most);

export const readOffset = (text = '0'): number => {
  if (!/^-?\d{1,9}$/.test(text))
    throw new CommandError(
      'option-invalid',
      `--clock-offset-s: "${text}" is not allowed: a whole number of seconds`,
    );
  return Number(text);
};
