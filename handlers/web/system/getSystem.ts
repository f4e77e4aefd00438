import { splitMessage, wordMessage, type TimedText } from '../../../src/i18n/messages.js';
import type { WebHandler } from '../handler.js';
import { toOptionalTime, toTime } from '../replies.js';

export const getSystem: WebHandler<'getSystem'> = async ({ reply }, { getSystemStatus, service }) => {
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
};

const toTimedTexts = ({ de, en, es, fr, it, nl }: ReturnType<typeof splitMessage>) => ({
  de: de.map(toReply),
  en: en.map(toReply),
  es: es.map(toReply),
  fr: fr.map(toReply),
  it: it.map(toReply),
  nl: nl.map(toReply),
});

const toReply = ({ text, at }: TimedText) => ({ text, at: toOptionalTime(at) });
