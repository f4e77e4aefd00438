import account from './de/account.json';
import audit from './de/audit.json';
import common from './de/common.json';
import controllers from './de/controllers.json';
import errors from './de/errors.json';
import firstStart from './de/firstStart.json';
import keys from './de/keys.json';
import nav from './de/nav.json';
import overview from './de/overview.json';
import profiles from './de/profiles.json';
import signIn from './de/signIn.json';
import sites from './de/sites.json';
import system from './de/system.json';
import users from './de/users.json';
import webhooks from './de/webhooks.json';
import type { EnglishTexts } from './en.ts';

/** One file per page, so that a key names its file: `keys.title`. */
export const germanTexts: EnglishTexts = {
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
