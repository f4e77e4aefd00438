import type { Log } from './log.js';

/** Notes one event of an episode. */
export type NoteEvent = () => void;

interface EpisodeTexts {
  /** Logged with the first event. */
  readonly begin: string;
  /** Logged with the number of events when there were no more for a while. */
  readonly end: string;
}

/** How long it must be quiet before an episode is over. */
const usualQuietMs = 10_000;

/**
 * Logs that an episode has begun and how many events it had, but not each of them: there may be thousands.
 */
export const makeEpisode = (log: Log, { begin, end }: EpisodeTexts, quietMs = usualQuietMs): NoteEvent => {
  let events = 0;
  let quiet: NodeJS.Timeout | undefined;
  return () => {
    events += 1;
    if (quiet) {
      quiet.refresh();
      return;
    }
    log.warn(begin);
    quiet = setTimeout(() => {
      log.warn({ events }, end);
      events = 0;
      quiet = undefined;
    }, quietMs).unref();
  };
};
