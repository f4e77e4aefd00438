import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import { useFormat } from '../../i18n/format.ts';
import classes from './Certificate.module.css';

/** Four pairs at a time, which is what an eye compares at a glance. */
const groupsOf = (fingerprint: string): string[] =>
  fingerprint.match(/[0-9A-Fa-f]{2}(?::?[0-9A-Fa-f]{2}){0,3}/g) ?? [];

/** A fingerprint in groups that are easy to compare. */
export const Fingerprint = ({ fingerprint }: { readonly fingerprint: string }) => (
  <div className={`code ${classes['fingerprint'] ?? ''}`} data-fingerprint={fingerprint}>
    {groupsOf(fingerprint).map((group, index) => (
      <span key={index}>{group}</span>
    ))}
  </div>
);

interface CertificateToPinProps {
  readonly certificate: Schemas['Certificate'];
  readonly isPending?: boolean;
  onPin(): void;
}

/** A certificate that is not trusted yet, with all that is needed to compare it before it is pinned. */
export const CertificateToPin = ({ certificate, isPending = false, onPin }: CertificateToPinProps) => {
  const t = useTranslations();
  const format = useFormat();
  const facts = [
    [t('controllerSetup.subject'), certificate.subject],
    [t('controllerSetup.issuer'), certificate.issuer],
    [
      t('controllerSetup.validity'),
      t('controllerSetup.validFromTo', {
        from: format.date(certificate.validFrom),
        to: format.date(certificate.validTo),
      }),
    ],
  ] as const;
  return (
    <Paper p="md" radius="md" bg="var(--page-ground)" mt={4}>
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <Icon name="shield" />
          <Title order={3} fz="md">
            {t('controllerSetup.notTrusted')}
          </Title>
        </Group>
        <Text size="sm">{t('controllerSetup.compare')}</Text>
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            {t('controllerSetup.fingerprint')}
          </Text>
          <Fingerprint fingerprint={certificate.fingerprint} />
        </div>
        <dl className={classes['facts']}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Text size="sm">{t('controllerSetup.compareWhere')}</Text>
        <Group>
          <Button px="md" loading={isPending} onClick={onPin}>
            {t('controllerSetup.pin')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
};
