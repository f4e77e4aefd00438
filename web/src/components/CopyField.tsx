import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from './Icon.tsx';

const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages without https may not use the clipboard.
    return false;
  }
};

interface CopyButtonProps {
  readonly text: string;
  readonly size?: 'compact-sm' | 'sm';
}

/** Copies a text, and says so. */
export const CopyButton = ({ text, size = 'compact-sm' }: CopyButtonProps) => {
  const t = useTranslations();
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  const label = outcome === undefined ? t('common.copy') : t(`common.copy-${outcome}`);
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
      onClick={() => void copyText(text).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))}
      aria-live="polite"
    >
      {label}
    </Button>
  );
};

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  readonly size?: 'sm' | 'lg';
}

/** A text to take along, such as a key or a command, with a button that copies it. */
export const CopyField = ({ label, text, size = 'sm' }: CopyFieldProps) => (
  <Paper p="sm" radius="md" bg="var(--page-ground)">
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton text={text} />
      </Group>
      <Text
        component="div"
        className="code"
        fz={size === 'lg' ? 'lg' : 'sm'}
        style={{ whiteSpace: 'pre-wrap' }}
      >
        {text}
      </Text>
    </Stack>
  </Paper>
);
