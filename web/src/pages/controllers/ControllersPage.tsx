import { Stack } from '@mantine/core';
import { useState, type ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { useRemove } from '../../components/useSave.ts';
import { api, client } from '../../api/api.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { ManagedList } from '../../components/ManagedList.tsx';
import { PageTexts } from '../../i18n/pageTexts.tsx';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { ControllerCard } from './ControllerCard.tsx';
import type { Controller } from './controllerValues.ts';

/** A dialog that sets controllers up, with the texts that only such dialogs need. */
const setupDialog = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyDialog(async () => {
    const Dialog = await load();
    return (props: Props) => (
      <PageTexts group="controllerSetup" waiting={null}>
        <Dialog {...props} />
      </PageTexts>
    );
  });

const AddController = setupDialog(async () => (await import('./AddController.tsx')).AddController);
const ChangeController = setupDialog(async () => (await import('./ChangeController.tsx')).ChangeController);
const TestController = setupDialog(async () => (await import('./TestController.tsx')).TestController);

/** The controllers, and all that can be done with them. */
export const ControllersPage = () => {
  const t = useTranslations();
  const controllers = api.useQuery('get', '/controllers');
  // Not in the address: it calls the controller as soon as it is opened, which a link must not do.
  const [tested, setTested] = useState<Controller>();
  return (
    <ManagedList
      icon="controllers"
      texts={{
        title: t('controllers.title'),
        text: t('controllers.text'),
        add: t('controllers.add'),
        emptyTitle: t('controllers.emptyTitle'),
        emptyText: t('controllers.emptyText'),
      }}
      query={controllers}
      itemsOf={(data) => data.controllers}
      list={(items, open) => (
        <Stack gap="lg">
          {items.map((controller) => (
            <ControllerCard
              key={controller.id}
              controller={controller}
              onTest={() => setTested(controller)}
              onChange={() => open('change', controller)}
              onRemove={() => open('remove', controller)}
            />
          ))}
          {tested && <TestController controller={tested} onClose={() => setTested(undefined)} />}
        </Stack>
      )}
      addDialog={(onClose, items) => (
        <AddController takenNames={items.map(({ name }) => name)} onClose={onClose} />
      )}
      itemDialogs={{
        change: (controller, onClose) => <ChangeController controller={controller} onClose={onClose} />,
        sites: (controller, onClose) => <TestController controller={controller} waits onClose={onClose} />,
        remove: (controller, onClose) => <RemoveController controller={controller} onClose={onClose} />,
      }}
    />
  );
};

const RemoveController = ({ controller, onClose }: { readonly controller: Controller; onClose(): void }) => {
  const t = useTranslations();
  const { id, name } = controller;
  const remove = useRemove({
    remove: () => client.DELETE('/controllers/{controllerId}', { params: { path: { controllerId: id } } }),
    done: t('controllers.removed', { name }),
    outdated: ['/controllers', '/sites', '/overview'],
    onClose,
  });
  return (
    <LazyConfirmDialog
      title={t('controllers.removeTitle', { name })}
      text={t('controllers.removeText')}
      action={t('controllers.remove')}
      name={name}
      {...remove}
      onClose={onClose}
    />
  );
};
