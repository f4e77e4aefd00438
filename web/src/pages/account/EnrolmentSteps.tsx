import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { CopyField } from '../../components/CopyField.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { QrCode } from '../../components/QrCode.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { CurrentPasswordForm } from './CurrentPasswordForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface EnrolmentStepsProps {
  onEnd(): void;
  onCancel?: () => void;
}

/** Password, code of the app, recovery codes: three steps to a second factor. */
export const EnrolmentSteps = ({ onEnd, onCancel }: EnrolmentStepsProps) => {
  const t = useTranslations();
  const begin = api.useMutation('post', '/account/second-factor');
  const [codes, setCodes] = useState<readonly string[]>();
  const end = async (): Promise<void> => {
    await invalidate('/session', '/account/sessions');
    onEnd();
  };
  if (codes) return <RecoveryCodes codes={codes} onStored={() => void end()} />;
  if (begin.data) return <ConfirmCode enrolment={begin.data} onConfirmed={setCodes} onCancel={onCancel} />;
  return (
    <CurrentPasswordForm
      text={t('account.enrolText')}
      action={t('account.continue')}
      mutation={begin}
      onSubmit={(current) => begin.mutate({ body: { current } })}
      onCancel={onCancel}
    />
  );
};

interface ConfirmCodeProps {
  readonly enrolment: Schemas['Enrolment'];
  onConfirmed(codes: readonly string[]): void;
  onCancel: (() => void) | undefined;
}

const ConfirmCode = ({ enrolment, onConfirmed, onCancel }: ConfirmCodeProps) => {
  const t = useTranslations();
  const [code, setCode] = useState('');
  const confirm = api.useMutation('put', '/account/second-factor', {
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate({ body: { code } });
      }}
    >
      <Stack>
        <Text>{t('account.scan')}</Text>
        <QrCode text={enrolment.uri} label={t('account.qrLabel')} />
        <CopyField label={t('account.secret')} text={enrolment.secret} />
        <TextInput
          label={t('account.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          classNames={{ input: 'code' }}
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {confirm.error && <ErrorAlert error={confirm.error} />}
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            {t('account.confirm')}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
};
