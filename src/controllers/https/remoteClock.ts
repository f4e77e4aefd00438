import type { IncomingHttpHeaders } from 'node:http';
import type { ClockOffset } from '../controller.js';

/** What the `Date` of answers tells about the clock of the machine that sends them. */
export interface RemoteClock {
  offset(): ClockOffset | undefined;
  /** Is there no measurement that is recent? */
  isStale(): boolean;
  learn(headers: IncomingHttpHeaders, sentAt: number): void;
}

interface Sample extends ClockOffset {
  readonly takenAt: number;
}

/** Clocks drift slowly, but they are set at times. */
const staleMs = 10 * 60_000;

export const makeRemoteClock = (now: () => number): RemoteClock => {
  let kept: Sample | undefined;
  const isStale = ({ takenAt }: Sample): boolean => Math.abs(now() - takenAt) > staleMs;
  return {
    offset: () => kept && { atLeast: kept.atLeast, atMost: kept.atMost },
    isStale: () => !kept || isStale(kept),
    learn: ({ date = '' }, sentAt) => {
      const told = Date.parse(date);
      if (Number.isNaN(told)) return;
      const takenAt = now();
      // It was told in whole seconds, at some moment between the request and its answer.
      const sample = { takenAt, atLeast: told - takenAt, atMost: told + 999 - sentAt };
      const wasSet = kept && (sample.atLeast > kept.atMost || sample.atMost < kept.atLeast);
      // The quickest answer says the most.
      if (!kept || wasSet || isStale(kept) || width(sample) <= width(kept)) kept = sample;
    },
  };
};

const width = ({ atLeast, atMost }: ClockOffset): number => atMost - atLeast;
