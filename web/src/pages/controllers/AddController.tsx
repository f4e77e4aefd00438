import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../components/Dialog.tsx';
import { DoneStage, SitesStage, TestStage } from './AddControllerStages.tsx';
import { ControllerFields, KindField, type ControllerForm } from './ControllerFields.tsx';
import { useControllerTest } from './controllerTest.ts';
import { connectionOf, emptyValues, type ControllerValues } from './controllerValues.ts';
import { isKnownConsole, useSaveController } from './saveController.ts';
import { useSiteOptions, type SiteOption } from './SiteChoice.tsx';
import { WizardSteps } from './WizardSteps.tsx';

const stages = ['details', 'test', 'sites'] as const;
type Stage = (typeof stages)[number];

interface AddControllerProps {
  readonly takenNames: readonly string[];
  onClose(): void;
}

/** From nothing to a controller with its sites: what it is, whether it works, and which of its sites are ours. */
export const AddController = ({ takenNames, onClose }: AddControllerProps) => {
  const t = useTranslations();
  const [stage, setStage] = useState<Stage>('details');
  const form: ControllerForm = useForm({
    initialValues: emptyValues,
    validate: { name: (name) => (takenNames.includes(name.trim()) ? t('errors.name-taken') : null) },
  });
  const { run, start } = useControllerTest();
  const sites = useSiteOptions();
  const save = useSaveController();
  const name = form.values.name.trim();

  const test = (change: Partial<ControllerValues> = {}): void => {
    form.setValues(change);
    start(connectionOf({ ...form.values, ...change }));
    setStage('test');
  };
  const store = (chosen: readonly SiteOption[]): void =>
    save.mutate({ values: form.values, chosen, force: isKnownConsole(save.error) });
  const goTo = (next: Stage): void => {
    save.reset();
    setStage(next);
  };

  const content = (): React.ReactNode => {
    if (save.isSuccess) return <DoneStage name={name} siteCount={save.data} onClose={onClose} />;
    if (stage === 'details')
      return (
        <form onSubmit={form.onSubmit(() => test())}>
          <Stack gap="lg">
            <KindField form={form} />
            <ControllerFields form={form} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button type="submit">{t('controllerSetup.startTest')}</Button>
            </Group>
          </Stack>
        </form>
      );
    if (stage === 'test')
      return (
        <TestStage
          run={run}
          save={save}
          onPin={(fingerprint) => test({ trust: 'pinned', fingerprint })}
          onRetry={() => test()}
          onBack={() => goTo('details')}
          onSave={() => store([])}
          onNext={() => {
            sites.offer(run.steps.find(({ step }) => step === 'sites')?.sites ?? [], name);
            goTo('sites');
          }}
        />
      );
    return (
      <SitesStage sites={sites} save={save} onBack={() => goTo('test')} onSave={() => store(sites.chosen)} />
    );
  };

  return (
    <Dialog size="lg" fullScreenBelow="48em" guard="click" title={t('controllers.add')} onClose={onClose}>
      <Stack gap="lg">
        {!save.isSuccess && (
          <WizardSteps
            labels={stages.map((name) => t(`controllerSetup.stage-${name}`))}
            current={stages.indexOf(stage)}
          />
        )}
        {content()}
      </Stack>
    </Dialog>
  );
};
