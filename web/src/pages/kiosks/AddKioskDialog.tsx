import { Alert, Button, Group, NativeSelect, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog, guardOnce } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { serviceUrl } from '../../api/serviceMeta.ts';
import { CopyField } from '../../components/CopyField.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { QrCode } from '../../components/QrCode.tsx';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { isLoopbackHost } from './loopback.ts';

interface AddKioskDialogProps {
  /** Those that vouchers can be made for, each with its profiles. */
  readonly sites: Schemas['Desk']['sites'];
  onClose(): void;
}

/** Makes the link of a kiosk, and then shows it, once. */
export const AddKioskDialog = ({ sites, onClose }: AddKioskDialogProps) => {
  const t = useTranslations();
  const add = api.useMutation('post', '/kiosks', { onSuccess: () => invalidate('/kiosks') });
  return (
    <Dialog
      size="lg"
      onClose={onClose}
      title={add.data ? t('kiosks.added', { site: add.data.kiosk.siteName }) : t('kiosks.add')}
      guard={guardOnce(add)}
    >
      {add.data ? (
        <KioskLink path={add.data.path} onClose={onClose} />
      ) : (
        <KioskForm
          sites={sites}
          isPending={add.isPending}
          error={add.error}
          onSubmit={(body) => add.mutate({ body })}
          onEdit={() => forgetError(add)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
};

interface KioskFormProps {
  readonly sites: Schemas['Desk']['sites'];
  readonly isPending: boolean;
  readonly error: unknown;
  onSubmit(kiosk: Schemas['NewKiosk']): void;
  onEdit(): void;
  onCancel(): void;
}

const KioskForm = ({ sites, isPending, error, onSubmit, onEdit, onCancel }: KioskFormProps) => {
  const t = useTranslations();
  const [siteId, setSiteId] = useState(sites[0]?.id ?? 0);
  const [chosenProfileId, setProfileId] = useState(0);
  const [perHour, setPerHour] = useState<number | string>(20);
  const [asksName, setAsksName] = useState(false);
  const site = sites.find(({ id }) => id === siteId);
  const profiles = site?.profiles ?? [];
  const profile =
    profiles.find(({ id }) => id === chosenProfileId) ??
    profiles.find(({ id }) => id === site?.defaultProfileId) ??
    profiles[0];
  return (
    <form
      onChange={onEdit}
      onSubmit={(event) => {
        event.preventDefault();
        if (profile) onSubmit({ siteId, profileId: profile.id, perHour: Number(perHour), asksName });
      }}
    >
      <Stack>
        <NativeSelect
          label={t('kiosks.site')}
          data={sites.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(siteId)}
          onChange={(event) => setSiteId(Number(event.currentTarget.value))}
          data-autofocus
        />
        {profile ? (
          <NativeSelect
            label={t('kiosks.profile')}
            description={t('kiosks.profileText')}
            data={profiles.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(profile.id)}
            onChange={(event) => setProfileId(Number(event.currentTarget.value))}
          />
        ) : (
          <Alert color="yellow" icon={<Icon name="warning" />}>
            {t('kiosks.noProfile')}
          </Alert>
        )}
        <NumberInput
          label={t('kiosks.perHour')}
          description={t('kiosks.perHourText')}
          min={1}
          max={10_000}
          allowDecimal={false}
          allowNegative={false}
          required
          value={perHour}
          onChange={setPerHour}
        />
        <Switch
          label={t('kiosks.asksName')}
          description={t('kiosks.asksNameText')}
          checked={asksName}
          onChange={(event) => setAsksName(event.currentTarget.checked)}
        />
        <LoopbackWarning />
        {Boolean(error) && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!profile}>
            {t('kiosks.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

/** The link has the address by which these pages were opened. */
const LoopbackWarning = () => {
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

const KioskLink = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const t = useTranslations();
  const link = serviceUrl + path;
  return (
    <Stack>
      <Alert color="yellow" icon={<Icon name="warning" />}>
        {t('kiosks.shownOnce')}
      </Alert>
      <CopyField label={t('kiosks.link')} text={link} />
      <LoopbackWarning />
      <Group align="center">
        <QrCode text={link} label={t('kiosks.qrCode')} size={180} />
        <Text c="dimmed" flex="1 1 12rem">
          {t('kiosks.scan')}
        </Text>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('kiosks.opened')}</Button>
      </Group>
    </Stack>
  );
};
