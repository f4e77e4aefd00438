import { expect, test } from '@jest/globals';
import { insertRows } from '../../../src/database/transactions.js';
import type { Shared } from './sharedDatabase.js';

export const insertRowsConformance = (shared: () => Shared): void => {
  test('thousands of rows are inserted in their order, and a column that a row lacks is null', async () => {
    const { write } = shared().database;
    const rows = Array.from({ length: 5000 }, (_, at) => ({
      at,
      actor_kind: 'system',
      action: 'site.add',
      detail: '{}',
      count: 1,
      ...(at % 2 === 1 && { actor_name: `Nr. ${at}` }),
    }));
    const inserted = await insertRows<{ id: number; at: number; actor_name: string | null }>(
      write,
      'audit_log',
      rows,
      { returning: ['id', 'at', 'actor_name'] },
    );
    await write('audit_log').whereBetween('at', [0, 4999]).delete();
    inserted.sort((a, b) => a.id - b.id);
    expect(inserted.map(({ at, actor_name }) => [at, actor_name])).toEqual(
      rows.map(({ at }) => [at, at % 2 === 1 ? `Nr. ${at}` : null]),
    );
  });

  test('what is there already is an error, or left out', async () => {
    const { write } = shared().database;
    const named = (...names: string[]) => names.map((name) => ({ name, value: 1 }));
    await insertRows(write, 'revisions', named('one'));
    await expect(insertRows(write, 'revisions', named('two', 'one'))).rejects.toThrow();
    const returning = ['name'];
    expect(
      await insertRows(write, 'revisions', named('two', 'one'), { ignoresConflicts: true, returning }),
    ).toEqual([{ name: 'two' }]);
    expect(await insertRows(write, 'revisions', [], { returning })).toEqual([]);
    await write('revisions').whereIn('name', ['one', 'two']).delete();
  });
};
