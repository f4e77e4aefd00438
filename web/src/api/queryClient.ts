import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from './api.ts';

export const sessionKey = ['get', '/session'] as const;

/** Whether the user has to do something first, such as to choose a password; the session says what. */
const isHeldBack = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 403 && error.message !== 'role-insufficient';

/** Shows the sign-in, or what the user has to do first, when that is why something was refused. */
export const followSession = (error: unknown): void => {
  // Forgotten and asked for again: without a session the sign-in appears.
  if (isSignedOut(error)) void queryClient.resetQueries({ queryKey: sessionKey });
  else if (isHeldBack(error)) void queryClient.invalidateQueries({ queryKey: sessionKey });
};

/** Retries temporary failures, once. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || [0, 502, 503].includes(error.status);

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[1] !== sessionKey[1]) followSession(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      // A refused sign-in is a 401, too, and no session has ended.
      if (mutation.options.mutationKey?.[1] !== sessionKey[1]) followSession(error);
    },
  }),
  defaultOptions: {
    queries: {
      // Changes are told by events; what was missed while a connection was lost is fetched on return.
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 1 && isPassing(error),
      retryDelay: 1000,
    },
  },
});

/** Fetches again what was read from these paths of web.yaml. */
export const invalidate = (...paths: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => paths.includes(String(queryKey[1])) });

/** Takes back what failed attempts said, as soon as something is changed; those under way go on. */
export const forgetError = (
  ...mutations: readonly { readonly isError: boolean; readonly reset: () => void }[]
): void => mutations.filter(({ isError }) => isError).forEach(({ reset }) => reset());
