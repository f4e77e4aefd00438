import { useEffect } from 'react';
import { invalidate, queryClient } from './queryClient.ts';

/** What is out of date when the service names a topic. */
const pathsOfTopic: Readonly<Record<string, readonly string[]>> = {
  vouchers: ['/overview', '/system'],
  keys: ['/keys', '/overview', '/audit'],
  sites: ['/sites', '/controllers', '/overview', '/system', '/audit'],
  webhooks: ['/webhooks', '/webhooks/{webhookId}/deliveries', '/overview', '/system', '/audit'],
  profiles: ['/profiles', '/sites', '/audit'],
  people: ['/users', '/users/{userId}/sessions', '/sign-in-rules', '/session', '/account/sessions', '/audit'],
};

const follow = (data: string): void => {
  const topics = JSON.parse(data) as string[];
  const paths = topics.map((topic) => pathsOfTopic[topic]);
  // A topic that these pages do not know yet may concern all of them.
  if (paths.includes(undefined)) void queryClient.invalidateQueries();
  else void invalidate(...paths.flatMap((known) => known ?? []));
};

/** Keeps what is shown up to date, while somebody is signed in. */
export const useLiveEvents = (): void => {
  useEffect(() => {
    const events = new EventSource('/web/events');
    let wasLost = false;
    events.addEventListener('changed', ({ data }: MessageEvent<string>) => follow(data));
    events.addEventListener('error', () => (wasLost = true));
    events.addEventListener('open', () => {
      if (wasLost) void queryClient.invalidateQueries();
      wasLost = false;
    });
    return () => events.close();
  }, []);
};
