import {
  Anchor,
  Checkbox,
  NumberInput,
  PasswordInput,
  Radio,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import classes from './ControllerFields.module.css';
import {
  addressExamples,
  formOf,
  hasAddress,
  isDatabase,
  kinds,
  trustsOf,
  usualTrustOf,
  type Kind,
} from './controllerKinds.ts';
import type { ControllerValues } from './controllerValues.ts';

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
    <Radio.Group
      label={t('controllerSetup.kind')}
      {...form.getInputProps('kind')}
      onChange={(kind) => form.setValues({ kind: kind as Kind, trust: usualTrustOf(kind as Kind) })}
    >
      <Stack gap="sm" mt="xs">
        {kinds.map((kind) => (
          <Radio
            key={kind}
            value={kind}
            label={t(`controllers.kind-${kind}`)}
            description={t(`controllerSetup.kindText-${kind}`)}
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
        description={t('controllerSetup.nameText')}
        required
        maxLength={255}
        autoComplete="off"
        data-autofocus={isStored || undefined}
        {...form.getInputProps('name')}
      />
      {hasAddress(kind) && (
        <>
          <TextInput
            label={t('controllerSetup.address')}
            description={t(`controllerSetup.addressText-${kind}`)}
            placeholder={addressExamples[formOf(kind).connection]}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('url')}
          />
          <CredentialFields form={form} isStored={isStored} />
          <TrustFields form={form} isStored={isStored} />
          <OptionFields form={form} />
        </>
      )}
    </Stack>
  );
};

const CredentialFields = ({ form, isStored = false }: ControllerFieldsProps) => {
  const t = useTranslations();
  const visibilityToggleButtonProps = { 'aria-label': t('common.showPassword') };
  const kept = isStored ? t('controllerSetup.keepEmpty') : undefined;
  const { credentials, usernameText } = formOf(form.values.kind);
  if (credentials === 'apiKey')
    return (
      <PasswordInput
        label={t('controllerSetup.apiKey')}
        description={kept ?? t('controllerSetup.apiKeyText')}
        autoComplete="off"
        required={!isStored}
        visibilityToggleButtonProps={visibilityToggleButtonProps}
        {...form.getInputProps('apiKey')}
      />
    );
  if (credentials === 'application')
    return (
      <>
        <TextInput
          label={t('controllerSetup.clientId')}
          description={kept ?? t('controllerSetup.clientIdText')}
          classNames={{ input: 'code' }}
          autoComplete="off"
          spellCheck={false}
          required={!isStored}
          {...form.getInputProps('clientId')}
        />
        <PasswordInput
          label={t('controllerSetup.clientSecret')}
          autoComplete="off"
          required={!isStored || form.values.clientId.trim() !== ''}
          visibilityToggleButtonProps={visibilityToggleButtonProps}
          {...form.getInputProps('clientSecret')}
        />
      </>
    );
  return (
    <>
      <TextInput
        label={t('controllerSetup.username')}
        description={kept ?? (usernameText && t(usernameText))}
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
  return (
    <details className={classes['more']}>
      <Anchor component="summary" size="sm">
        {t('controllers.trust', { how: t(`controllers.trust-${trust}`) })}
      </Anchor>
      <Stack mt="sm">
        <Radio.Group label={t('controllerSetup.trustChoice')} {...form.getInputProps('trust')}>
          <Stack gap="xs" mt="xs">
            {trustsOf(kind).map((value) => (
              <Radio key={value} value={value} label={t(`controllerSetup.trustChoice-${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {trust === 'pinned' && (
          <TextInput
            label={t('controllerSetup.fingerprint')}
            classNames={{ input: 'code' }}
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('fingerprint')}
          />
        )}
        {trust === 'own-ca' && (
          <Textarea
            label={t('controllerSetup.caCertificates')}
            description={isStored ? t('controllerSetup.keepEmpty') : undefined}
            placeholder="-----BEGIN CERTIFICATE-----"
            classNames={{ input: 'code' }}
            rows={6}
            {...form.getInputProps('caCertificates')}
          />
        )}
        <Text size="sm" c="dimmed">
          {t(isDatabase(kind) ? 'controllerSetup.trustText-radius-sql' : 'controllerSetup.trustText')}
        </Text>
      </Stack>
    </details>
  );
};

/** What only some kinds have. */
const OptionFields = ({ form }: { readonly form: ControllerForm }) => {
  const t = useTranslations();
  const { options } = formOf(form.values.kind);
  return (
    <>
      {options.includes('usesUserManager') && (
        <Checkbox
          label={t('controllerSetup.usesUserManager')}
          description={t('controllerSetup.usesUserManagerText')}
          {...form.getInputProps('usesUserManager', { type: 'checkbox' })}
        />
      )}
      {options.includes('hasRates') && (
        <Checkbox
          label={t('controllerSetup.hasRates')}
          description={t('controllerSetup.hasRatesText')}
          {...form.getInputProps('hasRates', { type: 'checkbox' })}
        />
      )}
      {options.includes('disconnectPort') && (
        <NumberInput
          label={t('controllerSetup.disconnectPort')}
          description={t('controllerSetup.disconnectPortText')}
          required
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('disconnectPort')}
        />
      )}
    </>
  );
};
