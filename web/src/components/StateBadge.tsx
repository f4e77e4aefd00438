import { Badge } from '@mantine/core';
import { Icon, type IconName } from './Icon.tsx';

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

const looks: Readonly<Record<Tone, { color: string; icon: IconName }>> = {
  good: { color: 'teal', icon: 'check' },
  warning: { color: 'yellow', icon: 'warning' },
  bad: { color: 'red', icon: 'error' },
  neutral: { color: 'gray', icon: 'info' },
};

/** A state in a word, with a sign and a colour. */
export const StateBadge = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => {
  const { color, icon } = looks[tone];
  return (
    <Badge color={color} size="lg" leftSection={<Icon name={icon} size={14} />} data-tone={tone}>
      {children}
    </Badge>
  );
};
