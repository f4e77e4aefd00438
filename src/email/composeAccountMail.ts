import type { EmailBrand } from '../branding/branding.js';
import type { AccountTokens } from '../auth/accountTokens.js';
import { isPageLanguage } from '../i18n/language.js';
import type { Clock } from '../lib/system.js';
import { toUserKey } from '../users/names.js';
import type { AccountNotice } from '../users/accountNotice.js';
import type { UserTable } from '../users/userTable.js';
import { composeAccountEmail } from './accountEmail.js';
import { MailError } from './mailError.js';

interface ComposeAccountMailDeps {
  readonly users: Pick<UserTable, 'find'>;
  readonly tokens: Pick<AccountTokens, 'make'>;
  /** Where people reach the web UI. It never comes from a request. */
  publicUrl(): string;
  readBrand(): Promise<EmailBrand>;
  readonly clock: Clock;
}

/** An e-mail to a user about their account. */
interface AccountEmail {
  readonly userId: number;
  readonly to: string;
  readonly language: string;
  readonly notice: AccountNotice;
  readonly createdAt: number;
}

/** Throws `MailError`. */
export type ComposeAccountMail = (email: AccountEmail) => Promise<ReturnType<typeof composeAccountEmail>>;

const hourMs = 3_600_000;

/**
 * Makes the e-mail when it is sent, and with it the token of its link: so no token is ever stored,
 * and one that was sent before is not valid any more.
 */
export const makeComposeAccountMail =
  ({ users, tokens, publicUrl, readBrand, clock }: ComposeAccountMailDeps): ComposeAccountMail =>
  async ({ userId, to, notice, language, createdAt }: AccountEmail) => {
    const user = await users.find(userId);
    const gone = () => new MailError({ code: 'recipient-gone', values: {} }, 'permanent');
    if (!user) throw gone();
    const { kind } = notice;
    let link: string | undefined;
    if (kind === 'password-reset' || kind === 'invitation') {
      // Somebody who asked an hour ago has asked again, or given up.
      if (kind === 'password-reset' && clock.now() - createdAt > hourMs)
        throw new MailError({ code: 'too-late', values: {} }, 'permanent');
      if (user.emailKey !== toUserKey(to) || user.disabledAt !== null) throw gone();
      if (kind === 'invitation' && !user.passwordIsTemporary) throw gone();
      // A request for a new password, which anybody may send, must not shorten an invitation.
      const made = await tokens.make(user, user.passwordIsTemporary ? 'invitation' : kind);
      link = made && `${publicUrl()}/set-password#token=${made.token}`;
    }
    const shown = isPageLanguage(language) ? language : 'en';
    const time = new Intl.DateTimeFormat(shown, {
      dateStyle: 'medium',
      timeStyle: 'long',
    }).format(createdAt);
    return composeAccountEmail(notice, shown, {
      name: user.name,
      url: publicUrl(),
      link,
      time,
      brand: await readBrand(),
    });
  };
