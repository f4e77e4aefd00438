import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const AuditPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('audit.title')} />;
};
