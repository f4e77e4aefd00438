import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { StateBadge } from '../../components/StateBadge.tsx';
import { TextWithTimes } from '../../components/TextWithTimes.tsx';
import { usePickText } from '../../i18n/language.tsx';

type Finding = Schemas['Finding'];

/** What `voucherd doctor` finds, what is wrong first, each with what to do. */
export const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => {
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
          {sorted.map((finding, index) => (
            <Group
              // A check may find several things.
              key={index}
              component="li"
              p="md"
              gap="md"
              align="flex-start"
              justify="space-between"
              style={index > 0 ? { borderTop: '1px solid var(--page-line)' } : {}}
            >
              {/* On a phone the state stands below, so that words are not broken beside it. */}
              <Stack gap={2} flex="1 1 14rem" miw={0} style={{ overflowWrap: 'anywhere' }}>
                <Text size="xs" c="dimmed">
                  {t(`system.check-${finding.check}`)}
                  {finding.subject !== null && ` ${finding.subject}`}
                </Text>
                <Text className="sentence">
                  <TextWithTimes parts={pick(finding.message)} />
                </Text>
                {finding.remedy &&
                  // One alternative per line, each a sentence.
                  pick(finding.remedy)
                    .split('\n')
                    .map((line) => (
                      <Text key={line} size="sm" c="dimmed" className="sentence">
                        {line}
                      </Text>
                    ))}
                {finding.command !== null && (
                  <Text size="sm" c="dimmed" className="code">
                    {finding.command}
                  </Text>
                )}
              </Stack>
              <FindingState finding={finding} />
            </Group>
          ))}
        </Stack>
      </Paper>
    </section>
  );
};

const FindingState = ({ finding: { isOk, remedy, command } }: { readonly finding: Finding }) => {
  const t = useTranslations();
  if (!isOk) return <StateBadge tone="warning">{t('system.notOk')}</StateBadge>;
  return remedy === null && command === null ? (
    <StateBadge tone="good">{t('system.ok')}</StateBadge>
  ) : (
    <StateBadge tone="neutral">{t('system.forInformation')}</StateBadge>
  );
};
