import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { useControllerTest } from './controllerTest.ts';
import type { Controller } from './controllerValues.ts';
import { newSitesOf, SiteChoice, useSiteOptions } from './SiteChoice.tsx';
import { TestSteps } from './TestSteps.tsx';

interface TestControllerProps {
  readonly controller: Controller;
  /** Whether the test waits for a click: a link alone must not call the controller. */
  readonly waits?: boolean;
  onClose(): void;
}

/** Tests a stored controller; pins a new certificate, and adds sites that it has found. */
export const TestController = ({ controller, waits = false, onClose }: TestControllerProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const { id: controllerId, name } = controller;
  const { run, start } = useControllerTest();
  const sites = useSiteOptions();
  const params = { path: { controllerId } };
  const refresh = (): Promise<void> => invalidate('/controllers', '/sites', '/overview');
  const pin = api.useMutation('patch', '/controllers/{controllerId}', {
    onSuccess: () => start({ controllerId }),
    onSettled: refresh,
  });
  const add = api.useMutation('post', '/controllers/{controllerId}/sites', {
    onSuccess: (_, { body }) => {
      notify.done(t('controllerSetup.sitesAdded', { count: body.sites.length }));
      onClose();
    },
    onSettled: refresh,
  });
  useEffect(() => (waits ? undefined : start({ controllerId })), [start, waits, controllerId]);
  const found = run.state === 'passed' ? run.steps.find(({ step }) => step === 'sites')?.sites : undefined;
  const { offer } = sites;
  useEffect(() => {
    if (!found) return;
    offer(found, name);
    // Its state says by now that it answers.
    void invalidate('/controllers', '/overview');
  }, [found, name, offer]);
  return (
    <Dialog
      size="lg"
      fullScreenBelow="48em"
      title={t('controllerSetup.testTitle', { name })}
      onClose={onClose}
    >
      <Stack gap="lg">
        {run.state === 'idle' && waits && (
          <Group justify="space-between" gap="sm">
            <Text size="sm">{t('controllerSetup.waitingTest')}</Text>
            <Button data-autofocus onClick={() => start({ controllerId })}>
              {t('controllerSetup.startTest')}
            </Button>
          </Group>
        )}
        <TestSteps
          run={run}
          isPinning={pin.isPending}
          onPin={(fingerprint) => pin.mutate({ params, body: { fingerprint, force: false } })}
        />
        {pin.error && <ErrorAlert error={pin.error} />}
        {found && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              add.mutate({ params, body: newSitesOf(sites.chosen) });
            }}
          >
            <Stack>
              <div>
                <Title order={3} fz="md">
                  {t('controllerSetup.sites')}
                </Title>
                <Text size="sm" c="dimmed">
                  {t('controllerSetup.chooseSitesText')}
                </Text>
              </div>
              <SiteChoice options={sites.options} onChange={sites.change} />
              {add.error && <ErrorAlert error={add.error} />}
              <Group justify="flex-end">
                <Button type="submit" disabled={sites.chosen.length === 0} loading={add.isPending}>
                  {t('controllerSetup.addSites', { count: sites.chosen.length })}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
        {run.state === 'failed' && (
          <Group justify="flex-end">
            <Button leftSection={<Icon name="refresh" size={18} />} onClick={() => start({ controllerId })}>
              {t('controllerSetup.testAgain')}
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
};
