/** A value that is there already, or will be. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Continues with a value, at once if it is there. A cached list is so answered before the next request of the same turn of
 * the event loop begins: however many connections ask together, such requests never add up to `MAX_REQUESTS_IN_FLIGHT`.
 * That is the reason for it, not speed: with promises everywhere a read needed no more processor time.
 */
export const andThen = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(next) : next(value);
