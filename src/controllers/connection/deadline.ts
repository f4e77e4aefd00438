/** Time that is up at some moment, or when somebody else says so. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** From now on only the other's word counts. */
  lift(): void;
  /** Neither counts any more. */
  end(): void;
}

export const makeDeadline = (ms: number, outer: AbortSignal | undefined): Deadline => {
  const abort = new AbortController();
  const up = (): void => abort.abort();
  const timer = setTimeout(up, ms).unref();
  const lift = (): void => clearTimeout(timer);
  if (outer?.aborted === true) up();
  outer?.addEventListener('abort', up, { once: true });
  return {
    signal: abort.signal,
    lift,
    end: () => {
      lift();
      outer?.removeEventListener('abort', up);
    },
  };
};
