import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { run, type Ended } from '../../support/cli.js';
import { makeCliFixture, type CliFixture } from '../../support/cliFixture.js';
import { makeFolder } from '../../support/folder.js';
import { someRecord } from '../../support/records.js';

export const webhookAddress = 'https://hooks.example.org/services/geheimerPlatzhalter3Kw';
export const passPhrase = 'vier Pferde ziehen leise';
const apiKey = 'geheimerApiPlatzhalter8Rt';
const phrases = { PHRASE: passPhrase, OTHER_PHRASE: 'vier Pferde ziehen laut' };

/** A database with something of everything that a backup holds, and a folder for backups and what is made of them. */
export interface BackupFixture {
  readonly cli: CliFixture;
  readonly folder: string;
  at(...parts: string[]): string;
  /** The name of a file that is not there. */
  newFile(): string;
  /** The name of a folder that is not there. */
  newFolder(): string;
  readonly keyFile: string;
  readonly databaseFile: string;
  /** Makes a backup, and returns its file. */
  backUp(...options: string[]): Promise<string>;
  restore(file: string, dataDir: string, ...options: string[]): Promise<Ended>;
  remove(): Promise<void>;
}

export const makeBackupFixture = async (): Promise<BackupFixture> => {
  const folder = await makeFolder();
  const cli = await makeCliFixture({ K: apiKey, ...phrases });
  await cli.add('Chat', 'slack', webhookAddress);
  for (const line of [
    'controller add --name Konsole --kind unifi --url https://x --api-key-env K',
    'controller add --name Haus --kind simulated',
    'site add --name Hauptgebäude --controller Haus',
    'controller test Haus --create',
    'key create --name Kasse --scope write',
  ])
    expect([line, await cli.voucherd(...line.split(' '))]).toEqual([
      line,
      expect.objectContaining({ status: 0 }),
    ]);
  for (let index = 0; index < 20; index += 1)
    await cli.tables.vouchers.record(someRecord({ siteId: 1, controllerId: 2 }));
  let [backups, folders] = [0, 0];
  const at = (...parts: string[]): string => join(folder.path, ...parts);
  const newFile = (): string => at(`${String((backups += 1))}.backup`);
  const keyFile = join(cli.dataDir, 'secret.key');
  return {
    cli,
    folder: folder.path,
    at,
    newFile,
    newFolder: () => at(`restored-${String((folders += 1))}`),
    keyFile,
    databaseFile: join(cli.dataDir, 'voucherd.sqlite'),
    backUp: async (...options) => {
      const file = newFile();
      expect(await cli.voucherd('backup', file, ...options)).toMatchObject({ status: 0 });
      return file;
    },
    restore: (file, dataDir, ...options) =>
      run(['restore', file, '--data-dir', dataDir, ...options], phrases),
    remove: async () => {
      const secrets = [
        webhookAddress,
        apiKey,
        passPhrase,
        readFileSync(keyFile, 'utf8').trim().toUpperCase(),
      ];
      expect(await cli.leaked(secrets)).toEqual([]);
      await cli.remove();
      await folder.remove();
    },
  };
};
