import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { UnifiConsole } from '../../../simulators/unifi/console.js';
import type { FaultKind } from '../../../simulators/unifi/faults.js';
import type { ConsoleOptions } from '../../../simulators/unifi/settings.js';
import { type Controller } from '../../../src/controllers/controller.js';
import { SettingsError } from '../../../src/controllers/errors.js';
import { checkControllerSettings, requiredCredentials } from '../../../src/controllers/kinds.js';
import { collectVouchers, someOrder } from '../../conformance/controller.js';
import { testCases } from '../../support/cases.js';
import { inspectAll, outcomesOf } from '../../support/inspectAll.js';
import { connectTo, consolesOfTest, variants } from './testConsoles.js';

const { start, connect } = consolesOfTest();

/** Does everything, and returns what comes of it. */
const useAll = (controller: Controller): Promise<unknown[]> =>
  outcomesOf([
    () => controller.create(someOrder(), 1),
    () => collectVouchers(controller),
    () => controller.revoke(null, 'a'),
    () => controller.probe(),
  ]);

const secretsOf = (console: UnifiConsole): string[] => [
  console.password,
  encodeURIComponent(console.password),
  Buffer.from(console.password).toString('base64'),
  ...console.tokens,
];

describe.each(variants)('no password, cookie, JWT or CSRF token gets out (%s)', (variant) => {
  const faults: readonly FaultKind[] = [
    'reset-before',
    'bad-gateway',
    'truncated',
    'wrong-json',
    'throttled',
  ];
  const situations: readonly [string, ConsoleOptions, FaultKind | undefined][] = [
    ['all is well', {}, undefined],
    ['a second factor is wanted', { twoFactor: true }, undefined],
    ['the account may only read', { readOnly: true }, undefined],
    ['logins are throttled', { loginLimit: 0 }, undefined],
    ['everything is redirected', { redirect: 'https://elsewhere.example/' }, undefined],
    ...faults.map((kind): [string, ConsoleOptions, FaultKind] => [kind, {}, kind]),
  ];

  testCases(situations)('whatever goes wrong', async (_, options, kind) => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const password = 'Sehr geheim & "schön"';
    const console = await start({ variant, password, ...options });
    const controller = connectTo(console, { log });
    // With a session, so that there is something to lose.
    await controller.probe().catch(() => undefined);
    if (kind) console.fault({ kind, on: 'all' });
    const outcomes = await useAll(controller);
    console.fault(undefined);
    await controller.close();
    const said = [...outcomes.map(inspectAll), ...lines, inspectAll(controller)].join('\n');
    if (kind ?? options.twoFactor) expect(said).toMatch(/ControllerError|OutcomeUnknown/);
    for (const secret of secretsOf(console)) expect(said).not.toContain(secret);
  });

  test('when the password is wrong', async () => {
    const console = await start({ variant });
    const controller = connect({ ...console, password: 'Falsch-123' });
    const said = (await useAll(controller)).map(inspectAll).join('\n');
    expect(said).toContain('credentials');
    expect(said).not.toContain('Falsch-123');
  });
});

describe('the kind unifi-classic', () => {
  test('asks for a user and a password', () => {
    expect(Object.keys(requiredCredentials('unifi-classic'))).toEqual(['username', 'password']);
  });

  test('wants to know where the controller is', () => {
    expect(() => checkControllerSettings({ kind: 'unifi-classic', settings: {} })).toThrow(SettingsError);
    expect(() =>
      checkControllerSettings({ kind: 'unifi-classic', settings: { url: 'https://192.168.1.1' } }),
    ).not.toThrow();
  });

  testCases([
    [{ password: 'b' }, 'username: is missing'],
    [{ username: 'a' }, 'password: is missing'],
  ])('needs both credentials', async (credentials, message) => {
    const console = await start();
    expect(() => connectTo(console, { credentials })).toThrow(message);
  });
});
