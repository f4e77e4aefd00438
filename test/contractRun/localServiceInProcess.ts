import { pino } from 'pino';
import {
  startLocalService,
  type LocalProgram,
  type LocalService,
  type LocalServiceOptions,
} from '../scenarios/local/localService.js';
import { startApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { nodeSystem } from '../../src/lib/system.js';
import { servedContracts } from '../scenarios/servedContracts.js';
import { passwordCost } from '../support/authFixture.js';
import { loadPackagedContract } from '../support/service.js';
import { contract } from './stageRun.js';

/** The service that a run starts, with the same data and settings, but in this process: it starts much faster. */
export const startLocalServiceInProcess = (
  options: Partial<LocalServiceOptions> = {},
): Promise<LocalService> =>
  startLocalService({
    served: servedContracts[0],
    contract,
    startProgram: startInProcess,
    timeZone: ownTimeZone,
    ...options,
  });

const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const startInProcess = async (settings: Readonly<Record<string, string>>): Promise<LocalProgram> => {
  const app = await startApp({
    config: readConfig(settings),
    log: pino({ level: 'silent' }),
    system: nodeSystem,
    development: false,
    contract: loadPackagedContract(),
    passwordCost,
  });
  return { url: app.url, stop: () => app.stop() };
};
