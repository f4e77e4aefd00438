import { Group, Text } from '@mantine/core';

/** The ticket that sends, with the name. */
export const Logo = ({ size = 30 }: { readonly size?: number }) => (
  <Group gap="xs" wrap="nowrap">
    <svg
      viewBox="0 0 48 48"
      width={size}
      height={size}
      fill="none"
      stroke="var(--page-accent)"
      strokeWidth={3}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M7 20a4 4 0 0 0 4-4h26a4 4 0 0 0 4 4v8a4 4 0 0 0 0 8v0a4 4 0 0 0-4 4H11a4 4 0 0 0-4-4v0a4 4 0 0 0 0-8z" />
      <path d="M17 27a10 10 0 0 1 14 0M20.5 31a5 5 0 0 1 7 0" />
      <circle cx="24" cy="35" r="1" fill="currentColor" />
      <path d="M16 9a12 12 0 0 1 16 0" opacity=".55" />
    </svg>
    <Text component="span" fw={650} fz={size * 0.7} lts="-0.02em">
      voucherd
    </Text>
  </Group>
);
