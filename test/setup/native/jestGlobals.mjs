// What tests import from `@jest/globals`, made of the parts that jest itself is made of.
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export const expect = jestExpect;

const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
const mocker = new ModuleMocker(globalThis);

export const jest = {
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  spyOn: (object, name) => mocker.spyOn(object, name),
  restoreAllMocks: () => mocker.restoreAllMocks(),
};
