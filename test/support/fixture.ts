import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

/** What hooks have made and not ended yet. As many are ended as were made, so whichever hook ends one takes the last. */
const ends: (() => unknown)[] = [];

/** Passes every use on to what the hooks have made. */
const makeFixture = <End extends string, Made extends Record<End, () => unknown>>(
  make: () => Made | Promise<Made>,
  end: End,
  before: typeof beforeAll,
  after: typeof afterAll,
): Made => {
  let made: Made | undefined;
  const need = (): Made => {
    if (!made) throw new Error('a fixture is made by a hook: use it in hooks and tests only');
    return made;
  };
  before(async () => {
    made = undefined;
    // Undefined when it can not be made: that failure is the one to read.
    ends.push(() => made?.[end]());
    made = await make();
  });
  after(async () => void (await ends.pop()?.()));
  return new Proxy({} as Made, { get: (_, key) => Reflect.get(need(), key) as unknown });
};

/**
 * What all tests of a file, or of the `describe` block it is called in, share; and the method that ends it. What was made
 * last is ended first.
 */
export const forAllTests = <End extends string, Made extends Record<End, () => unknown>>(
  make: () => Made | Promise<Made>,
  end: End,
): Made => makeFixture(make, end, beforeAll, afterAll);

/** The same, made anew for each test. */
export const forEachTest = <End extends string, Made extends Record<End, () => unknown>>(
  make: () => Made | Promise<Made>,
  end: End,
): Made => makeFixture(make, end, beforeEach, afterEach);
