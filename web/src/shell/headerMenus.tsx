import { Menu, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { basePath } from '../api/serviceMeta.ts';
import { Icon } from '../components/Icon.tsx';
import { useLanguage } from '../i18n/language.tsx';
import { languageNames, languages } from '../i18n/pageLanguages.ts';
import { useCurrentUser, useSignOut } from '../session/session.ts';
import { colorSchemes, useChooseLanguage } from './preferences.ts';

interface MenuProps {
  readonly button: ReactElement;
}

/** Opens once it is there, because a click asks for it: a menu that is open from its beginning gives no focus back. */
const OpeningMenu = ({ button, children }: MenuProps & { readonly children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setOpen(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown miw={180}>{children}</Menu.Dropdown>
    </Menu>
  );
};

export const LanguageMenu = ({ button }: MenuProps) => {
  const { language } = useLanguage();
  const choose = useChooseLanguage();
  return (
    <OpeningMenu button={button}>
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
    </OpeningMenu>
  );
};

export const ColorSchemeMenu = ({ button }: MenuProps) => {
  const t = useTranslations();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <OpeningMenu button={button}>
      {colorSchemes.map(([scheme, icon]) => (
        <Menu.Item
          key={scheme}
          onClick={() => setColorScheme(scheme)}
          leftSection={<Icon name={icon} size={16} />}
          rightSection={scheme === colorScheme && <Icon name="check" size={16} />}
          aria-current={scheme === colorScheme}
        >
          {t(`common.scheme-${scheme}`)}
        </Menu.Item>
      ))}
    </OpeningMenu>
  );
};

/** Who is signed in, their account, and the way out. */
export const UserMenu = ({ button }: MenuProps) => {
  const t = useTranslations();
  const { name, role, version } = useCurrentUser();
  const signOut = useSignOut();
  return (
    <OpeningMenu button={button}>
      <Menu.Label>
        {name} · {t(`common.role-${role}`)}
      </Menu.Label>
      <Menu.Item component={Link} to="/account" leftSection={<Icon name="shield" size={16} />}>
        {t('nav.account')}
      </Menu.Item>
      <Menu.Item
        component="a"
        href={`${basePath}/docs`}
        target="_blank"
        leftSection={<Icon name="external" size={16} />}
      >
        {t('nav.docs')}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => signOut.mutate({})}>
        {t('nav.signOut')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>voucherd {version}</Menu.Label>
    </OpeningMenu>
  );
};
