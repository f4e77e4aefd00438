import { Anchor, PasswordInput, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import classes from './ControllerFields.module.css';
import { kinds, trusts, type ControllerValues } from './controllerValues.ts';

export type ControllerForm = UseFormReturnType<ControllerValues>;

interface ControllerFieldsProps {
  readonly form: ControllerForm;
  /** Its secrets are stored already: what is left empty stays. */
  readonly isStored?: boolean;
}

/** The kind of a new controller. */
export const KindField = ({ form }: { readonly form: ControllerForm }) => {
  const t = useTranslations();
  return (
    <Radio.Group label={t('controllers.kind')} {...form.getInputProps('kind')}>
      <Stack gap="sm" mt="xs">
        {kinds.map((kind) => (
          <Radio
            key={kind}
            value={kind}
            label={t(`controllers.kind-${kind}`)}
            description={t(`controllers.kindText-${kind}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
};

/** Name, address, credentials and trust of a controller. */
export const ControllerFields = ({ form, isStored = false }: ControllerFieldsProps) => {
  const t = useTranslations();
  const { kind } = form.values;
  return (
    <Stack>
      <TextInput
        label={t('common.name')}
        description={t('controllers.nameText')}
        required
        maxLength={255}
        autoComplete="off"
        data-autofocus={isStored || undefined}
        {...form.getInputProps('name')}
      />
      {kind !== 'simulated' && (
        <>
          <TextInput
            label={t('controllers.address')}
            description={t(`controllers.addressText-${kind}`)}
            placeholder={kind === 'radius-sql' ? 'postgresql://192.168.1.5/radius' : 'https://192.168.1.1'}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('url')}
          />
          <CredentialFields form={form} isStored={isStored} />
          <TrustFields form={form} isStored={isStored} />
        </>
      )}
    </Stack>
  );
};

const CredentialFields = ({ form, isStored = false }: ControllerFieldsProps) => {
  const t = useTranslations();
  const visibilityToggleButtonProps = { 'aria-label': t('common.showPassword') };
  const kept = isStored ? t('controllers.keepEmpty') : undefined;
  const { kind } = form.values;
  if (kind === 'unifi')
    return (
      <PasswordInput
        label={t('controllers.apiKey')}
        description={kept ?? t('controllers.apiKeyText')}
        autoComplete="off"
        required={!isStored}
        visibilityToggleButtonProps={visibilityToggleButtonProps}
        {...form.getInputProps('apiKey')}
      />
    );
  if (kind === 'omada')
    return (
      <>
        <TextInput
          label={t('controllers.clientId')}
          description={kept ?? t('controllers.clientIdText')}
          classNames={{ input: 'code' }}
          autoComplete="off"
          spellCheck={false}
          required={!isStored}
          {...form.getInputProps('clientId')}
        />
        <PasswordInput
          label={t('controllers.clientSecret')}
          autoComplete="off"
          required={!isStored || form.values.clientId.trim() !== ''}
          visibilityToggleButtonProps={visibilityToggleButtonProps}
          {...form.getInputProps('clientSecret')}
        />
      </>
    );
  const usernameText =
    kind === 'radius-sql'
      ? undefined
      : t(kind === 'mikrotik' ? 'controllers.usernameText-mikrotik' : 'controllers.usernameText');
  return (
    <>
      <TextInput
        label={t('controllers.username')}
        description={kept ?? usernameText}
        autoComplete="off"
        required={!isStored}
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label={t('common.password')}
        autoComplete="new-password"
        required={!isStored || form.values.username.trim() !== ''}
        visibilityToggleButtonProps={visibilityToggleButtonProps}
        {...form.getInputProps('password')}
      />
    </>
  );
};

/** Most need not look at it: a certificate that is not trusted is shown by the test. */
const TrustFields = ({ form, isStored = false }: ControllerFieldsProps) => {
  const t = useTranslations();
  const { kind, trust } = form.values;
  // A database takes a CA, not a fingerprint.
  const possible = trusts.filter((value) => kind !== 'radius-sql' || value !== 'pinned');
  return (
    <details className={classes['more']}>
      <Anchor component="summary" size="sm">
        {t('controllers.trust', { how: t(`controllers.trust-${trust}`) })}
      </Anchor>
      <Stack mt="sm">
        <Radio.Group label={t('controllers.trustChoice')} {...form.getInputProps('trust')}>
          <Stack gap="xs" mt="xs">
            {possible.map((value) => (
              <Radio key={value} value={value} label={t(`controllers.trustChoice-${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {trust === 'pinned' && (
          <TextInput
            label={t('controllers.fingerprint')}
            classNames={{ input: 'code' }}
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('fingerprint')}
          />
        )}
        {trust === 'own-ca' && (
          <Textarea
            label={t('controllers.caCertificates')}
            description={isStored ? t('controllers.keepEmpty') : undefined}
            placeholder="-----BEGIN CERTIFICATE-----"
            classNames={{ input: 'code' }}
            rows={6}
            {...form.getInputProps('caCertificates')}
          />
        )}
        <Text size="sm" c="dimmed">
          {t('controllers.trustText')}
        </Text>
      </Stack>
    </details>
  );
};
