import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  PasswordInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { useLanguage } from '../../i18n/language.tsx';
import { languageNames, languages, toPageLanguage } from '../../i18n/pageLanguages.ts';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { NewSecret } from './NewSecret.tsx';
import { Instructions, platforms, type Platform } from './Instructions.tsx';
import { TestAnswer, useWebhookTest } from './TestWebhook.tsx';

/** What an address of a platform looks like. */
const examples: Readonly<Record<Platform, string>> = {
  slack: 'https://hooks.slack.com/services/…',
  teams: 'https://….logic.azure.com/workflows/…',
  discord: 'https://discord.com/api/webhooks/…',
  mattermost: 'https://chat.example.org/hooks/…',
  'google-chat': 'https://chat.googleapis.com/v1/spaces/…',
  generic: 'https://example.org/vouchers',
  'php-tool': 'https://example.org/vouchers',
};

/** Adds a webhook: how to get its address, then its secret, once, and a test. */
export const AddWebhook = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTranslations();
  const add = api.useMutation('post', '/webhooks', {
    onSettled: () => invalidate('/webhooks', '/overview'),
  });
  return (
    <Dialog
      size="lg"
      fullScreenBelow="48em"
      guard="click"
      title={add.data ? t('webhooks.addedTitle', { name: add.data.webhook.name }) : t('webhooks.add')}
      onClose={onClose}
    >
      {add.data ? (
        <Added created={add.data} onClose={onClose} />
      ) : (
        <AddForm
          isPending={add.isPending}
          error={add.error}
          onAdd={(body) => add.mutate({ body })}
          onEdit={() => forgetError(add)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
};

interface AddFormProps {
  readonly isPending: boolean;
  readonly error: unknown;
  onAdd(webhook: Schemas['NewWebhook']): void;
  onEdit(): void;
  onClose(): void;
}

const AddForm = ({ isPending, error, onAdd, onEdit, onClose }: AddFormProps) => {
  const t = useTranslations();
  const language = toPageLanguage(useLanguage().language);
  const form = useForm<{
    name: string;
    format: Platform;
    language: Schemas['Language'];
    reportsControllers: boolean;
    address: string;
  }>({
    initialValues: { name: '', format: 'slack', language, reportsControllers: false, address: '' },
    onValuesChange: onEdit,
  });
  const platform = form.values.format;
  return (
    <form onSubmit={form.onSubmit(onAdd)}>
      <Stack>
        <Select
          label={t('webhooks.platform')}
          data={platforms.map((value) => ({ value, label: t(`webhooks.platform-${value}`) }))}
          allowDeselect={false}
          data-autofocus
          {...form.getInputProps('format')}
        />
        <Instructions platform={platform} />
        <PasswordInput
          label={t('webhooks.address')}
          description={t('webhooks.addressText')}
          placeholder={examples[platform]}
          required
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('webhooks.showAddress') }}
          {...form.getInputProps('address')}
        />
        <TextInput
          label={t('common.name')}
          description={t('webhooks.nameText')}
          required
          maxLength={255}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Checkbox
          label={t('webhooks.reportsControllers')}
          description={t('webhooks.reportsControllersText')}
          {...form.getInputProps('reportsControllers', { type: 'checkbox' })}
        />
        {platform !== 'generic' && platform !== 'php-tool' && (
          <NativeSelect
            label={t('webhooks.language')}
            data={languages.map((value) => ({ value, label: languageNames[value] }))}
            {...form.getInputProps('language')}
          />
        )}
        {Boolean(error) && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('webhooks.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

interface AddedProps {
  readonly created: Schemas['CreatedWebhook'];
  onClose(): void;
}

const Added = ({ created: { webhook, secret }, onClose }: AddedProps) => {
  const t = useTranslations();
  const test = useWebhookTest();
  return (
    <Stack>
      {secret !== null && <NewSecret secret={secret} />}
      <Text>{t('webhooks.addedText')}</Text>
      <TestAnswer test={test} />
      <Group justify="flex-end">
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate({ params: { path: { webhookId: webhook.id } } })}
        >
          {test.data ? t('webhooks.sendAgain') : t('webhooks.test')}
        </Button>
        <Button onClick={onClose}>{t('webhooks.done')}</Button>
      </Group>
    </Stack>
  );
};
