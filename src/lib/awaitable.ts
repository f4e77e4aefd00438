/** A value that is there already, or will be. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there: waiting for what need not be waited for costs each request. */
export const andThen = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(next) : next(value);
