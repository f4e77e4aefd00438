import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const SystemPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('system.title')} />;
};
