import { makeEventStream } from '../../src/lib/eventStream.js';
import type { WebHandler } from './handler.js';

/** What staff may hear of; the rest concerns administrators. */
const staffTopics = new Set(['sites', 'profiles', 'vouchers']);

export const followEvents: WebHandler<'followEvents'> = async ({ key, reply }, { people, changes }) => {
  const { user, session } = key;
  const stream = makeEventStream();
  const isAdmin = user.role === 'admin';

  const endWithSession = async (): Promise<void> => {
    const sessions = await people.sessions.list(user.id);
    if (!sessions.some(({ id }) => id === session.id)) stream.end();
  };

  const unsubscribe = await changes.subscribe({
    changed: ({ topics, siteIds }) => {
      if (topics.has('people')) endWithSession().catch(() => stream.end());
      const concerned = [...topics].filter(
        (topic) =>
          isAdmin ||
          (staffTopics.has(topic) && (topic !== 'vouchers' || user.siteIds.some((id) => siteIds.has(id)))),
      );
      if (concerned.length > 0) stream.send('changed', concerned);
    },
    closed: () => stream.end(),
  });
  stream.body.once('close', unsubscribe);
  return reply(200, stream.body);
};
