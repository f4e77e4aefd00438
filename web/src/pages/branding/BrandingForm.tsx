import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { brandPictureUrl, type Brand } from '../../api/brand.ts';
import { forgetError, queryClient } from '../../api/queryClient.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { PictureField } from '../../components/PictureField.tsx';
import { useFormState, type FormState } from '../../components/StoredForm.tsx';
import { base64Of } from '../../lib/dataUrl.ts';
import { useNotify } from '../../notify/notify.tsx';
import { BrandPreview } from './BrandPreview.tsx';
import { ColourField, isColour } from './ColourField.tsx';

/** A picture that was chosen and is not saved yet, or null to have none; undefined leaves what is stored. */
type ChosenPicture = string | null | undefined;

const toImage = (picture: string | null): string | null => (picture === null ? null : base64Of(picture));

interface BrandingFormProps {
  readonly branding: Brand;
  readonly onState: (state: FormState) => void;
}

/** What is typed and chosen, until it is saved, with a preview. */
export const BrandingForm = ({ branding, onState }: BrandingFormProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const [title, setTitle] = useState(branding.title ?? '');
  const [colour, setColour] = useState(branding.colour ?? '');
  const [logo, setLogo] = useState<ChosenPicture>();
  const [icon, setIcon] = useState<ChosenPicture>();
  const [isResetting, setIsResetting] = useState(false);
  const save = api.useMutation('put', '/branding', {
    onSuccess: (saved: Brand) => {
      notify.done(t('branding.saved'));
      setIsResetting(false);
      onState('clean');
      // Every page that is open in this browser looks like it at once, and this form begins anew.
      queryClient.setQueriesData({ predicate: ({ queryKey }) => queryKey[1] === '/branding' }, saved);
    },
  });
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      forgetError(save);
      set(value);
    };
  const isDirty =
    title !== (branding.title ?? '') ||
    colour !== (branding.colour ?? '') ||
    logo !== undefined ||
    icon !== undefined;
  useFormState(onState, { isDirty, isSaving: save.isPending });
  const isUsable = colour === '' || isColour(colour);
  const shownLogo = logo === undefined ? branding.logo && brandPictureUrl(branding.logo.version) : logo;
  const shownIcon = icon === undefined ? branding.icon && brandPictureUrl(branding.icon) : icon;
  const isOwn = branding.title === null && branding.colour === null && !branding.logo && !branding.icon;
  return (
    <Stack gap="lg" maw="48rem">
      <Paper p="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isUsable) return;
            save.mutate({
              body: {
                title: title.trim() === '' ? null : title,
                colour: colour === '' ? null : colour,
                ...(logo !== undefined && { logo: toImage(logo) }),
                ...(icon !== undefined && { icon: toImage(icon) }),
              },
            });
          }}
        >
          <Stack gap="lg">
            <TextInput
              label={t('branding.name')}
              description={t('branding.nameText')}
              placeholder="voucherd"
              maxLength={40}
              autoComplete="off"
              value={title}
              onChange={(event) => change(setTitle)(event.currentTarget.value)}
            />
            <PictureField
              label={t('branding.logo')}
              description={t('branding.logoText')}
              choose={t('branding.chooseLogo')}
              replace={t('branding.replaceLogo')}
              remove={t('branding.removeLogo')}
              hasPicture={shownLogo !== null}
              onChange={change(setLogo)}
            />
            <ColourField value={colour} onChange={change(setColour)} />
            <PictureField
              label={t('branding.icon')}
              description={t('branding.iconText')}
              choose={t('branding.chooseIcon')}
              replace={t('branding.replaceIcon')}
              remove={t('branding.removeIcon')}
              hasPicture={shownIcon !== null}
              onChange={change(setIcon)}
            />
            <BrandPreview
              title={title.trim() === '' ? 'voucherd' : title}
              colour={isColour(colour) ? colour.toLowerCase() : null}
              logo={shownLogo}
              tone={logo === undefined ? branding.logo?.tone : undefined}
              icon={shownIcon}
            />
            {save.error && !isResetting && <ErrorAlert error={save.error} />}
            <Group justify="space-between">
              <Button variant="default" disabled={isOwn} onClick={() => change(setIsResetting)(true)}>
                {t('branding.reset')}
              </Button>
              <Button type="submit" loading={save.isPending} disabled={!isUsable}>
                {t('common.save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
      {isResetting && (
        <LazyConfirmDialog
          title={t('branding.resetTitle')}
          text={t('branding.resetText')}
          action={t('branding.reset')}
          isPending={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate({ body: { title: null, colour: null, logo: null, icon: null } })}
          onClose={() => change(setIsResetting)(false)}
        />
      )}
    </Stack>
  );
};
