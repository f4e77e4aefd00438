/** What the clients of both databases look for in the context of a knex statement. */
interface StatementContext {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The context of a statement that is no longer needed once the signal aborts: it is then interrupted, and
 * fails with the reason of the signal. For reads of a single client only: others may wait for a shared one.
 */
export const interruptedBy = (signal: AbortSignal | undefined): StatementContext => ({ signal });

/** The signal of a statement, as knex hands it to its client. */
export const signalOf = (statement: object): AbortSignal | undefined => {
  const { queryContext } = statement as { readonly queryContext?: StatementContext };
  return queryContext?.signal;
};

/**
 * Runs a statement. When its signal aborts, `interrupt` is called, and the statement fails with the signal's
 * reason.
 */
export const runInterruptibly = async <T>(
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
  interrupt: () => void,
): Promise<T> => {
  if (!signal) return run();
  signal.throwIfAborted();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await run();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
};
