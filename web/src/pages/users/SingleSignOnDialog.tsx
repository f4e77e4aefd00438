import { Alert, Button, Group, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { ChangedByOther } from '../../components/ChangedByOther.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { PageTexts } from '../../i18n/pageTexts.tsx';
import { showInView } from '../../lib/showInView.ts';
import { useNotify } from '../../notify/notify.tsx';

type Provider = Schemas['IdentityProvider'];
type Settings = Schemas['IdentityProviderSettings'];
type Part = Provider['fixed'][number]['part'];

/** Sets up the identity provider, after a test that needs no saving. */
export const SingleSignOnDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTranslations();
  const provider = api.useQuery('get', '/identity-provider');
  return (
    <Dialog
      title={t('users.singleSignOnTitle')}
      size="lg"
      guard="click"
      asksToDiscard="typed"
      fullScreenBelow="48em"
      onClose={onClose}
    >
      {(cancel) => (
        <QueryView query={provider} lines={6}>
          {(data) => (
            <PageTexts group="singleSignOn" waiting={null}>
              <ProviderForm provider={data} onClose={onClose} onCancel={cancel} />
            </PageTexts>
          )}
        </QueryView>
      )}
    </Dialog>
  );
};

const proofs = ['email_verified', 'xms_edov', 'domain'] as const;

/** The fields of a provider; a secret is never shown. */
const valuesOf = (provider: Provider) => ({
  issuer: provider.issuer ?? '',
  clientId: provider.clientId ?? '',
  clientSecret: '',
  name: provider.name ?? '',
  roleClaim: provider.roleClaim ?? '',
  adminValue: provider.adminValue ?? '',
  viewerValue: provider.viewerValue ?? '',
  emailProof: provider.emailProof ?? 'email_verified',
  emailDomains: provider.emailDomains ?? '',
});

/** What is compared with what is stored when this is saved. */
const toBefore = (provider: Provider): NonNullable<Schemas['IdentityProviderChange']['before']> => {
  const { issuer, clientId, name, roleClaim, adminValue, viewerValue, emailProof, emailDomains } = provider;
  return { issuer, clientId, name, roleClaim, adminValue, viewerValue, emailProof, emailDomains };
};

interface ProviderFormProps {
  readonly provider: Provider;
  onClose(): void;
  /** Closes it too, but not without a question once something was typed. */
  onCancel(): void;
}

