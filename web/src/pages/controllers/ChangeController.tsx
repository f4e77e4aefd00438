import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { api } from '../../api/api.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useNotify } from '../../notify/notify.tsx';
import { forgetError, invalidate } from '../../api/queryClient.ts';
import { ControllerFields, type ControllerForm } from './ControllerFields.tsx';
import { useControllerTest } from './controllerTest.ts';
import { connectionChangeOf, valuesOf, type Controller } from './controllerValues.ts';
import { isKnownConsole } from './saveController.ts';
import { TestSteps } from './TestSteps.tsx';

interface ChangeControllerProps {
  readonly controller: Controller;
  onClose(): void;
}

/** Changes a controller; what is typed can be tested before it counts. */
export const ChangeController = ({ controller, onClose }: ChangeControllerProps) => {
  const t = useTranslations();
  const notify = useNotify();
  const { id: controllerId, name } = controller;
  const form: ControllerForm = useForm({
    initialValues: valuesOf(controller),
    onValuesChange: () => forgetError(change),
  });
  const { run, start } = useControllerTest();
  const change = api.useMutation('patch', '/controllers/{controllerId}', {
    onSuccess: () => {
      notify.done(t('controllerSetup.changed', { name: form.values.name.trim() }));
      onClose();
    },
    onSettled: () => invalidate('/controllers', '/sites', '/overview'),
  });
  const save = (): void =>
    change.mutate({
      params: { path: { controllerId } },
      body: {
        ...(form.values.name.trim() !== name && { name: form.values.name }),
        ...connectionChangeOf(form.values, controller),
        force: isKnownConsole(change.error),
      },
    });
  const test = (values = form.values): void =>
    start({ controllerId, ...connectionChangeOf(values, controller) });
  return (
    <Dialog
      size="lg"
      fullScreenBelow="48em"
      guard="click"
      title={t('controllerSetup.changeTitle', { name })}
      onClose={onClose}
    >
      <form onSubmit={form.onSubmit(save)}>
        <Stack>
          <ControllerFields form={form} isStored />
          {run.state !== 'idle' && (
            <TestSteps
              run={run}
              onPin={(fingerprint) => {
                const values = { ...form.values, trust: 'pinned' as const, fingerprint };
                form.setValues(values);
                test(values);
              }}
            />
          )}
          {run.state === 'passed' && (
            <Alert color="teal" icon={<Icon name="check" />}>
              {t('controllerSetup.testedNotSaved')}
            </Alert>
          )}
          {change.error && <ErrorAlert error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button variant="default" loading={run.state === 'running'} onClick={() => test()}>
              {t('controllers.test')}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {isKnownConsole(change.error) ? t('controllerSetup.saveAnyway') : t('controllerSetup.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
