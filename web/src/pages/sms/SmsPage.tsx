import { Paper } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { StoredForm } from '../../components/StoredForm.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { SmsProviderForm } from './SmsProviderForm.tsx';

/** The provider that SMS are sent through. */
export const SmsPage = () => {
  const t = useTranslations();
  const provider = api.useQuery('get', '/sms-provider');
  return (
    <>
      <PageHeader
        title={t('sms.title')}
        description={t('sms.description')}
        actions={
          provider.data && (
            <StateBadge tone={provider.data.isComplete ? 'good' : 'neutral'}>
              {provider.data.isComplete ? t('sms.on') : t('sms.off')}
            </StateBadge>
          )
        }
      />
      <QueryView query={provider} lines={6}>
        {(data) => (
          <StoredForm stored={data}>
            {(stored, onState) => (
              <Paper p="lg" maw="48rem">
                <SmsProviderForm provider={stored} onState={onState} />
              </Paper>
            )}
          </StoredForm>
        )}
      </QueryView>
    </>
  );
};
