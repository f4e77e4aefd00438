import { Button, CopyButton, Group, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { useValidityText } from '../../vouchers/VoucherCard.tsx';
import classes from '../kiosk/KioskPage.module.css';
import { useKioskTexts } from '../kiosk/kioskTexts.ts';
import { EmailForm, SmsForm } from '../kiosk/SendForm.tsx';

interface GuestCodeProps {
  readonly slug: string;
  readonly orderId: string;
  readonly page: Schemas['KioskView'];
  readonly result: Schemas['GuestOrderResult'];
  readonly profileId: number | undefined;
  onAgain(): void;
}

/** The code on a guest's own phone: to be copied, because a phone can't scan its own screen. */
export const GuestCode = ({ slug, orderId, page, result, profileId, onAgain }: GuestCodeProps) => {
  const t = useTranslations();
  const validityText = useValidityText();
  const profile = page.profiles.find(({ id }) => id === profileId) ?? page;
  const note = useKioskTexts(page.texts)?.note ?? page.slipText;
  const { code, formattedCode, wifiPassword } = result;
  return (
    <div className={classes['centre']}>
      <Text fz="xl" fw={600} className={classes['onPaper'] ?? ''}>
        {page.siteName}
      </Text>
      <Text fz="xl" c="dimmed">
        {t('kiosk.yourCode')}
      </Text>
      <Title order={1} className={`code ${classes['code'] ?? ''}`} aria-live="polite">
        {formattedCode}
      </Title>
      <Text fz="xl">{validityText(profile)}</Text>
      <Group justify="center" className={classes['onScreen'] ?? ''}>
        <CopyButton value={code ?? ''}>
          {({ copied, copy }) => (
            <Button size="lg" leftSection={<Icon name={copied ? 'check' : 'copy'} />} onClick={copy}>
              {copied ? t('guest.copied') : t('guest.copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          size="lg"
          variant="default"
          leftSection={<Icon name="printers" />}
          onClick={() => window.print()}
        >
          {t('guest.print')}
        </Button>
      </Group>
      <ol className={classes['list']}>
        <li>
          {page.ssid === null ? t('kiosk.stepConnect') : t('guest.stepJoin', { ssid: page.ssid })}
          {wifiPassword !== null && (
            <>
              <br />
              {t('kiosk.password')} <strong className={classes['password']}>{wifiPassword}</strong>
            </>
          )}
        </li>
        <li>{t('kiosk.stepEnter')}</li>
        <li className={classes['onScreen']}>{t('guest.stepKeep')}</li>
      </ol>
      {note !== null && (
        <Text fz="lg" className={classes['slipText'] ?? ''}>
          {note}
        </Text>
      )}
      {page.sendsEmail && (
        <EmailForm
          send={(emailId, body) =>
            client.PUT('/guest/{slug}/orders/{orderId}/emails/{emailId}', {
              params: { path: { slug, orderId, emailId } },
              body,
            })
          }
        />
      )}
      {page.sms && (
        <SmsForm
          countryCode={page.sms.countryCode}
          send={(smsId, body) =>
            client.PUT('/guest/{slug}/orders/{orderId}/sms/{smsId}', {
              params: { path: { slug, orderId, smsId } },
              body,
            })
          }
        />
      )}
      <Button size="lg" variant="default" onClick={onAgain} className={classes['onScreen'] ?? ''}>
        {t('kiosk.done')}
      </Button>
    </div>
  );
};
