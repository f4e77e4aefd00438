import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

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
    made = await make();
  });
  // Undefined when it could not be made: that failure is the one to read.
  after(async () => void (await made?.[end]()));
  return new Proxy({} as Made, { get: (_, key) => Reflect.get(need(), key) as unknown });
};

/** What all tests of a file, or of the `describe` block it is called in, share; and the method that ends it. */
export const forAllTests = <End extends string, Made extends Record<End, () => unknown>>(
  make: () => Made | Promise<Made>,
  end: End,
): Made => makeFixture(make, end, beforeAll, afterAll);

/** The same, made anew for each test. */
export const forEachTest = <End extends string, Made extends Record<End, () => unknown>>(
  make: () => Made | Promise<Made>,
  end: End,
): Made => makeFixture(make, end, beforeEach, afterEach);
