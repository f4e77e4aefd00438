import { expect, test } from '@jest/globals';
import { controllerOptionsOf } from '../../src/controllers/controllerOptions.js';
import {
  controllerKinds,
  isDatabaseKind,
  isSimulatedKind,
  requiredCredentials,
} from '../../src/controllers/kinds.js';
import { formOf, kinds, usualOptions } from '../../web/src/pages/controllers/controllerKinds.js';

const credentialNames = {
  apiKey: ['apiKey'],
  account: ['username', 'password'],
  application: ['clientId', 'clientSecret'],
  none: [],
};

test('the forms offer every kind', () => expect([...kinds].sort()).toEqual(controllerKinds.toSorted()));

test.each(kinds)('the form of the kind %s asks for what the service takes, with its defaults', (kind) => {
  const { connection, credentials, options } = formOf(kind);
  expect([connection === 'database', connection === 'none']).toEqual([
    isDatabaseKind(kind),
    isSimulatedKind(kind),
  ]);
  expect(credentialNames[credentials]).toEqual(Object.keys(requiredCredentials(kind)));
  expect(Object.fromEntries(options.map((option) => [option, usualOptions[option]]))).toEqual(
    controllerOptionsOf({ kind, settings: {} }),
  );
});
