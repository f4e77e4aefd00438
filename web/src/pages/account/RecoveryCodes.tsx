import { Alert, Button, Checkbox, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../components/CopyField.tsx';
import { Icon } from '../../components/Icon.tsx';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  onStored(): void;
}

/** The recovery codes, which are shown once: going on takes a word that they were stored. */
export const RecoveryCodes = ({ codes, onStored }: RecoveryCodesProps) => {
  const t = useTranslations();
  const [isStored, setStored] = useState(false);
  return (
    <Stack>
      <Alert color="yellow" icon={<Icon name="warning" />} title={t('account.codesTitle')}>
        {t('account.codesText')}
      </Alert>
      <Paper p="md" radius="md" bg="var(--page-ground)">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {codes.map((code) => (
            <Text key={code} className="code" fz="lg">
              {code}
            </Text>
          ))}
        </SimpleGrid>
      </Paper>
      <Group>
        <CopyButton text={codes.join('\n')} />
      </Group>
      <Checkbox
        label={t('account.codesStored')}
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group>
        <Button disabled={!isStored} onClick={onStored}>
          {t('account.done')}
        </Button>
      </Group>
    </Stack>
  );
};
