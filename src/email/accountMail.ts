import type { MailConfig } from '../config/mailEnvironment.js';
import { isPageLanguage, type PageLanguage } from '../i18n/language.js';
import type { Awaitable } from '../lib/awaitable.js';
import { newId, type System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import type { AccountNotice, Notified, NotifyUser } from '../users/accountNotice.js';
import type { OutboxTable } from '../outbox/outboxTable.js';

/** E-mails to users about their accounts. */
export interface AccountMail {
  /** Can any be sent? */
  isSetUp(): Promise<boolean>;
  readonly notify: NotifyUser;
  /** The same for somebody who waits for it: false when it can't be sent. */
  send(user: Notified, notice: AccountNotice): Promise<boolean>;
  /** Waits until everything that was told so far is in the outbox; false when something never will be. */
  settled(): Promise<boolean>;
  /** Calls a function whenever there is something to send. */
  onNew(wake: () => void): void;
}

interface AccountMailDeps {
  readonly outbox: Pick<OutboxTable, 'add'>;
  mail(): Awaitable<MailConfig | undefined>;
  readonly system: System;
  readonly log: Log;
}

export const makeAccountMail = ({ outbox, mail, system, log }: AccountMailDeps): AccountMail => {
  let wake = (): void => undefined;
  const telling = new Set<Promise<void>>();
  let hasFailed = false;
  const isSetUp = async (): Promise<boolean> => (await mail()) !== undefined;
  const send = async ({ id, email, language, disabledAt }: Notified, notice: AccountNotice) => {
    if (email === null || disabledAt !== null || !(await isSetUp())) return false;
    const message = { to: email, language: languageOf(language), senderId: null, notice };
    await outbox.add({ kind: 'email', key: newId(system), userId: id, message }, system.now());
    wake();
    return true;
  };
  return {
    isSetUp,
    send,
    onNew: (given) => {
      wake = given;
    },
    settled: async () => {
      await Promise.all(telling);
      return !hasFailed;
    },
    notify: (user, notice) => {
      const told: Promise<void> = send(user, notice)
        .then(
          () => undefined,
          (error: unknown) => {
            hasFailed = true;
            log.warn({ err: error, user: user.id, notice: notice.kind }, 'user was not notified');
          },
        )
        .finally(() => telling.delete(told));
      telling.add(told);
    },
  };
};

/** English for somebody who has never chosen. */
const languageOf = (language: string | null): PageLanguage =>
  language !== null && isPageLanguage(language) ? language : 'en';
