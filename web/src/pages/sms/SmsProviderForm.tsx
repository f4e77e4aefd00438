import {
  Alert,
  Button,
  Group,
  NumberInput,
  PasswordInput,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useFormState, type FormState } from '../../components/StoredForm.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { HttpProviderFields } from './HttpProviderFields.tsx';
import { toFormValues, toSettings, withKind, type SmsFormValues } from './smsForm.ts';
import { TestSms } from './TestSms.tsx';

const kinds = ['twilio', 'http'] as const satisfies readonly Schemas['SmsKind'][];

interface SmsProviderFormProps {
  readonly provider: Schemas['SmsProvider'];
  readonly onState: (state: FormState) => void;
}

/** What is set up, and can be changed unless the environment sets it. */
export const SmsProviderForm = ({ provider, onState }: SmsProviderFormProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const form = useForm<SmsFormValues>({
    initialValues: toFormValues(provider),
    onValuesChange: () => {
      forgetError(save);
      forgetError(remove);
    },
  });
  const onSettled = (): void => void invalidate('/sms-provider', '/desk', '/system');
  const save = api.useMutation('put', '/sms-provider', {
    onSuccess: () => {
      form.resetDirty();
      notify.done(t('sms.saved'));
    },
    onSettled,
  });
  const remove = api.useMutation('delete', '/sms-provider', {
    onSuccess: () => {
      form.resetDirty();
      notify.done(t('sms.removed'));
    },
    onSettled,
  });
  useFormState(onState, { isDirty: form.isDirty(), isSaving: save.isPending || remove.isPending });
  const isFixed = provider.fixed !== null;
  const { kind } = form.values;
  const choose = (chosen: string): void =>
    form.setValues(withKind(form.values, kinds.find((known) => known === chosen) ?? 'twilio'));
  return (
    <Stack gap="xl">
      <form onSubmit={form.onSubmit((values) => save.mutate({ body: toSettings(values, provider) }))}>
        <Stack>
          {isFixed && (
            <Alert icon={<Icon name="info" />} color="blue">
              {t('sms.fixed', { names: 'SMS_PROVIDER, SMS_…' })}
            </Alert>
          )}
          <Radio.Group label={t('sms.kind')} value={kind} onChange={choose}>
            <Stack gap="xs" mt={6}>
              {kinds.map((name) => (
                <Radio
                  key={name}
                  value={name}
                  disabled={isFixed}
                  label={t(`sms.kind-${name}`)}
                  description={t(`sms.kind-${name}-hint`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label={t('sms.url')}
            description={t(`sms.url-${kind}-hint`)}
            placeholder="https://sms.example.org/send"
            maxLength={2000}
            required
            disabled={isFixed}
            autoComplete="off"
            {...form.getInputProps('url')}
          />
          <TextInput
            label={t(`sms.user-${kind}`)}
            description={kind === 'http' ? t('sms.userHint') : undefined}
            maxLength={254}
            required={kind === 'twilio'}
            disabled={isFixed}
            autoComplete="off"
            {...form.getInputProps('user')}
          />
          <PasswordInput
            label={t(`sms.secret-${kind}`)}
            description={
              provider.hasSecret ? t('sms.secretKept') : kind === 'http' ? t('sms.secretHint') : undefined
            }
            maxLength={1024}
            disabled={isFixed}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
            {...form.getInputProps('secret')}
          />
          <TextInput
            label={t('sms.from')}
            description={t(`sms.from-${kind}-hint`)}
            maxLength={40}
            required={kind === 'twilio'}
            disabled={isFixed}
            autoComplete="off"
            {...form.getInputProps('from')}
          />
          {kind === 'http' && <HttpProviderFields form={form} isFixed={isFixed} />}
          <Title order={2} fz="h4" mt="md">
            {t('sms.rules')}
          </Title>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t('sms.countryCode')}
              description={t('sms.countryCodeHint')}
              placeholder="49"
              inputMode="tel"
              maxLength={6}
              autoComplete="off"
              {...form.getInputProps('countryCode')}
            />
            <NumberInput
              label={t('sms.maxPerDay')}
              description={t('sms.maxPerDayHint')}
              min={1}
              max={100_000}
              allowDecimal={false}
              hideControls
              required
              {...form.getInputProps('maxPerDay')}
            />
          </SimpleGrid>
          <TextInput
            label={t('sms.allowedCodes')}
            description={t('sms.allowedCodesHint')}
            placeholder="49, 43, 41"
            maxLength={900}
            autoComplete="off"
            {...form.getInputProps('allowedCodes')}
          />
          {save.error && <ErrorAlert error={save.error} />}
          {remove.error && <ErrorAlert error={remove.error} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('common.save')}
            </Button>
            {provider.kind !== null && !isFixed && (
              <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate({})}>
                {t('sms.remove')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      <Stack>
        <Text c="dimmed">{t('sms.testText')}</Text>
        <TestSms settings={() => toSettings(form.values, provider)} isSaved={!form.isDirty()} />
      </Stack>
    </Stack>
  );
};
