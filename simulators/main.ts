import { Command, CommanderError } from 'commander';
import type { Io } from '../src/cli/io.js';
import type { Signals } from '../src/lib/signals.js';
import { publicText } from '../src/lib/publicText.js';
import { addReceiptPrinterCommand } from './receiptPrinterCommand.js';
import { addMikrotikCommand } from './mikrotik/command.js';
import { addOmadaCommand } from './omada/command.js';
import { addUnifiCommand, addActionCommands } from './unifi/commands.js';

const processIo: Io = {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};

/** Runs one command of the simulator and returns the exit status. */
export const runSimulator = async (
  argv: readonly string[],
  io: Io = processIo,
  signals: Signals = process,
): Promise<number> => {
  const program = new Command('voucherd-simulator')
    .description('Network controllers and receipt printers that behave like real ones, to try voucherd with')
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text, write) => {
        write(`voucherd-simulator: ${text.replace(/^error: /, '').trim()} (--help says what is allowed)\n`);
      },
    })
    .exitOverride();
  addUnifiCommand(program, io, signals);
  addOmadaCommand(program, io, signals);
  addMikrotikCommand(program, io, signals);
  addActionCommands(program, io);
  addReceiptPrinterCommand(program, io, signals);
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has already printed its own errors.
    if (error instanceof CommanderError) return error.exitCode;
    io.err(`voucherd-simulator: ${publicText(error).replaceAll('\n', ' ')}\n`);
    return 1;
  }
};
