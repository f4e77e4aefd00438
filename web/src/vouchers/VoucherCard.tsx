import { Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { QrCode } from '../components/QrCode.tsx';
import { useFormat } from '../i18n/format.ts';
import { useNow } from '../lib/useNow.ts';
import { useSpeedAndDataText } from './speedAndData.ts';
import { stateAt, typedName, type DeskSite, type Voucher, type VoucherState } from './voucher.ts';
import classes from './VoucherCard.module.css';
import { VoucherStateBadge } from './VoucherStateBadge.tsx';

/** How long and how often a voucher can be used, in words. */
export const useValidityText = (): ((voucher: Pick<Voucher, 'expireMinutes' | 'maxUses'>) => string) => {
  const t = useTranslations();
  const format = useFormat();
  return ({ expireMinutes, maxUses }) =>
    t('vouchers.validity', { duration: format.duration(expireMinutes), count: maxUses });
};

/** States in which nobody can sign in with a voucher any more. */
const overStates: readonly VoucherState[] = ['expired', 'gone', 'revoked'];

interface VoucherCardProps {
  readonly voucher: Voucher;
  /** Undefined where it is not one of the sites of the front desk. */
  readonly site: DeskSite | undefined;
  /** Is its code hidden from who looks at it? */
  readonly hidesCode?: boolean;
}

/** A voucher, large enough to be read from the other side of the counter. */
export const VoucherCard = ({ voucher, site, hidesCode = false }: VoucherCardProps) => {
  const t = useTranslations();
  const format = useFormat();
  const validityText = useValidityText();
  const speedAndData = useSpeedAndDataText();
  const { code, formattedCode, name, siteName, expiresAt, usedCount, down, up, quotaMb } = voucher;
  const { ssid = null, wifiPassword = null, wifiJoinText = null } = site ?? {};
  const isOver = overStates.includes(stateAt(voucher, useNow()));
  return (
    <div className={classes['card']}>
      <Stack gap={6} justify="center" className={classes['words'] ?? ''}>
        <Group gap="xs">
          <VoucherStateBadge voucher={voucher} />
          <Text c="dimmed">{[typedName(name), siteName].filter((part) => part !== '').join(' · ')}</Text>
        </Group>
        <Title order={2} className={`code ${classes['code'] ?? ''}`}>
          {formattedCode}
        </Title>
        <Text fz="lg">{isOver ? t('vouchers.isOver') : validityText(voucher)}</Text>
        {down !== null && up !== null && quotaMb !== null && (
          <Text c="dimmed">
            {t('vouchers.speedAndData', { limits: speedAndData({ down, up, quotaMb }) })}
          </Text>
        )}
        {!isOver && ssid !== null && wifiPassword !== null && (
          <Text className={classes['wifi'] ?? ''}>
            {t('vouchers.wifi', { ssid })}
            <br />
            {t('vouchers.wifiPassword', { password: wifiPassword })}
          </Text>
        )}
        {(usedCount > 0 || expiresAt !== null) && (
          <Text c="dimmed">
            {[
              ...(usedCount > 0 ? [t('vouchers.usedTimes', { count: usedCount })] : []),
              ...(expiresAt === null ? [] : [t('vouchers.until', { time: format.dateTime(expiresAt) })]),
            ].join(' · ')}
          </Text>
        )}
      </Stack>
      {!isOver && !hidesCode && (
        <figure className={classes['figure']}>
          <QrCode
            text={wifiJoinText ?? code}
            label={wifiJoinText === null ? t('vouchers.qrCode') : t('vouchers.qrWifi', { ssid: ssid ?? '' })}
            size="100%"
          />
          <Text component="figcaption" size="sm" c="dimmed">
            {wifiJoinText === null ? t('vouchers.scanCode') : t('vouchers.scanWifi', { ssid: ssid ?? '' })}
          </Text>
        </figure>
      )}
    </div>
  );
};
