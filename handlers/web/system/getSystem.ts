import { wordMessage } from '../../../src/i18n/messages.js';
import type { WebHandler } from '../handler.js';
import { toTime } from '../replies.js';

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
      ...{ check, subject, isOk: ok, command },
      message: { ...wordMessage('finding', message) },
      remedy: remedy ? { ...wordMessage('findingRemedy', remedy) } : null,
    })),
  });
};
