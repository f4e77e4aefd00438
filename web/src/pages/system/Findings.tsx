import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api.ts';
import { StateBadge } from '../../components/StateBadge.tsx';
import { usePickText } from '../../language.tsx';

/** What `voucherd doctor` finds, what is wrong first, each with what to do. */
export const Findings = ({ findings }: { readonly findings: readonly Schemas['Finding'][] }) => {
  const t = useTranslations();
  const pick = usePickText();
  const sorted = findings.toSorted((a, b) => Number(a.isOk) - Number(b.isOk));
  return (
    <section>
      <Title order={2} fz="lg" mb="sm">
        {t('system.findings')}
      </Title>
      <Paper>
        <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
          {sorted.map(({ check, isOk, says, advice }, index) => (
            <Group
              key={check}
              component="li"
              p="md"
              gap="md"
              align="flex-start"
              justify="space-between"
              wrap="nowrap"
              style={index > 0 ? { borderTop: '1px solid var(--page-line)' } : {}}
            >
              <Stack gap={2} flex={1} miw={0}>
                <Text size="xs" c="dimmed" className="code">
                  {check}
                </Text>
                <Text>{pick(says)}</Text>
                {advice && (
                  <Text size="sm" c="dimmed">
                    {pick(advice)}
                  </Text>
                )}
              </Stack>
              {isOk ? (
                <StateBadge tone="good">{t('system.ok')}</StateBadge>
              ) : (
                <StateBadge tone="warning">{t('system.notOk')}</StateBadge>
              )}
            </Group>
          ))}
        </Stack>
      </Paper>
    </section>
  );
};
