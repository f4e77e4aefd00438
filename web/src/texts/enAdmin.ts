import audit from './en/audit.json';
import controllers from './en/controllers.json';
import keys from './en/keys.json';
import limits from './en/limits.json';
import mail from './en/mail.json';
import profiles from './en/profiles.json';
import sites from './en/sites.json';
import system from './en/system.json';
import users from './en/users.json';
import webhooks from './en/webhooks.json';

/** The texts of administration, which are loaded with its pages. */
export const englishAdminTexts = {
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

export type EnglishAdminTexts = typeof englishAdminTexts;
