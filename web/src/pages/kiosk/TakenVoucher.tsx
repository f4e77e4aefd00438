import { Button, Group, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { QrCode } from '../../components/QrCode.tsx';
import { useValidityText } from '../../vouchers/VoucherCard.tsx';
import classes from './KioskPage.module.css';
import { useKioskTexts } from './kioskTexts.ts';
import { PrintButton } from './PrintButton.tsx';
import { EmailForm, SmsForm } from './SendForm.tsx';
import type { Taken } from './takeVoucher.ts';

interface TakenVoucherProps {
  readonly token: string;
  readonly kiosk: Schemas['KioskView'];
  readonly taken: Taken;
  onDone(): void;
}

/** The code for the guest, large, until they are done or nobody has touched anything for a while. */
export const TakenVoucher = ({ token, kiosk, taken, onDone }: TakenVoucherProps) => {
  const t = useTranslations();
  const validityText = useValidityText();
  const { idleSeconds } = kiosk;
  const note = useKioskTexts(kiosk.texts)?.note ?? kiosk.slipText;
  const { formattedCode, wifiPassword, wifiJoinText } = taken;
  // Without a QR code that joins it, its name alone helps nobody.
  const ssid = wifiJoinText === null ? null : kiosk.ssid;
  const profile = kiosk.profiles.find(({ id }) => id === taken.profileId) ?? kiosk;
  const seconds = String(idleSeconds);
  return (
    <div className={classes['centre']}>
      <Text fz="xl" c="dimmed">
        {t('kiosk.yourCode')}
      </Text>
      <Title order={1} className={`code ${classes['code'] ?? ''}`} aria-live="polite">
        {formattedCode}
      </Title>
      <Text fz="xl">{validityText(profile)}</Text>
      <div className={classes['steps']}>
        <QrCode
          text={wifiJoinText ?? formattedCode}
          label={ssid === null ? t('vouchers.qrCode') : t('vouchers.qrWifi', { ssid })}
          size="100%"
        />
        <ol className={classes['list']}>
          <li>
            {ssid === null ? t('kiosk.stepConnect') : t('kiosk.stepJoin', { ssid })}
            {wifiPassword !== null && (
              <>
                <br />
                {t('kiosk.password')} <strong className={classes['password']}>{wifiPassword}</strong>
              </>
            )}
          </li>
          <li>{t('kiosk.stepEnter')}</li>
          <li>{t('kiosk.stepKeep')}</li>
        </ol>
      </div>
      {note !== null && (
        <Text fz="lg" className={classes['slipText'] ?? ''}>
          {note}
        </Text>
      )}
      {kiosk.sendsEmail && (
        <EmailForm
          send={(emailId, body) =>
            client.PUT('/kiosk/orders/{orderId}/emails/{emailId}', {
              params: { path: { orderId: taken.orderId, emailId }, header: { 'X-Kiosk-Token': token } },
              body,
            })
          }
        />
      )}
      {kiosk.sms && (
        <SmsForm
          countryCode={kiosk.sms.countryCode}
          send={(smsId, body) =>
            client.PUT('/kiosk/orders/{orderId}/sms/{smsId}', {
              params: { path: { orderId: taken.orderId, smsId }, header: { 'X-Kiosk-Token': token } },
              body,
            })
          }
        />
      )}
      <Group justify="center">
        {kiosk.canPrint && <PrintButton token={token} orderId={taken.orderId} />}
        <Button size="xl" onClick={onDone}>
          {t('kiosk.done')}
        </Button>
      </Group>
      <div className={classes['countdown']} style={{ animationDuration: `${seconds}s` }} />
      <Text c="dimmed">
        {t('kiosk.returns', { minutes: idleSeconds % 60 === 0 ? idleSeconds / 60 : 0, seconds })}
      </Text>
    </div>
  );
};
