import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { withFormat, type SmsFormValues } from './smsForm.ts';

interface HttpProviderFieldsProps {
  readonly form: UseFormReturnType<SmsFormValues>;
  readonly isFixed: boolean;
}

/** How a provider that is not Twilio is asked. */
export const HttpProviderFields = ({ form, isFixed }: HttpProviderFieldsProps) => {
  const t = useTranslations();
  const hasBody = form.values.method !== 'GET';
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t('sms.method')}
          data={['POST', 'PUT', 'GET']}
          disabled={isFixed}
          {...form.getInputProps('method')}
        />
        {hasBody && (
          <NativeSelect
            label={t('sms.format')}
            data={[
              { value: 'json', label: t('sms.format-json') },
              { value: 'form', label: t('sms.format-form') },
            ]}
            disabled={isFixed}
            value={form.values.format}
            onChange={({ currentTarget: { value } }) =>
              form.setValues(withFormat(form.values, value === 'form' ? 'form' : 'json'))
            }
          />
        )}
      </SimpleGrid>
      {hasBody && (
        <Textarea
          label={t('sms.body')}
          description={t('sms.bodyHint')}
          rows={5}
          maxLength={4000}
          required
          disabled={isFixed}
          spellCheck={false}
          classNames={{ input: 'code' }}
          {...form.getInputProps('body')}
        />
      )}
      <Textarea
        label={t('sms.headers')}
        description={t('sms.headersHint')}
        placeholder="Authorization: Bearer {secret}"
        rows={2}
        maxLength={2000}
        disabled={isFixed}
        spellCheck={false}
        classNames={{ input: 'code' }}
        {...form.getInputProps('headers')}
      />
      <TextInput
        label={t('sms.sentText')}
        description={t('sms.sentTextHint')}
        maxLength={200}
        disabled={isFixed}
        autoComplete="off"
        {...form.getInputProps('sentText')}
      />
    </>
  );
};
