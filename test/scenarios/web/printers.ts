import { randomUUID } from 'node:crypto';
import { runActor, type Administration } from '../local/administration.js';
import { runPrinterName } from '../local/webData.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { bodyOf, inPath, nothing, scenario, withBody, withNew } from './preparing.js';
import { withValidVoucher } from './vouchers.js';

/** Nothing listens there. */
const closedPort = 1;

const createPrinter = async ({ printers }: Administration, port = 9100): Promise<number> => {
  const values = { host: '127.0.0.1', port, paper: '80mm', siteIds: null } as const;
  return (await printers.add({ name: `Contract ${randomUUID()}`, ...values }, runActor)).id;
};

const newPrinter = withNew('printerId', (administration) => createPrinter(administration));

/** The printer of the run, which prints; another one where a generated request has removed it. */
export const findRunPrinter = async (administration: Administration): Promise<number> => {
  const own = (await administration.printers.list()).find(({ name }) => name === runPrinterName);
  return own?.id ?? createPrinter(administration);
};

const runPrinter = withNew('printerId', findRunPrinter);

/** Nothing else has the name of the example. */
const withFreeName: NonNullable<OperationHints['prepare']> = async (sample, context) => {
  const printers = context.target.fixture?.administration().printers;
  const { name } = bodyOf(goodSample(context));
  const known = (await printers?.list())?.find((printer) => printer.name === name);
  if (known) await printers?.remove(known.id, runActor);
  return sample;
};

const refusedWith = ['name-invalid', 'host-invalid'];

export const createPrinterHints: OperationHints = {
  refusedWith,
  prepare: withFreeName,
  scenarios: {
    409: scenario('with a site that does not exist', ({ sample }) =>
      withBody(sample, { siteIds: [nothing] }),
    ),
  },
};

export const updatePrinterHints: OperationHints = {
  refusedWith,
  prepare: async (sample, context) => newPrinter(await withFreeName(sample, context), context),
  scenarios: {
    409: scenario('with a site that does not exist', async ({ sample, context }) =>
      withBody(await newPrinter(sample, context), { siteIds: [nothing] }),
    ),
  },
};

export const deletePrinterHints: OperationHints = { prepare: newPrinter };

const unreachable = scenario('of a printer that is switched off', async ({ sample, administration }) =>
  inPath(sample, 'printerId', await createPrinter(administration, closedPort)),
);

export const testPrinterHints: OperationHints = { prepare: runPrinter, scenarios: { 409: unreachable } };

export const printReceiptsHints: OperationHints = {
  refusedWith: ['selection-invalid', 'too-many-receipts'],
  prepare: async (sample, context) => runPrinter(await withValidVoucher(sample, context), context),
  scenarios: { 409: unreachable },
};
