import { Button, CopyButton, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { useValidityText } from '../../vouchers/VoucherCard.tsx';
import classes from '../kiosk/KioskPage.module.css';
import { useKioskTexts } from '../kiosk/kioskTexts.ts';

interface GuestCodeProps {
  readonly page: Schemas['KioskView'];
  readonly result: Schemas['GuestOrderResult'];
  readonly profileId: number | undefined;
  onAgain(): void;
}

/** The code on a guest's own phone: to be copied, because a phone can't scan its own screen. */
export const GuestCode = ({ page, result, profileId, onAgain }: GuestCodeProps) => {
  const t = useTranslations();
  const validityText = useValidityText();
  const profile = page.profiles.find(({ id }) => id === profileId) ?? page;
  const note = useKioskTexts(page.texts)?.note ?? page.slipText;
  const { code, formattedCode, wifiPassword } = result;
  return (
    <div className={classes['centre']}>
      <Text fz="xl" c="dimmed">
        {t('kiosk.yourCode')}
      </Text>
      <Title order={1} className={`code ${classes['code'] ?? ''}`} aria-live="polite">
        {formattedCode}
      </Title>
      <Text fz="xl">{validityText(profile)}</Text>
      <CopyButton value={code ?? ''}>
        {({ copied, copy }) => (
          <Button size="lg" leftSection={<Icon name={copied ? 'check' : 'copy'} />} onClick={copy}>
            {copied ? t('guest.copied') : t('guest.copy')}
          </Button>
        )}
      </CopyButton>
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
        <li>{t('guest.stepKeep')}</li>
      </ol>
      {note !== null && (
        <Text fz="lg" className={classes['slipText'] ?? ''}>
          {note}
        </Text>
      )}
      <Button size="lg" variant="default" onClick={onAgain}>
        {t('kiosk.done')}
      </Button>
    </div>
  );
};
