import { startProgram, type Program } from '../support/cli.js';

const settings = {
  PORT: '0',
  LOG_LEVEL: 'silent',
  CONTROLLER_DEADLINE_S: '1',
  RECONCILE_INTERVAL_S: '1',
  RECONCILE_GRACE_S: '1',
};

/** Starts the built program, which gives up on a controller and on lost intents as soon as it may. */
export const serveProgram = (dataDir: string, env: Readonly<Record<string, string>> = {}): Program =>
  startProgram(['serve', '--json'], { ...settings, ...env, DATA_DIR: dataDir });

/** kill -9; nothing of the process is left when this resolves. */
export const killProgram = async ({ process, ended }: Program): Promise<void> => {
  process.kill('SIGKILL');
  await ended;
};

/** Ends it in order and returns its status. */
export const stopProgram = async ({ process, ended }: Program): Promise<number | null> => {
  process.kill('SIGTERM');
  return (await ended).status;
};
