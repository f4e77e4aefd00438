import type { Knex } from 'knex';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { deleteInBatches } from '../database/transactions.js';

/**
 * How long a repeated request gets the first answer. An answer that is dated further in the future was
 * written before the clock was set back, and counts as expired.
 */
export const idempotencyTtlMs = 24 * 60 * 60 * 1000;

/** A client's claim that all its requests with this key are the same request. */
export interface IdempotencyClaim {
  readonly apiKeyId: number;
  readonly idempotencyKey: string;
  /** Identifies the body of the request. */
  readonly fingerprint: string;
}

/** An earlier request with the same key. Without an answer its outcome is open. */
export interface EarlierRequest {
  readonly fingerprint: string;
  readonly answer: string | null;
}

export interface IdempotencyKeyTable {
  /** The earlier request with the same key, unless its answer has expired. */
  find(claim: IdempotencyClaim, now: number): Promise<EarlierRequest | undefined>;
  /** Removes expired answers and returns how many. */
  removeExpired(now: number): Promise<number>;
}

/** The table of idempotency keys. */
export const makeIdempotencyKeyTable = ({ read, write }: Database): IdempotencyKeyTable => ({
  find: ({ apiKeyId, idempotencyKey }, now) =>
    read('idempotency_keys')
      .where({ api_key_id: apiKeyId, idempotency_key: idempotencyKey })
      .andWhere((either) =>
        either
          .whereNull('answer')
          .orWhereBetween('created_at', [now - idempotencyTtlMs + 1, now + idempotencyTtlMs]),
      )
      .first<EarlierRequest | undefined>('fingerprint', 'answer'),
  removeExpired: async (now) => {
    const answered = (rows: Knex.QueryBuilder) => rows.whereNotNull('answer');
    return (
      (await deleteInBatches(write, idempotencyKeysKey, (rows) =>
        answered(rows).where('created_at', '<=', now - idempotencyTtlMs),
      )) +
      (await deleteInBatches(write, idempotencyKeysKey, (rows) =>
        answered(rows).where('created_at', '>', now + idempotencyTtlMs),
      ))
    );
  },
});

/** Each intent has one key at most. */
const idempotencyKeysKey = { table: 'idempotency_keys', key: 'intent_id' };

interface IntentClaim extends IdempotencyClaim {
  readonly intentId: string;
  readonly createdAt: number;
}

const columns = defineColumns<IntentClaim>({
  apiKeyId: 'plain',
  idempotencyKey: 'plain',
  fingerprint: 'plain',
  intentId: 'plain',
  createdAt: 'plain',
});

/** Claims keys for intents and returns the ids of the intents whose key was free. */
export const claimIdempotencyKeys = async (
  transaction: Knex,
  given: readonly IntentClaim[],
): Promise<Set<string>> => {
  if (given.length === 0) return new Set();
  // Always in the same order, so that two transactions with the same keys can't deadlock.
  const claims = given.toSorted(
    (a, b) => a.apiKeyId - b.apiKeyId || (a.idempotencyKey < b.idempotencyKey ? -1 : 1),
  );
  for (const { apiKeyId, idempotencyKey, createdAt } of claims) {
    await transaction('idempotency_keys')
      .where({ api_key_id: apiKeyId, idempotency_key: idempotencyKey })
      .whereNotNull('answer')
      .whereNotBetween('created_at', [createdAt - idempotencyTtlMs + 1, createdAt + idempotencyTtlMs])
      .delete();
  }
  const rows = await transaction('idempotency_keys')
    .insert(claims.map(columns.toRow))
    .onConflict(['api_key_id', 'idempotency_key'])
    .ignore()
    .returning<{ intent_id: string }[]>('intent_id');
  return new Set(rows.map((row) => row.intent_id));
};

/** Stores the answer for repeated requests. */
export const storeAnswer = async (transaction: Knex, intentId: string, answer: string): Promise<void> => {
  await transaction('idempotency_keys').where({ intent_id: intentId }).update({ answer });
};

/** Frees the keys of orders that ended without a voucher. */
export const releaseIdempotencyKeys = async (
  transaction: Knex,
  intentIds: readonly string[],
): Promise<void> => {
  await transaction('idempotency_keys').whereIn('intent_id', intentIds).whereNull('answer').delete();
};
