import { Paper } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { StoredForm } from '../../components/StoredForm.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { MailServerForm } from './MailServerForm.tsx';

/** The mail server that e-mails are sent through. */
export const MailPage = () => {
  const t = useTranslations();
  const server = api.useQuery('get', '/mail-server');
  return (
    <>
      <PageHeader
        title={t('mail.title')}
        description={t('mail.description')}
        actions={
          server.data && (
            <StateBadge tone={server.data.isComplete ? 'good' : 'neutral'}>
              {server.data.isComplete ? t('mail.on') : t('mail.off')}
            </StateBadge>
          )
        }
      />
      <QueryView query={server} lines={6}>
        {(data) => (
          <StoredForm stored={data}>
            {(stored, onState) => (
              <Paper p="lg" maw="48rem">
                <MailServerForm server={stored} onState={onState} />
              </Paper>
            )}
          </StoredForm>
        )}
      </QueryView>
    </>
  );
};
