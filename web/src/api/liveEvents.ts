import { useLayoutEffect } from 'react';
import type { Query } from '@tanstack/react-query';
import { client } from './api.ts';
import { holdRequests, maxHoldMs } from './eventsGate.ts';
import { outdatedPaths } from './outdatedPaths.ts';
import { followSession, queryClient } from './queryClient.ts';
import { basePath } from './serviceMeta.ts';

/** So many pages of a long list are fetched again when something changes; more would be a flood of requests. */
const maxPages = 3;

const isLong = ({ state }: Query): boolean =>
  ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > maxPages;

/** Fetches again what is shown of these topics. */
export const refreshTopics = (topics: readonly string[]): void => {
  const outdated = outdatedPaths(topics);
  if (!outdated) void queryClient.invalidateQueries();
  else
    void queryClient.invalidateQueries({
      predicate: (query) => outdated.has(String(query.queryKey[1])) && !isLong(query),
    });
};

const reconnectMs = 5000;

/**
 * Keeps what is shown up to date, while somebody is signed in. Data is fetched after the event stream has opened, because
 * changes before that are not announced.
 */
export const useLiveEvents = (isSignedIn: boolean): void => {
  // Before the effects that fetch.
  useLayoutEffect(() => {
    if (!isSignedIn) return;
    let events: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasLost = false;
    let release = (): void => undefined;
    holdRequests(new Promise((resolve) => (release = resolve)));
    /** Fetches everything again when the stream opens later. */
    const goOnWithout = (): void => {
      wasLost = true;
      release();
    };
    const holding = setTimeout(goOnWithout, maxHoldMs);
    const disconnect = (): void => {
      clearTimeout(timer);
      events?.close();
      events = undefined;
    };
    const connect = (): void => {
      disconnect();
      // A browser has six connections to a host: tabs that nobody sees need none.
      if (document.visibilityState === 'hidden') {
        goOnWithout();
        return;
      }
      const source = new EventSource(`${basePath}/web/events`);
      events = source;
      source.addEventListener('changed', ({ data }: MessageEvent<string>) =>
        refreshTopics(JSON.parse(data) as string[]),
      );
      source.addEventListener('error', () => {
        goOnWithout();
        // After an answer that is an error, the browser itself gives up. Which error it is, it does not tell: the session
        // may have ended.
        if (source.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(connect, reconnectMs);
        client.GET('/session').catch(followSession);
      });
      source.addEventListener('open', () => {
        if (wasLost) void queryClient.invalidateQueries();
        wasLost = false;
        clearTimeout(holding);
        release();
      });
    };
    connect();
    document.addEventListener('visibilitychange', connect);
    return () => {
      document.removeEventListener('visibilitychange', connect);
      clearTimeout(holding);
      release();
      disconnect();
    };
  }, [isSignedIn]);
};
