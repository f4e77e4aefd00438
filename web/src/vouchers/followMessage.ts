import { useTranslations } from 'use-intl';
import { client } from '../api/api.ts';
import { invalidate } from '../api/queryClient.ts';
import { usePickText } from '../i18n/language.tsx';
import { useNotify } from '../notify/notify.tsx';

/** How often it is asked what became of a message: most are sent, or refused, in the first second. */
const waitsMs = [1000, 2000, ...Array.from({ length: 20 }, () => 5000)];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Tells when an e-mail or an SMS was not delivered, while the guest may still stand there: the dialog that sent it is closed
 * by then.
 */
export const useFollowMessage = () => {
  const t = useTranslations();
  const notify = useNotify();
  const pickText = usePickText();
  return async (voucherId: number, messageId: string, to: string): Promise<void> => {
    for (const ms of waitsMs) {
      await sleep(ms);
      const path = { voucherId };
      const found = await client.GET('/vouchers/{voucherId}', { params: { path } }).catch(() => undefined);
      const { emails = [], sms = [] } = found?.data ?? {};
      const message = [...emails, ...sms].find(({ id }) => id === messageId);
      if (message?.state === 'waiting') continue;
      void invalidate('/vouchers/{voucherId}');
      if (message?.state === 'failed')
        notify.unsure(
          t('desk.messageFailed', { to, reason: message.reason ? pickText(message.reason) : '' }).trim(),
        );
      return;
    }
  };
};
