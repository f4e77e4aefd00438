import type { Knex } from 'knex';
import { toStoredFailure, type StoredFailure } from '../controllers/storedFailure.js';
import type { Failure } from '../controllers/failure.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { inTransaction } from '../database/transactions.js';
import { findSitesOfController } from '../sites/siteTable.js';
import { enqueueNotifications, type ControllerOutage } from './notificationTable.js';

/** A controller by its id and name. */
interface NamedController {
  readonly id: number;
  readonly name: string;
}

/** Tells webhooks once that a controller can't be reached, and once that it can be reached again. */
export interface ControllerOutageTable {
  /** The controllers that can't be reached now, longest first. */
  current(): Promise<{ readonly controllerId: number; readonly since: number }[]>;
  noteUnreachable(controller: NamedController, failure: Failure, now: Moment): Promise<void>;
  noteReachable(controller: NamedController, now: Moment): Promise<void>;
}

/** A time, and the id of the notification if this is told. */
type Moment = Pick<ControllerOutage, 'id' | 'createdAt'>;

interface StoredOutage {
  readonly since: number;
  /** The first one: later calls may have been kept back by the circuit breaker. */
  readonly failure: StoredFailure;
  readonly reportedAt: number | null;
}

const columns = defineColumns<StoredOutage>({ since: 'plain', failure: 'json', reportedAt: 'plain' });

/** A controller that restarts is not an outage. */
export const outageReportedAfterMs = 3 * 60_000;

/** A message names no more sites. */
const maxNamedSites = 50;

/** The table of controllers that can't be reached. All processes share it, so each outage is told once. */
export const makeControllerOutageTable = ({ read, write }: Database): ControllerOutageTable => {
  const find = async (id: number): Promise<StoredOutage | undefined> => {
    const rows = await read('controller_outages').where({ controller_id: id }).select(columns.aliases);
    return columns.fromRows(rows)[0];
  };

  const enqueue = async (
    transaction: Knex,
    controller: NamedController,
    what: Omit<ControllerOutage, 'controller' | 'sites'>,
  ): Promise<void> => {
    const sites = await findSitesOfController(transaction, controller.id);
    const names = sites.filter(({ active }) => active).map(({ name }) => name);
    await enqueueNotifications(transaction, [
      { ...what, controller: controller.name, sites: names.slice(0, maxNamedSites) },
    ]);
  };

  return {
    current: () =>
      read('controller_outages')
        .select<{ controllerId: number; since: number }[]>({ controllerId: 'controller_id' }, 'since')
        .orderBy('since'),
    noteUnreachable: async (controller, failure, { id, createdAt: now }) => {
      const outage = await find(controller.id);
      if (!outage) {
        await write('controller_outages')
          .insert({
            controller_id: controller.id,
            ...columns.toRow({ since: now, failure: toStoredFailure(failure) }),
          })
          .onConflict()
          .ignore();
        return;
      }
      const isOld = now - outage.since >= outageReportedAfterMs;
      // It began before the clock was set back, and nobody knows when.
      const isAhead = outage.since > now;
      if (outage.reportedAt !== null || !(isOld || isAhead)) return;
      await inTransaction(write, async (transaction) => {
        const reported = await transaction('controller_outages')
          .where({ controller_id: controller.id, reported_at: null })
          .update({ reported_at: now });
        if (reported > 0)
          await enqueue(transaction, controller, {
            type: 'controller.unreachable',
            id,
            createdAt: now,
            failure: outage.failure,
          });
      });
    },
    noteReachable: async (controller, now) => {
      if (!(await find(controller.id))) return;
      await inTransaction(write, async (transaction) => {
        const outage = transaction('controller_outages').where({ controller_id: controller.id });
        const ended = await outage.clone().whereNotNull('reported_at').delete();
        await outage.delete();
        if (ended > 0)
          await enqueue(transaction, controller, { ...now, type: 'controller.reachable', failure: null });
      });
    },
  };
};
