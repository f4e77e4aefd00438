import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { use } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../api.ts';
import { Icon, type IconName } from '../components/Icon.tsx';
import { languages, useLanguage, type Language } from '../language.tsx';
import { invalidate } from '../queryClient.ts';
import { UserContext } from '../session.ts';

/** Each in its own words, so that it is found by those who read nothing else. */
export const languageNames: Readonly<Record<Language, string>> = { de: 'Deutsch', en: 'English' };

const schemes: readonly (readonly [MantineColorScheme, IconName])[] = [
  ['auto', 'screen'],
  ['light', 'sun'],
  ['dark', 'moon'],
];

/** Changes the language at once, and keeps it with the user if somebody is signed in. */
export const useChooseLanguage = (): ((language: Language) => void) => {
  const { choose } = useLanguage();
  const user = use(UserContext);
  const keep = api.useMutation('put', '/account/language', { onSuccess: () => invalidate('/session') });
  return (language) => {
    choose(language);
    if (user) keep.mutate({ body: { language } });
  };
};

export const LanguageMenu = () => {
  const t = useTranslations();
  const { language } = useLanguage();
  const choose = useChooseLanguage();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('common.language')}>
          <Icon name="language" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((name) => (
          <Menu.Item
            key={name}
            lang={name}
            onClick={() => choose(name)}
            rightSection={name === language && <Icon name="check" size={16} />}
            aria-current={name === language}
          >
            {languageNames[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

export const ColorSchemeMenu = () => {
  const t = useTranslations();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const icon = schemes.find(([scheme]) => scheme === colorScheme)?.[1] ?? 'screen';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('common.colorScheme')}>
          <Icon name={icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(([scheme, name]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            leftSection={<Icon name={name} size={16} />}
            rightSection={scheme === colorScheme && <Icon name="check" size={16} />}
            aria-current={scheme === colorScheme}
          >
            {t(`common.scheme-${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
