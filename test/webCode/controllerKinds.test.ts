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

test('the form of each kind asks for what the service takes, with its defaults', () => {
  for (const kind of kinds) {
    const { connection, credentials, options } = formOf(kind);
    expect([kind, connection === 'database', connection === 'none']).toEqual([
      ...[kind, isDatabaseKind(kind), isSimulatedKind(kind)],
    ]);
    expect([kind, credentialNames[credentials]]).toEqual([kind, Object.keys(requiredCredentials(kind))]);
    expect([kind, Object.fromEntries(options.map((option) => [option, usualOptions[option]]))]).toEqual([
      kind,
      controllerOptionsOf({ kind, settings: {} }),
    ]);
  }
});
