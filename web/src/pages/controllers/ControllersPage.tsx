import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/api.ts';
import { LazyConfirmDialog } from '../../components/LazyConfirmDialog.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { lazyDialog } from '../../lib/lazyPart.ts';
import { useNotify } from '../../notify/notify.tsx';
import { invalidate } from '../../api/queryClient.ts';
import { ControllerCard } from './ControllerCard.tsx';
import type { Controller } from './controllerValues.ts';

const AddController = lazyDialog(async () => (await import('./AddController.tsx')).AddController);
const ChangeController = lazyDialog(async () => (await import('./ChangeController.tsx')).ChangeController);
const TestController = lazyDialog(async () => (await import('./TestController.tsx')).TestController);

type Task =
  | { readonly kind: 'add' }
  | { readonly kind: 'test' | 'change' | 'remove'; readonly controller: Controller };

/** The controllers, and all that can be done with them. */
export const ControllersPage = () => {
  const t = useTranslations();
  const controllers = api.useQuery('get', '/controllers');
  const [task, setTask] = useState<Task>();
  const end = (): void => setTask(undefined);
  const add = (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setTask({ kind: 'add' })}>
      {t('controllers.add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('controllers.title')} description={t('controllers.text')} actions={add} />
      <QueryView query={controllers}>
        {(data) => (
          <>
            {data.controllers.length === 0 ? (
              <EmptyState
                icon="controllers"
                title={t('controllers.emptyTitle')}
                text={t('controllers.emptyText')}
                action={add}
              />
            ) : (
              <Stack gap="lg">
                {data.controllers.map((controller) => (
                  <ControllerCard
                    key={controller.id}
                    controller={controller}
                    onTest={() => setTask({ kind: 'test', controller })}
                    onChange={() => setTask({ kind: 'change', controller })}
                    onRemove={() => setTask({ kind: 'remove', controller })}
                  />
                ))}
              </Stack>
            )}
            {task?.kind === 'add' && (
              <AddController takenNames={data.controllers.map(({ name }) => name)} onClose={end} />
            )}
          </>
        )}
      </QueryView>
      {task?.kind === 'test' && <TestController controller={task.controller} onClose={end} />}
      {task?.kind === 'change' && <ChangeController controller={task.controller} onClose={end} />}
      {task?.kind === 'remove' && <RemoveController controller={task.controller} onClose={end} />}
    </>
  );
};

const RemoveController = ({ controller, onClose }: { readonly controller: Controller; onClose(): void }) => {
  const t = useTranslations();
  const notify = useNotify();
  const { id, name } = controller;
  const remove = api.useMutation('delete', '/controllers/{controllerId}', {
    onSuccess: () => {
      notify.done(t('controllers.removed', { name }));
      onClose();
    },
    onSettled: () => invalidate('/controllers', '/sites', '/overview'),
  });
  return (
    <LazyConfirmDialog
      opened
      title={t('controllers.removeTitle', { name })}
      text={t('controllers.removeText')}
      action={t('controllers.remove')}
      name={name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { controllerId: id } } })}
      onClose={onClose}
    />
  );
};
