import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import type { ControllerTestRun } from './controllerTest.ts';
import { isKnownConsole, type useSaveController } from './saveController.ts';
import { SiteChoice, type useSiteOptions } from './SiteChoice.tsx';
import { TestSteps } from './TestSteps.tsx';

type Save = Pick<ReturnType<typeof useSaveController>, 'error' | 'isPending' | 'isStored'>;

interface TestStageProps {
  readonly run: ControllerTestRun;
  readonly save: Save;
  onPin(fingerprint: string): void;
  onRetry(): void;
  onBack(): void;
  /** Stores it as it is, for a controller that can not be reached today. */
  onSave(): void;
  onNext(): void;
}

/** The test, and the ways on from there. */
export const TestStage = ({ run, save, onPin, onRetry, onBack, onSave, onNext }: TestStageProps) => {
  const t = useTranslations();
  return (
    <Stack>
      <TestSteps run={run} onPin={onPin} />
      {Boolean(save.error) && <ErrorAlert error={save.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('controllerSetup.back')}
        </Button>
        {run.state === 'failed' && (
          <>
            <Button variant="default" loading={save.isPending} onClick={onSave}>
              {t('controllerSetup.saveUntested')}
            </Button>
            <Button leftSection={<Icon name="refresh" size={18} />} onClick={onRetry}>
              {t('controllerSetup.testAgain')}
            </Button>
          </>
        )}
        {run.state !== 'failed' && (
          <Button disabled={run.state !== 'passed'} onClick={onNext}>
            {t('controllerSetup.toSites')}
          </Button>
        )}
      </Group>
    </Stack>
  );
};

interface SitesStageProps {
  readonly sites: ReturnType<typeof useSiteOptions>;
  readonly save: Save;
  onBack(): void;
  onSave(): void;
}

/** Which sites are added; none is allowed, too. */
export const SitesStage = ({ sites, save, onBack, onSave }: SitesStageProps) => {
  const t = useTranslations();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Stack>
        <Text>{t('controllerSetup.chooseSitesText')}</Text>
        <SiteChoice options={sites.options} onChange={sites.change} />
        {Boolean(save.error) && <ErrorAlert error={save.error} />}
        <Group justify="flex-end">
          {/* What is stored already is changed elsewhere. */}
          {!save.isStored && (
            <Button variant="default" onClick={onBack}>
              {t('controllerSetup.back')}
            </Button>
          )}
          <Button type="submit" loading={save.isPending}>
            {isKnownConsole(save.error)
              ? t('controllerSetup.saveAnyway')
              : t('controllerSetup.saveWithSites', { count: sites.chosen.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

interface DoneStageProps {
  readonly name: string;
  readonly siteCount: number;
  onClose(): void;
}

/** What is there now, and what to do next. */
export const DoneStage = ({ name, siteCount, onClose }: DoneStageProps) => {
  const t = useTranslations();
  return (
    <Stack align="center" ta="center" py="md">
      <Text c="var(--mantine-color-anchor)" component="span" lh={1}>
        <Icon name="check" size={48} />
      </Text>
      <Title order={2} fz="lg">
        {t('controllerSetup.doneTitle', { name })}
      </Title>
      <Text c="dimmed" maw="30rem">
        {siteCount > 0
          ? t('controllerSetup.doneText', { count: siteCount })
          : t('controllerSetup.doneWithoutSites')}
      </Text>
      <Group justify="center">
        {siteCount > 0 && (
          <Button component={Link} to="/sites" variant="default">
            {t('controllerSetup.toSitePage')}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {t('controllerSetup.close')}
        </Button>
      </Group>
    </Stack>
  );
};
