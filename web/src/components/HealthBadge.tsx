import { useTranslations } from 'use-intl';
import type { Schemas } from '../api/schemas.ts';
import { StateBadge, type Tone } from './StateBadge.tsx';

const tones: Readonly<Record<Schemas['ControllerHealth']['state'], Tone>> = {
  ok: 'good',
  failing: 'warning',
  open: 'bad',
  unknown: 'neutral',
};

/** How a controller is doing, in a word. */
export const HealthBadge = ({ state }: Pick<Schemas['ControllerHealth'], 'state'>) => {
  const t = useTranslations();
  return <StateBadge tone={tones[state]}>{t(`common.health-${state}`)}</StateBadge>;
};
