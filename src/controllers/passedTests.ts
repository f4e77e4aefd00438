import { createHash } from 'node:crypto';
import type { ControllerSpec } from './controller.js';
import type { ControllerRegistry } from './registry.js';

/**
 * Connections whose test has just passed, so that a controller
 * that is stored with one of them is known to answer.
 */
export interface PassedTests {
  /** `id` is that of the controller, if it is stored as it was tested. */
  notePassed(tested: Connection, id: number | undefined): void;
  /** Called when a controller was stored. */
  noteStored(stored: Connection, id: number): void;
}

type Connection = Pick<ControllerSpec, 'kind' | 'settings' | 'credentials'>;

/** People test, choose sites and save; others are forgotten. */
const maxPassed = 20;

export const makePassedTests = ({ noteAnswer }: Pick<ControllerRegistry, 'noteAnswer'>): PassedTests => {
  const passed = new Set<string>();
  return {
    notePassed: (tested, id) => {
      if (id !== undefined) noteAnswer(id);
      else {
        const digest = digestOf(tested);
        passed.delete(digest);
        passed.add(digest);
        for (const oldest of passed) if (passed.size > maxPassed) passed.delete(oldest);
      }
    },
    noteStored: (stored, id) => {
      if (passed.delete(digestOf(stored))) noteAnswer(id);
    },
  };
};

/** Credentials are not kept. */
const digestOf = ({ kind, settings, credentials }: Connection): string => {
  const sorted = [settings, credentials].map((values) =>
    Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return createHash('sha256')
    .update(JSON.stringify([kind, ...sorted]))
    .digest('hex');
};
