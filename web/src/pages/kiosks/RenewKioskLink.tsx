import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { Dialog, guardOnce } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { KioskLink, LoopbackWarning } from './KioskLink.tsx';
import { shownName, type Kiosk } from './kioskForm.ts';

/** Gives a kiosk another link, and then shows it, once. */
export const RenewKioskLink = ({
  kiosk,
  onClose,
}: {
  readonly kiosk: Kiosk;
  readonly onClose: () => void;
}) => {
  const t = useTranslations();
  const name = shownName(kiosk);
  const renew = api.useMutation('post', '/kiosks/{kioskId}/link');
  return (
    <Dialog size="lg" onClose={onClose} title={t('kiosks.renewTitle', { name })} guard={guardOnce(renew)}>
      {renew.data ? (
        <KioskLink path={renew.data.path} onClose={onClose} />
      ) : (
        <Stack>
          <Text>{t('kiosks.renewText')}</Text>
          <LoopbackWarning />
          {renew.error && <ErrorAlert error={renew.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button
              loading={renew.isPending}
              onClick={() => renew.mutate({ params: { path: { kioskId: kiosk.id } } })}
            >
              {t('kiosks.renew')}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
};
