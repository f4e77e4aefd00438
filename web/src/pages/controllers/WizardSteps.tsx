import { useTranslations } from 'use-intl';
import { Icon } from '../../components/Icon.tsx';
import classes from './WizardSteps.module.css';

interface WizardStepsProps {
  readonly labels: readonly string[];
  readonly current: number;
}

/** Where somebody is on a way of several steps. */
export const WizardSteps = ({ labels, current }: WizardStepsProps) => {
  const t = useTranslations();
  return (
    <ol className={classes['steps']} aria-label={t('controllerSetup.progress')}>
      {labels.map((label, index) => (
        <li
          key={label}
          aria-current={index === current ? 'step' : undefined}
          data-done={index < current || undefined}
        >
          <span className={classes['number']} aria-hidden="true">
            {index < current ? <Icon name="check" size={14} /> : index + 1}
          </span>
          {label}
        </li>
      ))}
    </ol>
  );
};
