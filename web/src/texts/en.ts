import account from './en/account.json';
import audit from './en/audit.json';
import common from './en/common.json';
import controllers from './en/controllers.json';
import errors from './en/errors.json';
import firstStart from './en/firstStart.json';
import keys from './en/keys.json';
import nav from './en/nav.json';
import overview from './en/overview.json';
import profiles from './en/profiles.json';
import signIn from './en/signIn.json';
import sites from './en/sites.json';
import system from './en/system.json';
import users from './en/users.json';
import webhooks from './en/webhooks.json';

/** One file per page, so that a key names its file: `keys.title`. Other languages have the same keys. */
export const englishTexts = {
  account,
  audit,
  common,
  controllers,
  errors,
  firstStart,
  keys,
  nav,
  overview,
  profiles,
  signIn,
  sites,
  system,
  users,
  webhooks,
};

export type EnglishTexts = typeof englishTexts;
