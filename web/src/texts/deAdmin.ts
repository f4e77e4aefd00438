import controllers from './de/controllers.json';
import keys from './de/keys.json';
import profiles from './de/profiles.json';
import singleSignOn from './de/singleSignOn.json';
import sites from './de/sites.json';
import users from './de/users.json';
import type { EnglishAdminTexts } from './enAdmin.ts';

/** The texts of administration, which are loaded with its pages. */
export const germanAdminTexts: EnglishAdminTexts = {
  controllers,
  keys,
  profiles,
  singleSignOn,
  sites,
  users,
};
