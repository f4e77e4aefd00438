import { Refusal } from '../errors/problem.js';

/**
 * Why something about users was refused, in English for the command line and the log. The pages have their
 * own texts.
 */
const refusalTexts = {
  'name-invalid': 'a name has 1 to 100 visible characters',
  'name-taken': 'there is a user with this name, or with this e-mail address',
  'email-invalid': 'an e-mail address looks like anna@example.org, and has at most 254 characters',
  'email-taken': 'there is a user with this e-mail address, or with this name',
  'password-short': 'a password has at least 12 characters',
  'password-long': 'a password has at most 1024 bytes',
  'password-characters': 'a password has no control characters and no broken ones',
  'password-guessable':
    'this password is too easy to guess: take one that is not made of the name, common words, or a few characters',
  'unknown-user': 'there is no such user',
  'unknown-site': 'there is no such site',
  'last-administrator': 'this is the last administrator who is not disabled: make another one first',
  'setup-refused':
    'the first administrator exists already, or the address has expired: start again for a new one',
  'token-refused': 'the link is not valid any more: it was used, has expired, or another one was sent',
  'no-enrolment': 'no second factor is being set up: begin again',
  'no-second-factor': 'this user has no second factor',
  'code-wrong': 'the code is wrong, or was used already',
  'password-wrong': 'the password is wrong',
  'current-password-missing': 'the current password is needed to change it',
  'no-password': 'this user has no password: they use single sign-on',
  'no-single-sign-on': 'this user has not used single sign-on yet',
  'second-factor-required': 'this role has to have a second factor',
  busy: 'too many passwords are being checked: try again in a moment',
} as const;

export type UserRefusalCode = keyof typeof refusalTexts;

/** Something about users that was refused; nothing has changed. */
export class UserRefusal extends Refusal<UserRefusalCode> {
  override readonly name = 'UserRefusal';

  constructor(code: UserRefusalCode) {
    super(code, refusalTexts[code], refusalKinds[code]);
  }
}

const refusalKinds: Partial<Record<UserRefusalCode, Refusal['kind']>> = {
  'unknown-user': 'missing',
  'name-invalid': 'invalid',
  'email-invalid': 'invalid',
  busy: 'busy',
};
