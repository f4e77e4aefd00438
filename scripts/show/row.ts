import { duration } from './duration.js';
import type { Played } from './play.js';

const letter = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

/** What was sent when, since the first pass: `A 0 · A 5 s · B 5 s`. */
const sentCell = ({ sent, notifications, start }: Played): string =>
  sent
    .map(({ notification, at }) => `${letter(notifications.indexOf(notification))} ${duration(at - start)}`)
    .join(' · ');

/** What became of each notification; those with the same end together. */
const outcomeCell = ({ deliveries, switchedOff }: Played): string => {
  const ends = deliveries.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
  const kinds = [...new Set(ends)];
  const texts = kinds.map((end) => {
    const letters = ends.flatMap((other, index) => (other === end ? [letter(index)] : []));
    return `${letters.join(', ')} ${end}`;
  });
  return [...texts, ...(switchedOff === undefined ? [] : ['webhook switched off'])].join('; ');
};

/** One line of the table. */
export const rowOf = (played: Played): readonly [target: string, outcome: string, sent: string] => [
  played.scenario.title,
  outcomeCell(played),
  sentCell(played),
];
