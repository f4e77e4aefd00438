import { expect, test } from '@jest/globals';
import { formatNames } from '../../../src/notifications/format.js';
import { formats } from '../../../src/notifications/formats/index.js';

test('every format is there under its own name', () => {
  expect(Object.keys(formats)).toEqual([...formatNames]);
  for (const [name, format] of Object.entries(formats)) expect(format.name).toBe(name);
});
