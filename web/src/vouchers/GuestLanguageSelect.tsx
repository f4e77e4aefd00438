import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { guestLanguageNames } from '../../../src/i18n/guestLanguages.ts';
import { Icon } from '../components/Icon.tsx';
import { useGuestLanguage } from './guestLanguage.tsx';

const choices = Object.entries(guestLanguageNames).map(([value, label]) => ({ value, label }));

/** In which language slips and e-mails are. Among buttons it has a picture in place of its label. */
export const GuestLanguageSelect = ({ isButton = false }: { readonly isButton?: boolean }) => {
  const t = useTranslations();
  const [language, choose] = useGuestLanguage();
  return (
    <NativeSelect
      {...(isButton
        ? { 'aria-label': t('desk.guestLanguage'), title: t('desk.guestLanguage'), w: 155 }
        : { label: t('desk.guestLanguage') })}
      leftSection={<Icon name="language" size={18} />}
      data={choices}
      value={language}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
};
