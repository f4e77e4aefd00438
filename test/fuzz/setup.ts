import type { Parameters } from 'fast-check';
import knex, { type Knex } from 'knex';
import { simulatedFile } from '../../src/controllers/simulated/simulated.js';
import { makeClock, type Clock } from '../support/clock.js';
import { makeExpectDocumented, type ExpectDocumented } from '../support/documentedAnswers.js';
import { makeKeepAliveClient, type KeepAliveClient } from '../support/keepAliveClient.js';
import { startService, type TestService } from '../support/service.js';
import { controllerOf } from '../support/serviceInternals.js';
import { addKeys, type Keys } from './access.js';

/** A failure prints its seed; FUZZ_SEED repeats it. */
const seed = process.env['FUZZ_SEED'];

/** How many requests a property is tried with: a sample in `npm test`, 2,000 in `npm run soak -- rounds`. */
export const requests = Number(process.env['FUZZ_RUNS'] ?? 200);

/** A part of all requests is enough for what has few cases. */
export const runs = (part = 1): Parameters<unknown> => ({
  numRuns: Math.ceil(requests * part),
  ...(seed !== undefined && { seed: Number(seed) }),
});

export interface Fuzzed {
  readonly service: TestService;
  readonly client: KeepAliveClient;
  readonly keys: Keys;
  readonly clock: Clock;
  /** Two active sites and an inactive one. */
  readonly sites: { readonly active: readonly [number, number]; readonly inactive: number };
  readonly names: ReadonlyMap<number, string>;
  readonly expectDocumented: ExpectDocumented;
  /** The file of the controller that an active site is tied to. */
  controllerOf(siteId: number): Knex;
  stop(): Promise<void>;
}

/** A service with keys and sites, shortly before midnight on the last day of a year. */
export const startFuzzed = async (): Promise<Fuzzed> => {
  const clock = makeClock(new Date(2026, 11, 31, 23, 30).getTime());
  const service = await startService({ system: { now: clock.now } });
  const client = makeKeepAliveClient(service.url);
  const names = ['Hauptgebäude', 'Nebengebäude "Süd" 😀'] as const;
  const active = [
    await service.addSite({ name: names[0] }),
    await service.addSite({ name: names[1] }),
  ] as const;
  const files = new Map<number, Knex>();
  for (const id of active) {
    const filename = simulatedFile(service.dataDir, await controllerOf(service, id));
    files.set(id, knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true }));
  }
  return {
    service,
    client,
    clock,
    keys: await addKeys(service, clock.now()),
    sites: { active, inactive: await service.addSite({ name: 'Geschlossen', active: false }) },
    names: new Map([
      [active[0], names[0]],
      [active[1], names[1]],
    ]),
    expectDocumented: makeExpectDocumented(),
    controllerOf: (siteId) => files.get(siteId)!,
    stop: async () => {
      client.close();
      for (const file of files.values()) await file.destroy();
      await service.stop();
    },
  };
};
