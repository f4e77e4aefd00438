import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const WebhooksPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('webhooks.title')} />;
};
