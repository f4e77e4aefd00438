import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useGuestRequests } from '../session/guestRequests.ts';
import { useBrandedTitle } from './useBrandedTitle.ts';

interface PageHeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons for what can be done with all of the page. */
  readonly actions?: ReactNode;
}

/** The top of each page; names the document, too. */
export const PageHeader = ({ title, description, actions }: PageHeaderProps) => {
  useBrandedTitle(title, useGuestRequests().length);
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb="lg">
      <Stack gap={4} maw="44rem">
        <Title order={1} fz={{ base: 24, sm: 28 }} lts="-0.02em">
          {title}
        </Title>
        {description !== undefined && <Text c="dimmed">{description}</Text>}
      </Stack>
      {actions !== undefined && <Group gap="sm">{actions}</Group>}
    </Group>
  );
};
