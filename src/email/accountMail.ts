import type { MailConfig } from '../config/mailEnvironment.js';
import { isPageLanguage, type PageLanguage } from '../i18n/language.js';
import type { Awaitable } from '../lib/awaitable.js';
import { newId, type System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import type { AccountNotice, Notified, NotifyUser } from '../users/accountNotice.js';
import type { AccountEmailTable } from './accountEmailTable.js';

/** E-mails to users about their accounts. */
export interface AccountMail {
  /** Can any be sent? */
  isSetUp(): Promise<boolean>;
  readonly notify: NotifyUser;
  /** The same for somebody who waits for it: false when it can't be sent. */
  send(user: Notified, notice: AccountNotice): Promise<boolean>;
  /** Calls a function whenever there is something to send. */
  onNew(wake: () => void): void;
}

interface AccountMailDeps {
  readonly table: AccountEmailTable;
  mail(): Awaitable<MailConfig | undefined>;
  readonly system: System;
  readonly log: Log;
}

export const makeAccountMail = ({ table, mail, system, log }: AccountMailDeps): AccountMail => {
  let wake = (): void => undefined;
  const isSetUp = async (): Promise<boolean> => (await mail()) !== undefined;
  const send = async ({ id, email, language, disabledAt }: Notified, notice: AccountNotice) => {
    if (email === null || disabledAt !== null || !(await isSetUp())) return false;
    await table.add(
      { id: newId(system), userId: id, to: email, language: languageOf(language), notice },
      system.now(),
    );
    wake();
    return true;
  };
  return {
    isSetUp,
    send,
    onNew: (given) => {
      wake = given;
    },
    notify: (user, notice) => {
      send(user, notice).catch((error: unknown) => {
        log.warn({ err: error, user: user.id, notice: notice.kind }, 'user was not notified');
      });
    },
  };
};

/** English for somebody who has never chosen. */
const languageOf = (language: string | null): PageLanguage =>
  language !== null && isPageLanguage(language) ? language : 'en';
