import { describe, expect, test } from '@jest/globals';
import { toStoredFailure } from '../../../src/controllers/storedFailure.js';
import { webhookFormats } from '../../../src/webhooks/formats/index.js';
import type { FormatName } from '../../../src/webhooks/formats/format.js';
import type { ControllerOutage } from '../../../src/webhooks/notificationTable.js';
import { pageLanguages, type PageLanguage } from '../../../src/i18n/language.js';
import { now, someSecret } from '../../conformance/format.js';

const unreachable: ControllerOutage = {
  type: 'controller.unreachable',
  id: '00112233445566778899aabbccddeeff',
  controller: 'Zentrale',
  sites: ['Hauptgebäude', 'Gästehaus'],
  failure: toStoredFailure({ kind: 'timeout', seconds: 10 }),
  createdAt: Date.parse('2026-11-14T09:30:00.000Z'),
};
const reachable: ControllerOutage = { ...unreachable, type: 'controller.reachable', failure: null };

const compose = (format: FormatName, outage: ControllerOutage, language: PageLanguage = 'de'): string =>
  webhookFormats[format].compose({ ...outage, test: false }, { language, secrets: [someSecret], now }).body;

describe.each(['slack', 'mattermost', 'discord', 'teams', 'google-chat'] as const)('in %s', (format) => {
  test('an outage names the controller, its sites and the reason in every language', () => {
    const worded: Record<PageLanguage, readonly string[]> = {
      de: ['Controller nicht erreichbar', 'Grund', 'hat nicht rechtzeitig geantwortet'],
      en: ['Controller cannot be reached', 'Reason', 'did not answer in time'],
      es: ['No se puede acceder al controlador', 'Motivo', 'a tiempo'],
      fr: ['Contrôleur injoignable', 'Motif', 'à temps'],
      it: ['Controller non raggiungibile', 'Motivo', 'in tempo'],
      nl: ['Controller niet bereikbaar', 'Reden', 'op tijd'],
    };
    for (const language of pageLanguages)
      for (const text of ['Zentrale', 'Hauptgebäude, Gästehaus', ...worded[language]])
        expect(compose(format, unreachable, language)).toContain(text);
  });

  test('its end names no reason', () => {
    expect(compose(format, reachable)).toContain('Controller wieder erreichbar');
    expect(compose(format, reachable)).not.toContain('Grund');
    expect(compose(format, reachable, 'en')).toContain('Controller can be reached again');
  });

  test('names stay short, and a reason of a later version is unknown', () => {
    const sites = Array.from({ length: 50 }, () => 'x'.repeat(255));
    const failure = { kind: 'of a later version' } as unknown as ControllerOutage['failure'];
    const body = compose(format, { ...unreachable, sites, controller: 'y'.repeat(65_536), failure });
    expect(body.length).toBeLessThan(3000);
    expect(body).toContain('unbekannt');
  });
});

test('a program gets names and a code', () => {
  expect(JSON.parse(compose('generic', unreachable))).toEqual({
    type: 'controller.unreachable',
    timestamp: '2026-11-14T09:30:00.000Z',
    data: { controller: 'Zentrale', sites: ['Hauptgebäude', 'Gästehaus'], reason: 'timeout' },
  });
  expect(JSON.parse(compose('generic', reachable))).toEqual({
    type: 'controller.reachable',
    timestamp: '2026-11-14T09:30:00.000Z',
    data: { controller: 'Zentrale', sites: ['Hauptgebäude', 'Gästehaus'] },
  });
});

test('a program for the PHP tool gets the event that it knows', () => {
  const { text, event } = JSON.parse(compose('php-tool', unreachable)) as {
    text: string;
    event: { detail: string };
  };
  expect(event).toEqual({
    type: 'controller_unreachable',
    site: 'Hauptgebäude, Gästehaus',
    detail: expect.stringMatching(/\S/),
  });
  expect(text).toBe(`⚠️ UniFi-Controller für "Hauptgebäude, Gästehaus" nicht erreichbar. (${event.detail})`);
});
