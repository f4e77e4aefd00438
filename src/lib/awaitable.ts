/** A value that is there already, or will be. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Continues with a value, at once if it is there. So the work for a list that has not changed ends before the
 * next request begins: such requests do not add up to those that may be in flight, however many connections
 * ask at the same moment. And it needs no promise: waiting for one, and noting the request until it is
 * settled, took a tenth of the time of a list.
 */
export const andThen = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(next) : next(value);
