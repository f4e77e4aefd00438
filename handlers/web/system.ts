import type { WebHandlers } from './handler.js';
import { toHealthReply, toTime, toOptionalTime } from './replies.js';
import { actorOf } from '../../src/auth/account.js';
import { splitMessage, wordMessage, type TimedText } from '../../src/i18n/messages.js';
import { eventStreamHeaders } from '../../src/lib/eventStream.js';

export const systemHandlers = {
  getOverview: async ({ input, principal, reply }, { getOverview }) => {
    const { days: count, timeZone } = input.query;
    const overview = await getOverview(principal.user, { days: count, timeZone });
    const { days, sites, vouchers, figures, controllers, attention, firstSteps } = overview;
    return reply(200, {
      days: [...days],
      sites: [...sites],
      vouchers: [...vouchers],
      figures,
      controllers: controllers.map(({ health, ...controller }) => ({
        ...controller,
        health: toHealthReply(health),
      })),
      attention: attention.map(({ at, reason, ...entry }) => ({
        ...entry,
        ...(reason && { reason: { ...reason } }),
        ...(at !== undefined && { at: toTime(at) }),
      })),
      firstSteps: firstSteps && { ...firstSteps, steps: [...firstSteps.steps] },
    });
  },

  updateFirstSteps: async ({ input, principal, reply, client }, { firstSteps }) => {
    await firstSteps.setHidden(input.body.isHidden, actorOf(principal, client));
    return reply(204);
  },

  getSystem: async ({ reply }, { getSystemStatus, service }) => {
    const { startedAt, openIntents, retention, findings, ...status } = await getSystemStatus();
    return reply(200, {
      ...status,
      version: service.version,
      nodeVersion: process.versions.node,
      startedAt: toTime(startedAt),
      openIntents: openIntents.map((intent) => ({ ...intent, createdAt: toTime(intent.createdAt) })),
      retention: [...retention],
      findings: findings.map(({ check, subject = null, ok, message, remedy, command = null }) => ({
        check,
        subject,
        isOk: ok,
        command,
        message: toTimedTexts(splitMessage('finding', message)),
        remedy: remedy ? { ...wordMessage('findingRemedy', remedy) } : null,
      })),
    });
  },

  followEvents: async ({ principal, reply }, { liveEvents }) =>
    reply(200, await liveEvents.follow(principal), eventStreamHeaders),
} satisfies Partial<WebHandlers>;

const toTimedTexts = ({ de, en, es, fr, it, nl }: ReturnType<typeof splitMessage>) => ({
  de: de.map(toReply),
  en: en.map(toReply),
  es: es.map(toReply),
  fr: fr.map(toReply),
  it: it.map(toReply),
  nl: nl.map(toReply),
});

const toReply = ({ text, at }: TimedText) => ({ text, at: toOptionalTime(at) });
