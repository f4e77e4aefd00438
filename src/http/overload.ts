import { makeEpisode } from '../log/episode.js';
import type { Log } from '../log/log.js';
import type { HttpMetrics } from './httpMetrics.js';

/** Keeps requests out that could do nothing but wait. */
export interface Admission {
  /** Takes a request in. False when it is to be refused before anything is done for it; then it need not leave. */
  enter(): boolean;
  leave(): void;
}

interface AdmissionOptions {
  /** How many requests of operations may be in flight. */
  maxInFlight: number;
  /** What every operation needs. */
  readonly database: { readonly isUnavailable: boolean };
  readonly log: Log;
  readonly metrics: Pick<HttpMetrics, 'overloadRefusal'>;
}

export const makeAdmission = ({ maxInFlight, database, log, metrics }: AdmissionOptions): Admission => {
  const end = 'requests are no longer refused';
  const noteRefusal = {
    in_flight: makeEpisode(log, {
      begin: 'requests are refused with 503: MAX_REQUESTS_IN_FLIGHT are in flight',
      end,
    }),
    database: makeEpisode(log, {
      begin: 'requests are refused with 503: the database does not answer',
      end,
    }),
  };
  let inFlight = 0;
  return {
    enter: () => {
      if (inFlight >= maxInFlight || database.isUnavailable) {
        const reason = database.isUnavailable ? 'database' : 'in_flight';
        metrics.overloadRefusal(reason);
        noteRefusal[reason]();
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
