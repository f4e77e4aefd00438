import { makeEpisode } from '../log/episode.js';
import type { Log } from '../log/log.js';
import type { HttpMetrics } from './httpMetrics.js';

/** Keeps requests out that could do nothing but wait. */
export interface Admission {
  /**
   * Takes a request in. False when it is to be refused
   * before anything is done for it; then it need not leave.
   */
  enter(): boolean;
  leave(): void;
}

/** Something that every operation needs, such as a database. */
interface NeededPart {
  /** What metrics call its absence. */
  readonly reason: string;
  /** What the log says then. */
  readonly text: string;
  isUnavailable(): boolean;
}

interface AdmissionOptions {
  /** How many requests of operations may be in flight. */
  readonly maxInFlight: number;
  /** What the operator knows this limit by. */
  readonly limitName: string;
  readonly needed?: NeededPart;
  readonly log: Log;
  readonly metrics: Pick<HttpMetrics, 'overloadRefusal'>;
}

export const makeAdmission = ({
  maxInFlight,
  limitName,
  needed,
  log,
  metrics,
}: AdmissionOptions): Admission => {
  const makeRefuse = (reason: string, text: string): (() => void) => {
    const note = makeEpisode(log, {
      begin: `requests are refused with 503: ${text}`,
      end: 'requests are no longer refused',
    });
    return () => {
      metrics.overloadRefusal(reason);
      note();
    };
  };
  const refuse = makeRefuse('in_flight', `${limitName} are in flight`);
  const refuseWithout = needed && makeRefuse(needed.reason, needed.text);
  let inFlight = 0;
  return {
    enter: () => {
      if (needed?.isUnavailable()) {
        refuseWithout?.();
        return false;
      }
      if (inFlight >= maxInFlight) {
        refuse();
        return false;
      }
      inFlight += 1;
      return true;
    },
    leave: () => {
      inFlight -= 1;
    },
  };
};
