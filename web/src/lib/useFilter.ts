import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { keyOfFilter, noteAddress, noteWritten, startFilter } from './filterState.ts';
import type { RawSearch } from './search.ts';

/** So long nothing is typed before it is searched for. */
const typingMs = 250;

const isEmpty = (filter: object): boolean => Object.values(filter).every((value) => value === undefined);

/**
 * A filter that the address holds: a link and a reload keep it, and Back removes it. What is typed is written there
 * after a moment; what the address says on its own, as after Back, is shown at once.
 */
export const useFilter = <Filter extends object>(inAddress: Filter) => {
  const navigate = useNavigate();
  const [state, setState] = useState(() => startFilter(inAddress));
  const write = useDebouncedCallback((filter: Filter) => {
    setState((known) => noteWritten(known, keyOfFilter(filter)));
    // One step of the history is a filter or none, not each letter of it.
    const replace = isEmpty(inAddress) === isEmpty(filter);
    void navigate({
      to: '.',
      search: (search: RawSearch) => ({ ...search, ...filter }),
      replace,
      resetScroll: false,
    });
  }, typingMs);
  if (keyOfFilter(inAddress) !== state.seen) {
    const { isOwn, ...next } = noteAddress(state, inAddress);
    // What was typed before Back must not come back.
    if (!isOwn) write.cancel();
    setState(next);
  }
  const change = (filter: Filter): void => {
    setState((known) => ({ ...known, typed: filter }));
    write(filter);
  };
  return [state.typed, change] as const;
};
