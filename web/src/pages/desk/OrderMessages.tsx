import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon } from '../../components/Icon.tsx';
import { usePickText } from '../../i18n/language.tsx';
import { focusIfNowhere } from '../../lib/focus.ts';
import { showInView } from '../../lib/showInView.ts';
import classes from './OrderMessages.module.css';
import type { OrderStage } from './orderStage.ts';
import { useIsKnown } from './placeOrder.ts';

const kinds = {
  wait: { color: 'yellow', role: 'status', icon: 'clock' },
  warning: { color: 'yellow', role: 'alert', icon: 'warning' },
  error: { color: 'red', role: 'alert', icon: 'error' },
} as const;

interface MessageProps {
  readonly kind: keyof typeof kinds;
  readonly title: string;
  readonly text: ReactNode;
  /** What can be done, in a word, and how. */
  readonly action?: readonly [label: string, onClick: () => void];
  /** Whether Enter does it at once: the fields, which had the focus, are disabled. */
  readonly takesFocus?: boolean;
}

/** Moved into view when it appears. */
const Message = ({ kind, title, text, action, takesFocus = false }: MessageProps) => {
  const { color, role, icon } = kinds[kind];
  return (
    <Alert
      ref={showInView}
      className={classes['message'] ?? ''}
      color={color}
      role={role}
      icon={<Icon name={icon} />}
      title={title}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {action && (
          <Button
            ref={takesFocus ? focusIfNowhere : null}
            size="compact-sm"
            variant="default"
            onClick={action[1]}
          >
            {action[0]}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};

/** A controller that answers at all usually does so sooner. */
const slowMs = 4000;

interface SlowAnswerProps {
  readonly orderId: string | null;
  readonly onSetAside: () => void;
}

/** What can be done while a controller lets somebody wait. */
export const SlowAnswer = ({ orderId, onSetAside }: SlowAnswerProps) => {
  const t = useTranslations();
  const [isSlow, setSlow] = useState(false);
  // Only an order that has arrived goes on without this page.
  const isKnown = useIsKnown(isSlow ? orderId : null);
  useTimeout(() => setSlow(true), slowMs, { autoInvoke: true });
  if (!isSlow) return null;
  if (!isKnown)
    return (
      <Text ref={showInView} className={classes['message'] ?? ''} size="sm" role="status">
        {t('desk.notConfirmed')}
      </Text>
    );
  return (
    <Message
      kind="wait"
      title={t('desk.slowTitle')}
      text={t('desk.slowText')}
      action={[t('desk.setAside'), onSetAside]}
    />
  );
};

/** Why there is no voucher, and what to do. */
export const OrderFailure = ({
  stage,
  onRetry,
}: {
  readonly stage: OrderStage;
  readonly onRetry: () => void;
}) => {
  const t = useTranslations();
  const pickText = usePickText();
  if (stage.kind === 'unknown')
    return (
      <Message
        kind="warning"
        title={t('desk.unknownTitle')}
        text={t('desk.unknownText')}
        action={[t('common.retry'), onRetry]}
        takesFocus
      />
    );
  if (stage.kind !== 'typing' || stage.failure === undefined) return null;
  if (stage.failure === 'lost')
    return <Message kind="warning" title={t('desk.lostTitle')} text={t('desk.lostText')} />;
  if ('error' in stage.failure)
    return (
      <div ref={showInView} className={classes['message']}>
        <ErrorAlert error={stage.failure.error} />
      </div>
    );
  const { made, reason } = stage.failure.order;
  const sentences = [reason && pickText(reason), t('desk.stillThere'), t('desk.failedText')];
  return (
    <Message
      kind="error"
      title={t('desk.failedTitle', { count: made })}
      text={sentences.filter(Boolean).join(' ')}
    />
  );
};
