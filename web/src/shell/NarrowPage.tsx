import { Box, Group, Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../components/Logo.tsx';
import { DemoNote } from './DemoNote.tsx';
import { ColorSchemeButton, LanguageButton } from './HeaderButtons.tsx';

/** A page without navigation: a card in the middle, for those who are not signed in yet. */
export const NarrowPage = ({
  children,
  below,
}: {
  readonly children: ReactNode;
  readonly below?: ReactNode;
}) => (
  <Box component="main" mih="100dvh" p="md" style={{ display: 'grid', placeItems: 'center' }}>
    <Stack w="100%" maw={460} gap="md">
      <Group justify="space-between" wrap="nowrap">
        <Logo />
        <Group gap={4} wrap="nowrap" flex="none">
          <LanguageButton />
          <ColorSchemeButton />
        </Group>
      </Group>
      <DemoNote />
      <Paper p={{ base: 'lg', xs: 'xl' }}>{children}</Paper>
      {below}
    </Stack>
  </Box>
);
