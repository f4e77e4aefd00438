import type { Knex } from 'knex';

/** The event "vouchers were created", in the outbox until it is delivered. */
export interface Notification {
  readonly id: string;
  readonly count: number;
  readonly site: string;
  readonly source: string;
  readonly createdAt: number;
}

/** Puts notifications in the outbox, within the transaction that records their vouchers. */
export const put = async (transaction: Knex, notifications: readonly Notification[]): Promise<void> => {
  await transaction('notifications').insert(
    notifications.map(({ id, count, site, source, createdAt }) => ({
      id,
      count,
      site,
      source,
      created_at: createdAt,
    })),
  );
};
