import type { Knex } from 'knex';
import { toTypedName } from '../lib/label.js';

/** The name of a voucher as it was typed; null where it has none, or is gone. */
export const findVoucherName = async (transaction: Knex, id: number): Promise<string | null> => {
  const row = await transaction('vouchers').where({ id }).first<{ name: string } | undefined>('name');
  return (row && toTypedName(row.name)) || null;
};
