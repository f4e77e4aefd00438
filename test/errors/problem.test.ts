import { expect, test } from '@jest/globals';
import { Problem } from '../../src/errors/problem.js';

test('a problem says its message, or else its code', () => {
  expect(new Problem('server_error', { message: 'kaputt' }).message).toBe('kaputt');
  expect(new Problem('forbidden').message).toBe('forbidden');
});
