import { useTranslations } from 'use-intl';
import { PageHeader } from '../../components/PageHeader.tsx';

export const UsersPage = () => {
  const t = useTranslations();
  return <PageHeader title={t('users.title')} />;
};
