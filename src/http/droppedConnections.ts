import { makeEpisode } from '../log/episode.js';
import type { Log } from '../log/log.js';
import type { DropReason, HttpMetrics } from './httpMetrics.js';

type EndedByUs = Exclude<DropReason, 'closed'>;

const dropTexts: Readonly<Record<EndedByUs, string>> = {
  connections: 'connection refused: as many as may be are open',
  pipelining: 'connection ended: too many requests of clients that do not read their answers',
  silent: 'connection ended: nothing was sent or read for too long before its requests were answered',
  incomplete:
    'connection ended: its answer had begun, and the rest of the request did not come or was not HTTP',
};

/**
 * Counts connections that the service ends before their requests are answered,
 * and logs when that begins and ends.
 */
export const makeDropReporter = ({
  log,
  metrics,
}: {
  readonly log: Log;
  readonly metrics: HttpMetrics;
}): Readonly<Record<EndedByUs, () => void>> => {
  const reporter = (reason: EndedByUs): (() => void) => {
    const note = makeEpisode(log, {
      begin: dropTexts[reason],
      end: `no more connections are ended or refused (${reason})`,
    });
    return () => {
      metrics.droppedConnection(reason);
      note();
    };
  };
  return {
    connections: reporter('connections'),
    pipelining: reporter('pipelining'),
    silent: reporter('silent'),
    incomplete: reporter('incomplete'),
  };
};
