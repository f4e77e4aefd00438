import audit from './en/audit.json';
import controllers from './en/controllers.json';
import keys from './en/keys.json';
import mail from './en/mail.json';
import system from './en/system.json';
import webhooks from './en/webhooks.json';

/** The texts of audit log, mail server, webhooks and system, which are loaded with these pages. Other languages have the same keys. */
export const englishOperationTexts = { audit, controllers, keys, mail, system, webhooks };

export type EnglishOperationTexts = typeof englishOperationTexts;
