import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { client } from '../../api/api.ts';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { Dialog, guardOnce } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import { useSave } from '../../components/useSave.ts';
import { KioskFields } from './KioskFields.tsx';
import { KioskLink, LoopbackWarning } from './KioskLink.tsx';
import {
  isSlug,
  kioskBodyOf,
  newKioskValues,
  saveBackground,
  shownName,
  kioskValuesOf,
  type Kiosk,
  type KioskFormValues,
  type KioskSite,
} from './kioskForm.ts';

interface KioskDialogProps {
  /** Those that vouchers can be made for, each with its profiles. */
  readonly sites: readonly KioskSite[];
  readonly hasEmail: boolean;
  readonly hasSms: boolean;
  onClose(): void;
}

const useKioskForm = (initialValues: KioskFormValues, hasBackground: boolean, onEdit: () => void) => {
  const t = useTranslations();
  return useForm({
    initialValues,
    onValuesChange: onEdit,
    validate: {
      profileIds: (ids) => (ids.length === 0 ? t('errors.profile-required') : null),
      perHour: (value) => (typeof value === 'number' ? null : t('errors.number-invalid')),
      slug: (slug, { access }) =>
        access === 'public' && !isSlug(slug) ? t('kiosks.error-slug-invalid') : null,
      picture: (picture, { background }) =>
        background === 'picture' && picture === '' && !hasBackground ? t('kiosks.pictureMissing') : null,
      idleSeconds: (value) => (typeof value === 'number' ? null : t('errors.number-invalid')),
    },
  });
};

/** Makes the link of a kiosk, and then shows it, once. */
export const AddKioskDialog = ({ sites, hasEmail, hasSms, onClose }: KioskDialogProps) => {
  const t = useTranslations();
  const add = useMutation({
    mutationFn: async (values: KioskFormValues) => {
      const { data } = await client.POST('/kiosks', { body: kioskBodyOf(values) });
      if (!data) throw new Error('there is no answer');
      // The link is shown once, so a picture that is refused must not lose it.
      const pictureError: unknown = await saveBackground(data.kiosk.id, values, false).then(
        () => undefined,
        (error: unknown) => error,
      );
      return { ...data, pictureError };
    },
    onSettled: () => invalidate('/kiosks'),
  });
  const form = useKioskForm(newKioskValues(sites[0]), false, () => forgetError(add));
  const isPublic = form.values.access === 'public';
  const addText = isPublic ? t('kiosks.addPublic') : t('kiosks.add');
  const addedText = (name: string): string =>
    isPublic ? t('kiosks.addedPublic', { name }) : t('kiosks.added', { name });
  return (
    <Dialog
      size="lg"
      fullScreenBelow="48em"
      onClose={onClose}
      title={add.data ? addedText(shownName(add.data.kiosk)) : addText}
      guard={guardOnce(add)}
    >
      {add.data ? (
        <Stack>
          {Boolean(add.data.pictureError) && (
            <Alert color="yellow" icon={<Icon name="warning" />}>
              {isPublic ? t('kiosks.pictureFailedPublic') : t('kiosks.pictureFailed')}
            </Alert>
          )}
          <KioskLink path={add.data.path} isPublic={add.data.kiosk.slug !== null} onClose={onClose} />
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit((values) => {
            if (!add.isPending) add.mutate(values);
          })}
        >
          <Stack>
            <KioskFields
              form={form}
              sites={sites}
              hasEmail={hasEmail}
              hasSms={hasSms}
              hasBackground={false}
              isNew
            />
            <LoopbackWarning />
            {add.error && <ErrorAlert error={add.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button type="submit" loading={add.isPending} disabled={form.values.profileIds.length === 0}>
                {addText}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
};

/** Changes what a kiosk shows and gives. Its link stays valid. */
export const ChangeKioskDialog = ({
  kiosk,
  sites,
  hasEmail,
  hasSms,
  onClose,
}: KioskDialogProps & { readonly kiosk: Kiosk }) => {
  const t = useTranslations();
  const save = useSave({
    save: async (values: KioskFormValues) => {
      const { id: kioskId, hasBackground } = kiosk;
      // First what may be refused for its size: then nothing has changed.
      await saveBackground(kioskId, values, hasBackground);
      await client.PUT('/kiosks/{kioskId}', { params: { path: { kioskId } }, body: kioskBodyOf(values) });
    },
    done: ({ name }) => t('common.saved', { name: name.trim() || kiosk.siteName }),
    outdated: ['/kiosks'],
    onClose,
  });
  const form = useKioskForm(kioskValuesOf(kiosk), kiosk.hasBackground, () => forgetError(save));
  return (
    <SaveDialog
      size="lg"
      title={t('common.changeTitle', { name: shownName(kiosk) })}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <KioskFields
        form={form}
        sites={sites}
        hasEmail={hasEmail}
        hasSms={hasSms}
        hasBackground={kiosk.hasBackground}
        isNew={false}
      />
    </SaveDialog>
  );
};
