import { Badge } from '@mantine/core';
import { Icon, type IconName } from './Icon.tsx';

export type Tone = 'good' | 'active' | 'warning' | 'bad' | 'neutral';

const looks: Readonly<Record<Tone, { color: string; icon: IconName }>> = {
  good: { color: 'teal', icon: 'check' },
  active: { color: 'accent', icon: 'wifi' },
  warning: { color: 'yellow', icon: 'warning' },
  bad: { color: 'red', icon: 'error' },
  neutral: { color: 'gray', icon: 'info' },
};

interface StateBadgeProps {
  readonly tone: Tone;
  /** Another sign than that of the tone. */
  readonly icon?: IconName;
  readonly children: string;
}

/** A state in a word, with a sign and a colour. */
export const StateBadge = ({ tone, icon = looks[tone].icon, children }: StateBadgeProps) => {
  const { color } = looks[tone];
  return (
    <Badge color={color} size="lg" leftSection={<Icon name={icon} size={14} />} data-tone={tone}>
      {children}
    </Badge>
  );
};
