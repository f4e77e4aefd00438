import { Loader, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** What is being ordered while its answer is awaited. */
export interface AwaitedOrder {
  readonly name: string;
  readonly count: number;
}

/** What is going on, in a sentence. */
export const useWaitingText = (): ((order: AwaitedOrder) => string) => {
  const t = useTranslations();
  return ({ name, count }) =>
    name === '' ? t('desk.creating', { count }) : t('desk.creatingFor', { count, name });
};

/** Stands where the code will be, so that nobody looks at an empty place. */
export const WaitingResult = ({ order }: { readonly order: AwaitedOrder }) => (
  <Stack align="center" justify="center" h="100%" mih={230} gap="sm" ta="center">
    <Loader size="md" type="dots" aria-hidden />
    <Title order={2} fz="h3">
      {useWaitingText()(order)}
    </Title>
    <Text c="dimmed">{useTranslations()('desk.creatingText')}</Text>
  </Stack>
);
