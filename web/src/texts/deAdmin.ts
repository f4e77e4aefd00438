import audit from './de/audit.json';
import controllers from './de/controllers.json';
import keys from './de/keys.json';
import limits from './de/limits.json';
import mail from './de/mail.json';
import profiles from './de/profiles.json';
import sites from './de/sites.json';
import system from './de/system.json';
import users from './de/users.json';
import webhooks from './de/webhooks.json';
import type { EnglishAdminTexts } from './enAdmin.ts';

/** The texts of administration, which are loaded with its pages. */
export const germanAdminTexts: EnglishAdminTexts = {
  audit,
  controllers,
  keys,
  limits,
  mail,
  profiles,
  sites,
  system,
  users,
  webhooks,
};
