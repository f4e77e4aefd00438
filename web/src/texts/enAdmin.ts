import type controllers from './en/controllers.json';
import type keys from './en/keys.json';
import type profiles from './en/profiles.json';
import type singleSignOn from './en/singleSignOn.json';
import type sites from './en/sites.json';
import type sms from './en/sms.json';
import type users from './en/users.json';

/** The texts of administration. Each page loads its own: `i18n/pageTexts.tsx`. */
export interface EnglishAdminTexts {
  controllers: typeof controllers;
  keys: typeof keys;
  profiles: typeof profiles;
  singleSignOn: typeof singleSignOn;
  sites: typeof sites;
  sms: typeof sms;
  users: typeof users;
}
