import type { Knex } from 'knex';
import type { Database } from './database.js';

/** How long a client may repeat a request and get its first answer. */
export const idempotencyMs = 24 * 60 * 60 * 1000;

/** A client's claim that all requests with this key are one and the same. */
export interface IdempotencyClaim {
  readonly apiKeyId: number;
  readonly idempotencyKey: string;
  /** Tells one body from another. */
  readonly fingerprint: string;
}

/** What is known of an earlier request with the same key. Without an answer its outcome is open. */
export interface EarlierRequest {
  readonly fingerprint: string;
  readonly answer: string | null;
}

export interface IdempotencyTable {
  find(claim: IdempotencyClaim, now: number): Promise<EarlierRequest | undefined>;
  /** Removes what is older than a client may count on. */
  forget(now: number): Promise<number>;
}

export const makeIdempotencyTable = ({ read, write }: Database): IdempotencyTable => ({
  find: ({ apiKeyId, idempotencyKey }, now) =>
    read('idempotency_keys')
      .where({ api_key_id: apiKeyId, idempotency_key: idempotencyKey })
      .andWhere((either) => either.whereNull('answer').orWhere('created_at', '>', now - idempotencyMs))
      .first<EarlierRequest | undefined>('fingerprint', 'answer'),
  forget: (now) => answeredBefore(write, now - idempotencyMs).delete(),
});

const answeredBefore = (db: Knex, time: number) =>
  db('idempotency_keys').where('created_at', '<=', time).whereNotNull('answer');

/** Claims keys for intents and returns the ids of the intents whose claim nobody held. */
export const claim = async (
  transaction: Knex,
  claims: readonly (IdempotencyClaim & { intentId: string; createdAt: number })[],
): Promise<Set<string>> => {
  for (const { apiKeyId, idempotencyKey, createdAt } of claims) {
    await answeredBefore(transaction, createdAt - idempotencyMs)
      .where({ api_key_id: apiKeyId, idempotency_key: idempotencyKey })
      .delete();
  }
  const rows = await transaction('idempotency_keys')
    .insert(
      claims.map(({ apiKeyId, idempotencyKey, fingerprint, intentId, createdAt }) => ({
        api_key_id: apiKeyId,
        idempotency_key: idempotencyKey,
        fingerprint,
        intent_id: intentId,
        created_at: createdAt,
      })),
    )
    .onConflict(['api_key_id', 'idempotency_key'])
    .ignore()
    .returning<{ intent_id: string }[]>('intent_id');
  return new Set(rows.map((row) => row.intent_id));
};

/** Keeps the answer that repetitions get. */
export const keepAnswer = async (transaction: Knex, intentId: string, answer: string): Promise<void> => {
  await transaction('idempotency_keys').where({ intent_id: intentId }).update({ answer });
};

/** After an answer without a voucher the key is free again. */
export const free = async (transaction: Knex, intentIds: readonly string[]): Promise<void> => {
  await transaction('idempotency_keys').whereIn('intent_id', intentIds).whereNull('answer').delete();
};
