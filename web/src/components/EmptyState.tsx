import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What to do. */
  readonly text: ReactNode;
  readonly action?: ReactNode;
  /** It is all that the page has, so its title is that of the page. */
  readonly isPage?: boolean;
}

/** What stands in place of a list without entries. */
export const EmptyState = ({ icon, title, text, action, isPage = false }: EmptyStateProps) => (
  <Paper p="xl" py={48}>
    <Stack align="center" gap="xs" ta="center">
      <Text c="dimmed" component="span" lh={1}>
        <Icon name={icon} size={40} />
      </Text>
      <Title order={isPage ? 1 : 2} fz="lg">
        {title}
      </Title>
      <Text c="dimmed" maw="34rem" mb={action === undefined ? 0 : 'sm'}>
        {text}
      </Text>
      {action}
    </Stack>
  </Paper>
);
