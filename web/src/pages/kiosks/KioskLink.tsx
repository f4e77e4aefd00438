import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { serviceUrl } from '../../api/serviceMeta.ts';
import { CopyField } from '../../components/CopyField.tsx';
import { Icon } from '../../components/Icon.tsx';
import { QrCode } from '../../components/QrCode.tsx';
import { isLoopbackHost } from './loopback.ts';

/** The link has the address by which these pages were opened. */
export const LoopbackWarning = () => {
  const t = useTranslations();
  if (!isLoopbackHost(location.hostname)) return null;
  return (
    <Alert
      color="yellow"
      icon={<Icon name="warning" />}
      title={t('kiosks.onlyHere', { host: location.host })}
    >
      {t('kiosks.onlyHereText')}
    </Alert>
  );
};

interface KioskLinkProps {
  readonly path: string;
  /** The address of a guest page is no secret. */
  readonly isPublic?: boolean;
  onClose(): void;
}

/** The link of a kiosk, which is shown once, or the address of a guest page. */
export const KioskLink = ({ path, isPublic = false, onClose }: KioskLinkProps) => {
  const t = useTranslations();
  const link = serviceUrl + path;
  return (
    <Stack>
      {!isPublic && (
        <Alert color="yellow" icon={<Icon name="warning" />}>
          {t('kiosks.shownOnce')}
        </Alert>
      )}
      <CopyField label={isPublic ? t('kiosks.address') : t('kiosks.link')} text={link} />
      <LoopbackWarning />
      <Group align="center">
        <QrCode text={link} label={t('kiosks.qrCode')} size={180} />
        <Text c="dimmed" flex="1 1 12rem">
          {isPublic ? t('kiosks.publish') : t('kiosks.scan')}
        </Text>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onClose}>{isPublic ? t('common.close') : t('kiosks.opened')}</Button>
      </Group>
    </Stack>
  );
};
