import audit from './de/audit.json';
import controllers from './de/controllers.json';
import keys from './de/keys.json';
import mail from './de/mail.json';
import system from './de/system.json';
import webhooks from './de/webhooks.json';
import type { EnglishOperationTexts } from './enOperation.ts';

export const germanOperationTexts: EnglishOperationTexts = {
  audit,
  controllers,
  keys,
  mail,
  system,
  webhooks,
};
