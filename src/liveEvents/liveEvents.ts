import type { Readable } from 'node:stream';
import type { components } from '../../generated/web.js';
import { makeEventStream, type EventStream } from '../lib/eventStream.js';
import type { ChangeFeed, DataChange } from '../database/changeFeed.js';
import type { Sessions, SignedInUser } from '../auth/sessions.js';

/** Tells the pages what is out of date. */
export interface LiveEvents {
  /** Events for one user, until their session or the service ends. */
  follow(who: SignedInUser): Promise<Readable>;
}

type ChangeTopic = components['schemas']['ChangeTopic'];

/** Events for staff and viewers; all others are for administrators only. */
const staffTopics: ReadonlySet<ChangeTopic> = new Set([
  'sites',
  'profiles',
  'limits',
  'orders',
  'vouchers',
  'printers',
  'settings',
]);

/** More streams than a user has tabs; beyond it, the oldest ones end. */
const maxStreamsPerUser = 20;
/** The browser begins another one then, with the sites that the user has by now. */
const maxStreamMs = 3_600_000;
/** How long a client may take to read the end of a stream. */
const maxEndMs = 10_000;

export const makeLiveEvents = (changes: ChangeFeed, sessions: Pick<Sessions, 'list'>): LiveEvents => {
  const streams = new Map<number, EventStream[]>();

  const open = (userId: number): EventStream => {
    const stream = makeEventStream();
    const opened = [...(streams.get(userId) ?? []), stream];
    // They count no longer at once: many may be opened before the first of them is closed.
    for (const oldest of opened.splice(0, opened.length - maxStreamsPerUser)) endSoon(oldest);
    streams.set(userId, opened);
    const timer = setTimeout(stream.end, maxStreamMs).unref();
    stream.body.once('close', () => {
      clearTimeout(timer);
      const left = (streams.get(userId) ?? []).filter((one) => one !== stream);
      if (left.length > 0) streams.set(userId, left);
      else streams.delete(userId);
    });
    return stream;
  };

  return {
    follow: async (who) => {
      const { user, session } = who;
      const stream = open(user.id);
      const endWithSession = async (): Promise<void> => {
        const current = await sessions.list(user.id);
        if (!current.some(({ id }) => id === session.id)) stream.end();
      };
      try {
        const unsubscribe = await changes.subscribe({
          changed: (change) => {
            if (change.topics.has('people')) endWithSession().catch(() => stream.end());
            const topics = topicsFor(who, change);
            if (topics.length > 0) stream.send('changed', topics);
          },
          closed: () => stream.end(),
        });
        stream.body.once('close', unsubscribe);
        if (stream.body.destroyed) unsubscribe();
      } catch (error) {
        stream.body.destroy();
        throw error;
      }
      return stream.body;
    },
  };
};

/** Ends a stream, also for a client that never reads its end. */
const endSoon = ({ body, end }: EventStream): void => {
  end();
  const timer = setTimeout(() => body.destroy(), maxEndMs).unref();
  body.once('close', () => clearTimeout(timer));
};

const topicsFor = ({ user }: SignedInUser, { topics, siteIds }: DataChange): ChangeTopic[] => {
  if (user.role === 'admin') return [...topics];
  const hasOwnVouchers = user.siteIds.some((id) => siteIds.has(id));
  return [...topics].filter((topic) => staffTopics.has(topic) && (topic !== 'vouchers' || hasOwnVouchers));
};
