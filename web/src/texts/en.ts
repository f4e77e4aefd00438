import account from './en/account.json';
import common from './en/common.json';
import errors from './en/errors.json';
import firstStart from './en/firstStart.json';
import nav from './en/nav.json';
import signIn from './en/signIn.json';

/** What every page may need. One file per page, so that a key names its file: `account.title`. Other languages have the same keys. */
export const englishTexts = {
  account,
  common,
  errors,
  firstStart,
  nav,
  signIn,
};

export type EnglishTexts = typeof englishTexts;
