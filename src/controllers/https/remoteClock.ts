import type { IncomingHttpHeaders } from 'node:http';
import type { ClockOffset } from '../controller.js';

/** A controller's clock, measured by the `Date` header of its answers. */
export interface RemoteClock {
  offset(): ClockOffset | undefined;
  /** Is there no recent measurement? */
  isStale(): boolean;
  learn(headers: IncomingHttpHeaders, sentAt: number): void;
}

interface Sample extends ClockOffset {
  readonly takenAt: number;
}

/** Clocks drift slowly, but somebody may set them. */
const staleMs = 10 * 60_000;

export const makeRemoteClock = (now: () => number): RemoteClock => {
  let latest: Sample | undefined;
  const isStale = ({ takenAt }: Sample): boolean => Math.abs(now() - takenAt) > staleMs;
  return {
    offset: () => latest && { atLeast: latest.atLeast, atMost: latest.atMost },
    isStale: () => !latest || isStale(latest),
    learn: ({ date = '' }, sentAt) => {
      const sentTime = Date.parse(date);
      if (Number.isNaN(sentTime)) return;
      const takenAt = now();
      // The header has whole seconds, and was written at some moment between the request and its answer.
      const sample = { takenAt, atLeast: sentTime - takenAt, atMost: sentTime + 999 - sentAt };
      const wasSet = latest && (sample.atLeast > latest.atMost || sample.atMost < latest.atLeast);
      // The quickest answer is the most exact one.
      if (!latest || wasSet || isStale(latest) || width(sample) <= width(latest)) latest = sample;
    },
  };
};

const width = ({ atLeast, atMost }: ClockOffset): number => atMost - atLeast;
