import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { auditActions, auditDetailNames } from '../../src/audit/auditTable.js';
import { webContractFile } from '../support/contract.js';

/** All keys that answers may have as their message: those of the contract, and those of refusals in the sources. */
const messages = (): string[] => {
  const contract = readFileSync(webContractFile, 'utf8');
  const fields = [...contract.matchAll(/x-message: (\{[^}]*\}|[a-z-]+)/g)].flatMap(([, value = '']) =>
    value.startsWith('{') ? [...value.matchAll(/: ([a-z-]+)/g)].map(([, key]) => key!) : [value],
  );
  const sources = ['src', 'handlers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const thrown = sources.flatMap((source) => [
    ...[...source.matchAll(/new \w*Refusal\(\s*'([a-z-]+)'/g)].map(([, key]) => key!),
    ...[...source.matchAll(/\{ message: '([a-z-]+)' \}/g)].map(([, key]) => key!),
    ...[...source.matchAll(/\bforbid\('([a-z-]+)'\)/g)].map(([, key]) => key!),
  ]);
  return [...new Set([...fields, ...thrown])].sort();
};

test.each(['de', 'en'])('every message of the pages’ API has a text: %s', (language) => {
  const texts = JSON.parse(readFileSync(`web/src/texts/${language}/errors.json`, 'utf8')) as object;
  expect(messages().length).toBeGreaterThan(30);
  expect(messages().filter((key) => !(key in texts))).toEqual([]);
});

test.each(['de', 'en'])('every action and every detail of the audit log has a text: %s', (language) => {
  const texts = JSON.parse(readFileSync(`web/src/texts/${language}/audit.json`, 'utf8')) as object;
  const keys = [
    ...auditActions.map((action) => `action-${action.replaceAll('.', '-')}`),
    ...auditDetailNames.map((name) => `detail-${name}`),
  ];
  expect(keys.filter((key) => !(key in texts))).toEqual([]);
});
