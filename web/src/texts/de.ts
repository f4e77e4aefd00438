import account from './de/account.json';
import common from './de/common.json';
import errors from './de/errors.json';
import firstStart from './de/firstStart.json';
import nav from './de/nav.json';
import signIn from './de/signIn.json';
import type { EnglishTexts } from './en.ts';

/** What every page may need. One file per page, so that a key names its file: `account.title`. */
export const germanTexts: EnglishTexts = {
  account,
  common,
  errors,
  firstStart,
  nav,
  signIn,
};
