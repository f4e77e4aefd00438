import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

/** The hooks of all tests, or of each test. */
const hooks = { all: [beforeAll, afterAll], each: [beforeEach, afterEach] } as const;

/** What hooks have made and not ended yet. */
const made: { readonly per: keyof typeof hooks; end(): unknown }[] = [];

/**
 * Makes something before all tests of a file, or of the `describe` block it is called in, or before each; and ends it
 * afterwards. What was made last is ended first: each hook afterwards ends the last that there is.
 */
export const aroundTests = (per: keyof typeof hooks, make: () => Promise<void>, end: () => unknown): void => {
  const [before, after] = hooks[per];
  before(async () => {
    made.push({ per, end });
    await make();
  });
  after(async () => {
    // When a test could not be prepared, there may be fewer.
    if (made.at(-1)?.per === per) await made.pop()?.end();
  });
};

/** Passes every use on to what the hooks have made. */
const makeFixture = <End extends string, Made extends Record<End, () => unknown>>(
  per: keyof typeof hooks,
  make: () => Made | Promise<Made>,
  end: End,
): Made => {
  let current: Made | undefined;
  const need = (): Made => {
    if (!current) throw new Error('a fixture is made by a hook: use it in hooks and tests only');
    return current;
  };
  const begin = async (): Promise<void> => {
    current = undefined;
    current = await make();
  };
  // Undefined when it could not be made: that failure is the one to read.
  aroundTests(per, begin, () => current?.[end]());
  return new Proxy({} as Made, { get: (_, key) => Reflect.get(need(), key) as unknown });
};

/** What all tests of a file, or of the `describe` block it is called in, share; and the method that ends it. */
export const forAllTests = <End extends string, Made extends Record<End, () => unknown>>(
  make: () => Made | Promise<Made>,
  end: End,
): Made => makeFixture('all', make, end);

/** The same, made anew for each test. */
export const forEachTest = <End extends string, Made extends Record<End, () => unknown>>(
  make: () => Made | Promise<Made>,
  end: End,
): Made => makeFixture('each', make, end);

/** What tests add to it is ended after each of them, the last first. */
export const endsAfterEach = (): (() => unknown)[] => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return ends;
};
