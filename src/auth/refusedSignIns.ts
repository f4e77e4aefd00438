import { toStoredLine } from '../lib/label.js';
import { batchCalls } from '../database/batch.js';
import { groupBy } from '../lib/collections.js';
import type { System } from '../lib/system.js';
import type { AuditLogTable, MergedAuditEntry, NewAuditEntry } from '../audit/auditTable.js';

/** An attempt to sign in that was refused. */
export interface RefusedSignIn {
  readonly action: 'user.sign-in-refused' | 'user.sign-in-throttled';
  /** The account, if it exists. What was entered is not recorded: some enter their password there. */
  readonly user: { readonly id: number; readonly name: string } | undefined;
  readonly address: string;
  readonly reason:
    | 'unknown'
    | 'password'
    | 'disabled'
    | 'second factor'
    | 'changed'
    | 'account'
    | 'address'
    | 'browser'
    | 'session'
    | 'single sign-on'
    | 'other person';
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** How many entries a process makes at most; beyond it, attempts of an hour are counted in one entry. */
const [maxEntriesPerMinute, maxEntriesPerDay] = [20, 2000];

/**
 * Records refused attempts so that a flood of them fills neither the disk nor the queue of the database:
 * attempts with the same account, address and reason within a minute are one entry, and attempts at the same
 * time share a transaction.
 */
export const makeRefusedSignIns = (table: AuditLogTable, system: System) => {
  let minute = { index: -1, keys: new Set<string>() };
  let day = { index: -1, entries: 0 };

  const hasRoom = (key: string, now: number): boolean => {
    const [minuteIndex, dayIndex] = [Math.floor(now / minuteMs), Math.floor(now / dayMs)];
    if (minute.index !== minuteIndex) minute = { index: minuteIndex, keys: new Set() };
    if (day.index !== dayIndex) day = { index: dayIndex, entries: 0 };
    if (minute.keys.has(key)) return true;
    if (minute.keys.size >= maxEntriesPerMinute || day.entries >= maxEntriesPerDay) return false;
    minute.keys.add(key);
    day.entries += 1;
    return true;
  };

  const toMerged = (refused: RefusedSignIn): MergedAuditEntry => {
    const now = system.now();
    const { action, user, reason } = refused;
    const address = toStoredLine(refused.address, 100);
    const key = JSON.stringify([action, user?.id ?? null, address, reason]);
    const entry: NewAuditEntry = {
      at: now,
      actorKind: 'system',
      actorName: null,
      action,
      subjectKind: user ? 'user' : null,
      subjectId: user ? String(user.id) : null,
      subjectName: user?.name ?? null,
      address,
      detail: { reason },
    };
    if (hasRoom(key, now))
      return { entry, mergeKey: `${String(Math.floor(now / minuteMs))} ${key}`, count: 1 };
    const others = { subjectKind: null, subjectId: null, subjectName: null, address: null };
    return {
      entry: { ...entry, ...others, detail: { reason: 'many' } },
      mergeKey: `${String(Math.floor(now / hourMs))} ${action} many`,
      count: 1,
    };
  };

  const record = batchCalls(async (refused: readonly RefusedSignIn[]): Promise<readonly undefined[]> => {
    const byKey = groupBy(refused.map(toMerged), ({ mergeKey }) => mergeKey);
    await table.merge(
      [...byKey.values()].flatMap(([first, ...rest]) =>
        first ? [{ ...first, count: 1 + rest.length }] : [],
      ),
    );
    return refused.map(() => undefined);
  });
  return { record };
};
