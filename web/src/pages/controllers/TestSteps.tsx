import { Alert, Loader, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyField } from '../../components/CopyField.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { usePickText } from '../../i18n/language.tsx';
import { CertificateToPin } from './Certificate.tsx';
import { stepNames, type ControllerTestRun, type TestStep } from './controllerTest.ts';
import classes from './TestSteps.module.css';

type StepState = TestStep['state'] | 'waiting';

const icons: Readonly<Record<Exclude<StepState, 'running'>, IconName>> = {
  waiting: 'more',
  ok: 'check',
  failed: 'error',
  skipped: 'minus',
};

interface TestStepsProps {
  readonly run: ControllerTestRun;
  readonly isPinning?: boolean;
  /** Called with the fingerprint that somebody has compared. */
  onPin(fingerprint: string): void;
}

/** The steps of a test as they happen, and what to do where one fails. */
export const TestSteps = ({ run, isPinning = false, onPin }: TestStepsProps) => {
  const t = useTranslations();
  return (
    <Stack>
      <ol
        className={classes['steps']}
        aria-label={t('controllerSetup.testSteps')}
        aria-busy={run.state === 'running'}
      >
        {stepNames.map((name) => (
          <Step
            key={name}
            name={name}
            step={run.steps.find(({ step }) => step === name)}
            isPinning={isPinning}
            onPin={onPin}
          />
        ))}
      </ol>
      {Boolean(run.error) && <ErrorAlert error={run.error} />}
      <VisuallyHidden role="status">
        {run.state === 'idle' ? '' : t(`controllerSetup.test-${run.state}`)}
      </VisuallyHidden>
    </Stack>
  );
};

interface StepProps {
  readonly name: TestStep['step'];
  readonly step: TestStep | undefined;
  readonly isPinning: boolean;
  onPin(fingerprint: string): void;
}

const Step = ({ name, step, isPinning, onPin }: StepProps) => {
  const t = useTranslations();
  const pick = usePickText();
  const state: StepState = step?.state ?? 'waiting';
  const { message, remedy, certificate, version, sites, advice = [] } = step ?? {};
  const details = [
    ...(message ? [pick(message)] : []),
    ...(version === undefined ? [] : [version]),
    ...(sites ? [t('controllerSetup.sitesFound', { count: sites.length })] : []),
  ];
  const isToPin = certificate?.isTrusted === false && state !== 'running';
  return (
    <li className={classes['step']} data-state={state}>
      <span className={classes['sign']}>
        {state === 'running' ? <Loader size={16} /> : <Icon name={icons[state]} size={18} />}
      </span>
      <div className={classes['body']}>
        <Text fw={600} size="sm">
          {t(`controllerSetup.step-${name}`)}
          <VisuallyHidden>: {t(`controllerSetup.state-${state}`)}</VisuallyHidden>
        </Text>
        {details.length > 0 && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {details.join(' · ')}
          </Text>
        )}
        {remedy && (
          <Alert mt="xs" color="gray" icon={<Icon name="info" />} p="sm">
            {pick(remedy)}
          </Alert>
        )}
        {advice.map(({ text, lines }) => (
          <Advice key={text.en} text={pick(text)} lines={lines} />
        ))}
        {isToPin && (
          <CertificateToPin
            certificate={certificate}
            isPending={isPinning}
            onPin={() => onPin(certificate.fingerprint)}
          />
        )}
      </div>
    </li>
  );
};

interface AdviceProps {
  readonly text: string;
  readonly lines: string | null;
}

/** What to do on the controller, with what is to be copied. */
const Advice = ({ text, lines }: AdviceProps) => {
  const t = useTranslations();
  return (
    <Alert mt="xs" color="yellow" icon={<Icon name="info" />} p="sm">
      <Stack gap="xs">
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
        {lines !== null && <CopyField label={t('controllerSetup.linesToCopy')} text={lines} />}
      </Stack>
    </Alert>
  );
};
