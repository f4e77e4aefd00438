import {
  Alert,
  Button,
  Group,
  NumberInput,
  PasswordInput,
  Radio,
  Stack,
  Text,
  TextInput,
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
import { TestMail } from './TestMail.tsx';

type MailServer = Schemas['MailServer'];
type Settings = Schemas['MailServerSettings'];

const securities = ['starttls', 'tls', 'opportunistic'] as const satisfies readonly Schemas['MailSecurity'][];
const usualPorts: Readonly<Record<Schemas['MailSecurity'], number>> = {
  starttls: 587,
  tls: 465,
  opportunistic: 25,
};

interface MailServerFormProps {
  readonly server: MailServer;
  readonly onState: (state: FormState) => void;
}

/** What is set up, and can be changed unless the environment sets it. */
export const MailServerForm = ({ server, onState }: MailServerFormProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const form = useForm({
    initialValues: {
      host: server.host ?? '',
      port: server.port ?? usualPorts[server.security],
      security: server.security,
      user: server.user ?? '',
      password: '',
      from: server.from ?? '',
    },
    onValuesChange: () => {
      forgetError(save);
      forgetError(remove);
    },
  });
  const save = api.useMutation('put', '/mail-server', {
    onSuccess: () => {
      form.resetDirty();
      notify.done(t('mail.saved'));
    },
    onSettled: () => invalidate('/mail-server', '/desk', '/system'),
  });
  const remove = api.useMutation('delete', '/mail-server', {
    onSuccess: () => {
      form.resetDirty();
      notify.done(t('mail.removed'));
    },
    onSettled: () => invalidate('/mail-server', '/desk', '/system'),
  });
  useFormState(onState, { isDirty: form.isDirty(), isSaving: save.isPending || remove.isPending });
  const { fixedServer, fixedFrom } = server;
  const isFixed = fixedServer !== null;
  const toSettings = ({ user, password, ...values }: typeof form.values): Settings => ({
    ...values,
    host: values.host.trim(),
    user: user.trim() || null,
    ...(password !== '' && !isFixed && { password }),
  });
  const chooseSecurity = (chosen: string): void => {
    const security = securities.find((known) => known === chosen) ?? 'starttls';
    const isUsual = form.values.port === usualPorts[form.values.security];
    form.setValues({ security, ...(isUsual && { port: usualPorts[security] }) });
  };
  return (
    <Stack>
      <form onSubmit={form.onSubmit((values) => save.mutate({ body: toSettings(values) }))}>
        <Stack>
          {(isFixed || fixedFrom !== null) && (
            <Alert icon={<Icon name="info" />} color="blue">
              {t('mail.fixed', {
                names: [fixedServer, fixedFrom].filter((name) => name !== null).join(', '),
              })}
            </Alert>
          )}
          <TextInput
            label={t('mail.host')}
            placeholder="mail.example.org"
            maxLength={253}
            required
            disabled={isFixed}
            autoComplete="off"
            {...form.getInputProps('host')}
          />
          <Radio.Group label={t('mail.security')} value={form.values.security} onChange={chooseSecurity}>
            <Stack gap="xs" mt={6}>
              {securities.map((security) => (
                <Radio
                  key={security}
                  value={security}
                  disabled={isFixed}
                  label={t(`mail.security-${security}`)}
                  description={t(`mail.security-${security}-hint`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <NumberInput
            label={t('mail.port')}
            min={1}
            max={65_535}
            allowDecimal={false}
            hideControls
            required
            disabled={isFixed}
            {...form.getInputProps('port')}
          />
          <TextInput
            label={t('mail.user')}
            description={t('mail.userHint')}
            maxLength={254}
            disabled={isFixed}
            autoComplete="off"
            {...form.getInputProps('user')}
          />
          {form.values.user.trim() !== '' && (
            <PasswordInput
              label={t('common.password')}
              description={server.hasPassword ? t('mail.passwordKept') : undefined}
              maxLength={1024}
              disabled={isFixed}
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
              {...form.getInputProps('password')}
            />
          )}
          <TextInput
            label={t('mail.from')}
            description={t('mail.fromHint')}
            placeholder="Hotel <wifi@example.org>"
            maxLength={254}
            required
            disabled={fixedFrom !== null}
            autoComplete="off"
            {...form.getInputProps('from')}
          />
          {save.error && <ErrorAlert error={save.error} />}
          {remove.error && <ErrorAlert error={remove.error} />}
          <Group>
            <Button type="submit" loading={save.isPending} disabled={isFixed && fixedFrom !== null}>
              {t('common.save')}
            </Button>
            {server.host !== null && !isFixed && (
              <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate({})}>
                {t('mail.remove')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      <Text c="dimmed">{t('mail.testText')}</Text>
      <TestMail settings={() => toSettings(form.values)} isSaved={!form.isDirty()} />
    </Stack>
  );
};
