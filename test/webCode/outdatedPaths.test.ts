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

test.each([...changeTopics])('the pages know what is out of date after a change of %s', (topic) => {
  const outdated = [...(outdatedPaths([topic]) ?? [])];
  expect(outdated).not.toEqual([]);
  // What nobody can read is never fetched again.
  expect(outdated.filter((path) => !('get' in (contract.paths[path] ?? {})))).toEqual([]);
});

test('orders and printers leave the rest as it is', () => {
  expect(outdatedPaths(['orders', 'printers'])).toEqual(
    new Set([
      ...['/orders', '/orders/{orderId}', '/guest-requests', '/overview', '/system', '/printers', '/desk'],
      '/audit',
    ]),
  );
});

test.each(['kiosks', 'toString'])(
  'after a change of something unknown, %s, everything may be out of date',
  (topic) => {
    expect(outdatedPaths(['vouchers', topic])).toBeUndefined();
  },
);
