/** A filter that is being typed, beside the one that the address holds. */
export interface FilterState<Filter> {
  readonly typed: Filter;
  /** The filter of the address when it was last looked at. */
  readonly seen: string;
  /** What was written to the address since, oldest first: it arrives there later, while something else is typed. */
  readonly written: readonly string[];
}

export const keyOfFilter = (filter: object): string => JSON.stringify(filter);

export const startFilter = <Filter extends object>(inAddress: Filter): FilterState<Filter> => ({
  typed: inAddress,
  seen: keyOfFilter(inAddress),
  written: [],
});

export const noteWritten = <Filter>(state: FilterState<Filter>, key: string): FilterState<Filter> => {
  const last = state.written.at(-1) ?? state.seen;
  return key === last ? state : { ...state, written: [...state.written, key] };
};

/** Our own writing keeps what is typed; what the address says on its own, as after Back, replaces it. */
export const noteAddress = <Filter extends object>(
  state: FilterState<Filter>,
  inAddress: Filter,
): FilterState<Filter> & { readonly isOwn: boolean } => {
  const seen = keyOfFilter(inAddress);
  const place = state.written.indexOf(seen);
  const isOwn = place >= 0;
  return {
    typed: isOwn ? state.typed : inAddress,
    seen,
    written: isOwn ? state.written.slice(place + 1) : [],
    isOwn,
  };
};
