import { Badge, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { isDemo } from '../api/serviceMeta.ts';

/** Says that this is a demo, where it is one. */
export const DemoNote = () => {
  const t = useTranslations();
  if (!isDemo) return null;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" role="note" mb="md">
      <Badge color="yellow" size="lg">
        {t('common.demo')}
      </Badge>
      {/* Its first line stands beside the badge, which is a little higher. */}
      <Text size="sm" c="dimmed" pt={2}>
        {t('common.demoText')}
      </Text>
    </Group>
  );
};
