import controllers from './en/controllers.json';
import keys from './en/keys.json';
import profiles from './en/profiles.json';
import singleSignOn from './en/singleSignOn.json';
import sites from './en/sites.json';
import users from './en/users.json';

/** The texts of administration, which are loaded with its pages. */
export const englishAdminTexts = {
  controllers,
  keys,
  profiles,
  singleSignOn,
  sites,
  users,
};

export type EnglishAdminTexts = typeof englishAdminTexts;
