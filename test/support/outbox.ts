import type { Database } from '../../src/database/database.js';

/** The number of a message in the outbox, by the id that its page has chosen. */
export const outboxIdOf = async ({ read }: Pick<Database, 'read'>, key: string): Promise<number> => {
  const row = await read('outbox').where({ key }).first<{ id: number } | undefined>('id');
  if (!row) throw new Error(`nothing in the outbox has the key ${key}`);
  return row.id;
};
