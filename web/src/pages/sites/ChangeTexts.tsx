import { Button, Group, NativeSelect, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  guestLanguageNames,
  guestLanguages,
  isGuestLanguage,
  type GuestLanguage,
} from '../../../../src/i18n/guestLanguages.ts';
import { api, client } from '../../api/api.ts';
import { forgetError } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { useSave } from '../../components/useSave.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { useKioskStandard } from './kioskStandard.ts';
import { OwnTextInput } from './OwnTextInput.tsx';
import {
  findTextConflicts,
  pickChangedTexts,
  pickSameTexts,
  rebaseTexts,
  standardOf,
  textGroups,
  type OwnTextGroup,
} from './ownTexts.ts';
import { TextConflicts } from './TextConflicts.tsx';
import { TextPreview, useTextPreview } from './TextPreview.tsx';

type Texts = Schemas['OwnTextsByLanguage'];

interface ChangeTextsProps {
  /** Undefined for all sites. */
  readonly site: Schemas['Site'] | undefined;
  onClose(): void;
}

/** The own texts of a site, or of all sites, beside what guests get of them. */
export const ChangeTexts = ({ site, onClose }: ChangeTextsProps) => {
  const t = useTranslations();
  const siteId = site?.id ?? 0;
  const stored = api.useQuery('get', '/texts/{siteId}', { params: { path: { siteId } } });
  const [isDirty, setDirty] = useState(false);
  return (
    <Dialog
      size="xl"
      fullScreenBelow="62em"
      guard="click"
      asksToDiscard={isDirty}
      title={site ? t('sites.textsTitle', { name: site.name }) : t('sites.textsForAll')}
      onClose={onClose}
    >
      {(cancel) => (
        <QueryView query={stored}>
          {(data) => (
            <TextForm site={site} stored={data} onDirty={setDirty} onClose={onClose} onCancel={cancel} />
          )}
        </QueryView>
      )}
    </Dialog>
  );
};

interface TextFormProps extends ChangeTextsProps {
  readonly stored: Schemas['SiteTexts'];
  /** Told whether something is changed and not saved. */
  onDirty(isDirty: boolean): void;
  /** Closes it too, but not without a question when something is changed. */
  onCancel(): void;
}

const previewMs = 400;

const TextForm = ({ site, stored, onDirty, onClose, onCancel }: TextFormProps) => {
  const t = useTranslations();
  const pageLanguage = useLanguage().language;
  const siteId = site?.id ?? 0;
  // What was there when the dialog was opened, or when the person last chose between two changes.
  const [before, setBefore] = useState<Texts>(stored.texts);
  const [texts, setTexts] = useState<Texts>(before);
  const [language, setLanguage] = useState<GuestLanguage>(pageLanguage);
  const [group, setGroup] = useState<OwnTextGroup>('slip');
  const [shown] = useDebouncedValue(texts, previewMs);
  const options = { siteId, language, texts: shown[language] ?? {} };
  const { data: preview, error } = useTextPreview(options);
  const problems = preview?.language === language ? preview.problems : [];
  const kiosk = useKioskStandard(language);
  const standard = { ...kiosk, ...stored.standard[language] };
  const isDirty = Object.keys(pickChangedTexts(texts, before)).length > 0;
  useEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  const save = useSave({
    // Only what was changed: somebody else may change other texts at the same time.
    save: () => {
      const changed = pickChangedTexts(texts, before);
      const body = { texts: changed, before: pickSameTexts(before, changed) };
      return client.PATCH('/texts/{siteId}', { params: { path: { siteId } }, body });
    },
    done: () => t('sites.textsSaved'),
    outdated: ['/texts/{siteId}', '/vouchers/{voucherId}/slip'],
    onClose,
  });
  const conflicts = findTextConflicts(texts, before, stored.texts);
  const choose = (keepsMine: boolean): void => {
    forgetError(save);
    setTexts(rebaseTexts(texts, before, stored.texts, keepsMine));
    setBefore(stored.texts);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <Stack gap="lg">
        <Text size="sm">{t('sites.textsHint')}</Text>
        {conflicts.length > 0 && <TextConflicts conflicts={conflicts} onChoose={choose} />}
        <Group align="end">
          <NativeSelect
            data-autofocus
            autoFocus
            label={t('sites.textLanguage')}
            data={guestLanguages.map((name) => ({ value: name, label: guestLanguageNames[name] }))}
            value={language}
            onChange={({ currentTarget: { value } }) => {
              if (isGuestLanguage(value)) setLanguage(value);
            }}
          />
          <SegmentedControl
            aria-label={t('sites.textGroup')}
            data={(['slip', 'email', 'sms', 'kiosk'] as const).map((name) => ({
              value: name,
              label: t(`sites.textGroup-${name}`),
            }))}
            value={group}
            onChange={setGroup}
          />
        </Group>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          <Stack>
            {textGroups[group].map((field) => (
              <OwnTextInput
                language={language}
                key={`${language} ${field.name}`}
                field={field}
                value={texts[language]?.[field.name] ?? ''}
                standard={standardOf(field.name, { own: texts[language], standard, site })}
                problem={problems.find(({ name }) => name === field.name)}
                onChange={(text) => {
                  forgetError(save);
                  setTexts({ ...texts, [language]: { ...texts[language], [field.name]: text } });
                }}
              />
            ))}
          </Stack>
          {error ? (
            <ErrorAlert error={error} />
          ) : (
            <TextPreview preview={preview} group={group} options={options} site={site} standard={standard} />
          )}
        </SimpleGrid>
        {conflicts.length === 0 && save.error && <ErrorAlert error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('sites.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
