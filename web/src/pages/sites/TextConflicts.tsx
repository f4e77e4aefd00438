import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { directionOf, guestLanguageNames } from '../../../../src/i18n/guestLanguages.ts';
import { Icon } from '../../components/Icon.tsx';
import { showInView } from '../../lib/showInView.ts';
import type { findTextConflicts } from './ownTexts.ts';

interface TextConflictsProps {
  readonly conflicts: ReturnType<typeof findTextConflicts>;
  onChoose(keepsMine: boolean): void;
}

/** Texts that somebody else has changed meanwhile, and the choice between theirs and what is typed. */
export const TextConflicts = ({ conflicts, onChoose }: TextConflictsProps) => {
  const t = useTranslations();
  return (
    <Alert ref={showInView} color="yellow" icon={<Icon name="warning" />} role="alert">
      <Stack gap="sm">
        <Text size="sm">{t('sites.textConflict', { count: conflicts.length })}</Text>
        <List size="sm">
          {conflicts.map(({ language, name, stored }) => (
            <List.Item key={`${language} ${name}`}>
              {t(`sites.own-${name}`)} ({guestLanguageNames[language]}):{' '}
              <Text
                span
                inherit
                dir={directionOf(language)}
                style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
              >
                {stored === '' ? t('sites.textConflictStandard') : stored}
              </Text>
            </List.Item>
          ))}
        </List>
        <Group>
          <Button variant="default" onClick={() => onChoose(false)}>
            {t('sites.textConflictTheirs')}
          </Button>
          <Button variant="default" onClick={() => onChoose(true)}>
            {t('sites.textConflictMine')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};
