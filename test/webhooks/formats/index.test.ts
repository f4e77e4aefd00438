import { expect, test } from '@jest/globals';
import { formatNames } from '../../../src/webhooks/formats/format.js';
import { webhookFormats } from '../../../src/webhooks/formats/index.js';

test('every format is there under its own name', () => {
  expect(Object.keys(webhookFormats)).toEqual([...formatNames]);
  for (const [name, format] of Object.entries(webhookFormats)) expect(format.name).toBe(name);
});
