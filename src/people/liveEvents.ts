import type { Readable } from 'node:stream';
import { makeEventStream } from '../lib/eventStream.js';
import type { ChangeFeed, DataChange } from '../storage/changeFeed.js';
import type { Sessions, SignedInUser } from './sessions.js';

/** Tells the pages what is out of date. */
export interface LiveEvents {
  /** Events for one user, until their session or the service ends. */
  follow(who: SignedInUser): Promise<Readable>;
}

/** What staff may hear of; the rest concerns administrators. */
const staffTopics: ReadonlySet<string> = new Set(['sites', 'profiles', 'vouchers']);

export const makeLiveEvents = (changes: ChangeFeed, sessions: Pick<Sessions, 'list'>): LiveEvents => ({
  follow: async (who) => {
    const { user, session } = who;
    const stream = makeEventStream();
    const endWithSession = async (): Promise<void> => {
      const current = await sessions.list(user.id);
      if (!current.some(({ id }) => id === session.id)) stream.end();
    };
    const unsubscribe = await changes.subscribe({
      changed: (change) => {
        if (change.topics.has('people')) endWithSession().catch(() => stream.end());
        const topics = topicsFor(who, change);
        if (topics.length > 0) stream.send('changed', topics);
      },
      closed: () => stream.end(),
    });
    stream.body.once('close', unsubscribe);
    return stream.body;
  },
});

const topicsFor = ({ user }: SignedInUser, { topics, siteIds }: DataChange): string[] => {
  if (user.role === 'admin') return [...topics];
  const hasOwnVouchers = user.siteIds.some((id) => siteIds.has(id));
  return [...topics].filter((topic) => staffTopics.has(topic) && (topic !== 'vouchers' || hasOwnVouchers));
};
