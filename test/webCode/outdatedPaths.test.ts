import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { changeTopics } from '../../src/database/changeFeed.js';
import { outdatedPaths } from '../../web/src/api/outdatedPaths.ts';
import { webContractFile } from '../support/contract.js';

interface WebContract {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: { readonly ChangeTopic: { readonly enum: readonly string[] } } };
}
const contract = parse(readFileSync(webContractFile, 'utf8'), {
  merge: true,
  maxAliasCount: -1,
}) as WebContract;

test('the topics that the service sends are those of the contract', () => {
  expect([...changeTopics].sort()).toEqual([...contract.components.schemas.ChangeTopic.enum].sort());
});

test('the pages know for each topic what is out of date, and fetch nothing that nobody can read', () => {
  for (const topic of changeTopics) {
    const outdated = [...(outdatedPaths([topic]) ?? [])];
    expect([topic, outdated.length > 0]).toEqual([topic, true]);
    expect([topic, outdated.filter((path) => !('get' in (contract.paths[path] ?? {})))]).toEqual([topic, []]);
  }
});

test('orders and printers leave the rest as it is', () => {
  expect(outdatedPaths(['orders', 'printers'])).toEqual(
    new Set([
      ...['/orders', '/orders/{orderId}', '/guest-requests', '/overview', '/system', '/printers', '/desk'],
      '/audit',
    ]),
  );
});

test('after a change of something unknown, everything may be out of date', () => {
  for (const topic of ['kiosks', 'toString'])
    expect([topic, outdatedPaths(['vouchers', topic])]).toEqual([topic, undefined]);
});
