import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { CommandError, parseWholeNumber, type Io } from '../src/cli/io.js';
import { waitForSignal, type Signals } from '../src/lib/signals.js';
import { createFolder, explainFolderError } from '../src/lib/folders.js';
import { startReceiptPrinter } from './receiptPrinter.js';

interface PrinterCommandOptions {
  port: string;
  paper: '58mm' | '80mm';
  folder: string;
}

const createPictureFolder = (folder: string): void => {
  try {
    createFolder(folder);
  } catch (error) {
    throw new CommandError(
      'option-invalid',
      `--folder: "${folder}" is not allowed: ${explainFolderError(error, folder)}`,
    );
  }
};

/** `voucherd-simulator receipt-printer`: a printer that runs until it is stopped, and puts receipts into a folder. */
export const addReceiptPrinterCommand = (program: Command, io: Io, signals: Signals): void => {
  program
    .command('receipt-printer')
    .description('Start a simulated receipt printer, which writes each receipt as a picture')
    .option('--port <number>', 'where it listens on 127.0.0.1; 0 is any free port', '9100')
    .addOption(new Option('--paper <width>', 'the roll in it').choices(['58mm', '80mm']).default('80mm'))
    .option('--folder <path>', 'where the pictures go', 'receipts')
    .action(async ({ port, paper, folder }: PrinterCommandOptions) => {
      createPictureFolder(folder);
      let count = 0;
      const printer = await startReceiptPrinter({
        port: parseWholeNumber('--port', port, 0, 65_535),
        paper,
        onPrinted: (receipt) => {
          count += 1;
          const file = join(folder, `receipt-${String(count)}.svg`);
          writeFileSync(file, receipt.toSvg());
          io.out(`${file}\n`);
        },
      });
      io.out(`A receipt printer listens on 127.0.0.1, port ${String(printer.port)}.\n`);
      await waitForSignal(signals);
      await printer.stop();
    });
};
