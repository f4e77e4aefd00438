import { Button, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { QrCode } from '../../components/QrCode.tsx';
import { wifiText } from '../../vouchers/voucher.ts';
import { useValidityText } from '../../vouchers/VoucherCard.tsx';
import classes from './KioskPage.module.css';

interface TakenVoucherProps {
  readonly kiosk: Schemas['KioskView'];
  readonly formattedCode: string;
  /** When the page returns to its start. */
  readonly idleMs: number;
  onDone(): void;
}

/** The code for the guest, large, until they are done or a minute is over. */
export const TakenVoucher = ({ kiosk, formattedCode, idleMs, onDone }: TakenVoucherProps) => {
  const t = useTranslations();
  const validityText = useValidityText();
  const { ssid, slipText } = kiosk;
  return (
    <div className={classes['centre']}>
      <Text fz="xl" c="dimmed">
        {t('kiosk.yourCode')}
      </Text>
      <Title order={1} className={`code ${classes['code'] ?? ''}`} aria-live="polite">
        {formattedCode}
      </Title>
      <Text fz="xl">{validityText(kiosk)}</Text>
      <div className={classes['steps']}>
        <QrCode
          text={ssid === null ? formattedCode : wifiText(ssid)}
          label={ssid === null ? t('vouchers.qrCode') : t('vouchers.qrWifi', { ssid })}
          size="100%"
        />
        <ol className={classes['list']}>
          <li>{ssid === null ? t('kiosk.stepConnect') : t('kiosk.stepJoin', { ssid })}</li>
          <li>{t('kiosk.stepEnter')}</li>
          <li>{t('kiosk.stepKeep')}</li>
        </ol>
      </div>
      {slipText !== null && (
        <Text fz="lg" className={classes['slipText'] ?? ''}>
          {slipText}
        </Text>
      )}
      <Button size="xl" onClick={onDone}>
        {t('kiosk.done')}
      </Button>
      <div className={classes['countdown']} style={{ animationDuration: `${String(idleMs)}ms` }} />
      <Text c="dimmed">{t('kiosk.returns')}</Text>
    </div>
  );
};
