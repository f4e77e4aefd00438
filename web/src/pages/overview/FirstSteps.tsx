import { Anchor, Button, Group, List, Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { PagePath } from '../../../../src/pages/pagePaths.ts';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/queryClient.ts';
import type { Schemas } from '../../api/schemas.ts';
import { Icon } from '../../components/Icon.tsx';
import type { DialogSearch } from '../../lib/search.ts';
import { useNotify } from '../../notify/notify.tsx';

type Step = Schemas['FirstStep'];
type Steps = NonNullable<Schemas['Overview']['firstSteps']>;

/** The page of a step, and the dialog that opens there. What a step needs first is done on its page. */
const placeOf = ({ step, id }: Step): { readonly to: PagePath; readonly search: DialogSearch } => {
  switch (step) {
    case 'controller':
      return { to: '/controllers', search: { dialog: 'add' } };
    case 'site':
      return {
        to: '/controllers',
        search: id === null ? { dialog: 'add' } : { dialog: 'sites', id },
      };
    case 'wifi':
      return { to: '/sites', search: id === null ? {} : { dialog: 'wifi', id } };
    case 'profile':
      return { to: '/profiles', search: { dialog: 'add' } };
    case 'user':
      return { to: '/users', search: { dialog: 'create' } };
    case 'voucher':
      return { to: '/desk', search: {} };
  }
};

/** Whether something of the first steps is left to do. */
export const isSettingUp = (steps: Steps | null): steps is Steps =>
  steps !== null && steps.steps.some(({ isDone }) => !isDone);

/** Hides the first steps from all administrators, or shows them again. */
const useHide = () => {
  const t = useTranslations();
  const notify = useNotify();
  const change = api.useMutation('put', '/first-steps', {
    onError: notify.failed,
    onSettled: () => invalidate('/overview'),
  });
  const setHidden = (isHidden: boolean, onSuccess?: () => void): void =>
    change.mutate({ body: { isHidden } }, { ...(onSuccess && { onSuccess }) });
  return {
    isPending: change.isPending,
    hide: () => setHidden(true, () => notify.undoable(t('overview.stepsHidden'), () => setHidden(false))),
    show: () => setHidden(false),
  };
};

/** Shows the first steps again, while some are left. */
export const ShowFirstSteps = () => {
  const t = useTranslations();
  const { show, isPending } = useHide();
  return (
    <Button variant="default" loading={isPending} onClick={show}>
      {t('overview.showSteps')}
    </Button>
  );
};

/** What a new service needs before guests get vouchers; each step leads to where it is done. */
export const FirstSteps = ({ steps }: { readonly steps: readonly Step[] }) => {
  const t = useTranslations();
  const { hide, isPending } = useHide();
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Paper p="lg" component="section" aria-labelledby="first-steps">
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div>
          <Title order={2} fz="lg" id="first-steps">
            {t('overview.steps')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('overview.stepsDone', { done, count: steps.length })}
          </Text>
        </div>
        <Button variant="default" loading={isPending} onClick={hide}>
          {t('overview.hideSteps')}
        </Button>
      </Group>
      <List listStyleType="none" spacing="sm" center>
        {steps.map((step) => (
          <List.Item key={step.step} icon={<StepMark isDone={step.isDone} />}>
            {step.isDone ? (
              <Text component="span" size="sm" c="dimmed">
                {t(`overview.step-${step.step}`)}
                <VisuallyHidden>{t('overview.stepDone')}</VisuallyHidden>
              </Text>
            ) : (
              <Anchor
                size="sm"
                fw={600}
                renderRoot={(props: Omit<LinkProps, 'to' | 'search'>) => (
                  <Link {...props} {...placeOf(step)} />
                )}
              >
                {t(`overview.step-${step.step}`)}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
};

/** A tick, or an empty circle. */
const StepMark = ({ isDone }: { readonly isDone: boolean }) => (
  <Text component="span" c={isDone ? 'var(--page-accent)' : 'dimmed'} lh={1} display="inline-flex">
    <Icon name={isDone ? 'check' : 'circle'} />
  </Text>
);
