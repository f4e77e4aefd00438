import { Alert, Button, Group, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { Dialog, guardOnce } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { CopyField } from '../../components/CopyField.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { serviceUrl } from '../../api/serviceMeta.ts';

/** Creates a key, and then shows it, once. */
export const CreateKeyDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTranslations();
  const create = api.useMutation('post', '/keys', { onSuccess: () => invalidate('/keys', '/overview') });
  return (
    <Dialog
      onClose={onClose}
      title={create.data ? t('keys.created', { name: create.data.key.name }) : t('keys.create')}
      size="lg"
      guard={guardOnce(create)}
    >
      {create.data ? (
        <CreatedKey created={create.data} onClose={onClose} />
      ) : (
        <KeyForm
          isPending={create.isPending}
          error={create.error}
          onSubmit={(body) => create.mutate({ body })}
          onEdit={() => forgetError(create)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
};

/** The end of a day, where this browser is. */
const endOfDay = (date: string): string => new Date(`${date}T23:59:59.999`).toISOString();

const today = (): string => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
};

interface KeyFormProps {
  readonly isPending: boolean;
  readonly error: unknown;
  onSubmit(key: Schemas['NewKey']): void;
  onEdit(): void;
  onCancel(): void;
}

const KeyForm = ({ isPending, error, onSubmit, onEdit, onCancel }: KeyFormProps) => {
  const t = useTranslations();
  const form = useForm<{
    name: string;
    scope: Schemas['KeyScope'];
    rateLimit: number | string;
    expires: string;
  }>({
    initialValues: { name: '', scope: 'write', rateLimit: 60, expires: '' },
    onValuesChange: onEdit,
  });
  const submit = form.onSubmit(({ name, scope, rateLimit, expires }) =>
    onSubmit({
      name,
      scope,
      rateLimit: rateLimit === '' ? 0 : Number(rateLimit),
      expiresAt: expires === '' ? null : endOfDay(expires),
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('common.name')}
          description={t('keys.nameHint')}
          maxLength={255}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Radio.Group label={t('keys.scope')} {...form.getInputProps('scope')}>
          <Stack gap="xs" mt={6}>
            <Radio value="write" label={t('keys.scope-write')} description={t('keys.writeHint')} />
            <Radio value="read" label={t('keys.scope-read')} description={t('keys.readHint')} />
          </Stack>
        </Radio.Group>
        <NumberInput
          label={t('keys.limit')}
          description={t('keys.limitHint')}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('rateLimit')}
        />
        <TextInput
          type="date"
          label={t('keys.expires')}
          description={t('keys.expiresHint')}
          min={today()}
          {...form.getInputProps('expires')}
        />
        {Boolean(error) && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('keys.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

/** A line that works as it is: it lists the sites, which every key may do. */
const curlLine = (secret: string): string =>
  `curl '${serviceUrl}/sites.php' \\\n  -H 'Authorization: Bearer ${secret}'`;

interface CreatedKeyProps {
  readonly created: Schemas['CreatedKey'];
  onClose(): void;
}

const CreatedKey = ({ created, onClose }: CreatedKeyProps) => {
  const t = useTranslations();
  return (
    <Stack>
      <Alert color="yellow" icon={<Icon name="warning" />}>
        {t('keys.shownOnce')}
      </Alert>
      <CopyField label={t('keys.secret')} text={created.secret} size="lg" />
      <CopyField label={t('keys.tryIt')} text={curlLine(created.secret)} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('keys.stored')}</Button>
      </Group>
    </Stack>
  );
};
