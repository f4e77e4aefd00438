import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const KeysPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('keys.title')} />;
};
