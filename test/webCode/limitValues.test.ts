import { expect, test } from '@jest/globals';
import { fromLimitValues, toLimitValues } from '../../web/src/pages/limits/limitValues.ts';

test('what was filled in for staff is not sent for kiosks and guest pages, which have no such fields', () => {
  const begun = {
    ...toLimitValues(undefined),
    allowsCustom: false,
    maxCount: 5,
    maxPerDay: 9,
    requiresName: true,
  };
  expect(fromLimitValues({ ...begun, role: 'staff' })).toMatchObject({
    ...{ allowsCustom: false, maxCount: 5, maxPerDay: 9, requiresName: true },
  });
  for (const role of ['kiosk', 'guest'] as const)
    expect(fromLimitValues({ ...begun, role })).toMatchObject({
      ...{ allowsCustom: true, maxCount: null, maxPerDay: 9, requiresName: false },
    });
});