const ProviderForm = ({ provider, onClose, onCancel }: ProviderFormProps) => {
  const t = useTranslations();
  const notify = useNotify();
  // What was there when the dialog was opened, or when the person last chose between two changes.
  const [before, setBefore] = useState(provider);
  const form = useForm({
    initialValues: valuesOf(provider),
    onValuesChange: () => {
      forgetError(save);
      test.reset();
    },
  });
  const outdated = () => invalidate('/identity-provider', '/system', '/audit');
  const save = api.useMutation('put', '/identity-provider', {
    onSuccess: () => {
      notify.done(t('singleSignOn.saved'));
      onClose();
    },
    onSettled: outdated,
  });
  const remove = api.useMutation('delete', '/identity-provider', {
    onSuccess: () => {
      notify.done(t('singleSignOn.removed'));
      onClose();
    },
    onSettled: outdated,
  });
  const test = api.useMutation('post', '/identity-provider/test');
  const variableOf = (part: Part): string | undefined =>
    provider.fixed.find((fixed) => fixed.part === part)?.variable;
  const fieldProps = (part: Part, hint?: string) => {
    const variable = variableOf(part);
    return {
      label: t(`singleSignOn.${part}`),
      description: variable === undefined ? hint : t('singleSignOn.fixed', { variable }),
      disabled: variable !== undefined,
      autoComplete: 'off',
      ...form.getInputProps(part),
    };
  };
  const toSettings = ({
    clientSecret,
    emailProof,
    emailDomains,
    ...values
  }: typeof form.values): Settings => ({
    issuer: values.issuer,
    clientId: values.clientId,
    name: values.name || null,
    roleClaim: values.roleClaim || null,
    adminValue: values.adminValue || null,
    viewerValue: values.viewerValue || null,
    ...(variableOf('emailProof') === undefined && {
      emailProof: proofs.find((known) => known === emailProof) ?? null,
      emailDomains: emailProof === 'domain' ? emailDomains : null,
    }),
    ...(clientSecret !== '' && { clientSecret }),
  });
  const isOutdated =
    !save.isSuccess && JSON.stringify(toBefore(before)) !== JSON.stringify(toBefore(provider));
  const isStored = provider.fixed.length === 0 && provider.issuer !== null;
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        save.mutate({ body: { ...toSettings(values), before: toBefore(before) } }),
      )}
    >
      <Stack>
        {isOutdated && (
          <ChangedByOther
            onTake={() => {
              form.setValues(valuesOf(provider));
              setBefore(provider);
            }}
            onKeep={() => {
              forgetError(save);
              setBefore(provider);
            }}
          />
        )}
        <CopyField label={t('singleSignOn.callback')} text={provider.callback} />
        {!provider.isCallbackFixed && (
          <Alert color="yellow" icon={<Icon name="warning" />}>
            {t('singleSignOn.noPublicUrl')}
          </Alert>
        )}
        <TextInput
          {...fieldProps('issuer', t('singleSignOn.issuerHint'))}
          placeholder="https://id.example.org/realms/hotel"
          maxLength={2000}
          required
          data-autofocus
          autoFocus
        />
        <TextInput {...fieldProps('clientId')} maxLength={500} required />
        <PasswordInput
          {...fieldProps('clientSecret', provider.hasClientSecret ? t('singleSignOn.secretKept') : undefined)}
          maxLength={2000}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
        />
        <TextInput {...fieldProps('name', t('singleSignOn.nameHint'))} maxLength={100} />
        <TextInput {...fieldProps('roleClaim', t('singleSignOn.roleClaimHint'))} maxLength={200} />
        {form.values.roleClaim !== '' && (
          <>
            <TextInput {...fieldProps('adminValue')} placeholder="admin" maxLength={500} />
            <TextInput {...fieldProps('viewerValue', t('singleSignOn.viewerValueHint'))} maxLength={500} />
          </>
        )}
        <NativeSelect
          {...fieldProps('emailProof', t('singleSignOn.emailProofHint'))}
          data={proofs.map((value) => ({ value, label: t(`singleSignOn.proof-${value}`) }))}
        />
        {form.values.emailProof === 'domain' && (
          <TextInput {...fieldProps('emailDomains')} placeholder="example.org,example.com" maxLength={2000} />
        )}
        {test.data && <TestSteps steps={test.data.steps} />}
        {[test.error, isOutdated ? null : save.error, remove.error].map(
          (error, index) => error && <ErrorAlert key={String(index)} error={error} />,
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          {isStored && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate({})}>
              {t('common.remove')}
            </Button>
          )}
          <Button
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate({ body: toSettings(form.values) })}
          >
            {t('singleSignOn.test')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

const colors = { ok: 'teal', failed: 'red', unknown: 'yellow' } as const;
const icons = { ok: 'check', failed: 'error', unknown: 'warning' } as const;

const TestSteps = ({ steps }: { readonly steps: Schemas['IdentityProviderTest']['steps'] }) => {
  const t = useTranslations();
  return (
    <Stack ref={showInView} gap="xs" role="status">
      {steps.map(({ step, outcome, detail }) => (
        <Alert key={step} color={colors[outcome]} icon={<Icon name={icons[outcome]} />}>
          <Text size="sm">{t(`singleSignOn.${step}-${outcome}`)}</Text>
          {detail !== null && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {detail}
            </Text>
          )}
        </Alert>
      ))}
      {steps.every(({ outcome }) => outcome !== 'failed') && <Text size="sm">{t('singleSignOn.tryIt')}</Text>}
    </Stack>
  );
};
