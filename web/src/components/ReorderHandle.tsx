import { ActionIcon } from '@mantine/core';
import type { useReorder } from '../lib/useReorder.ts';
import { Icon } from './Icon.tsx';
import './ReorderHandle.css';

interface ReorderHandleProps extends ReturnType<ReturnType<typeof useReorder>['handleProps']> {
  /** What it moves, and where that stands. */
  readonly label: string;
  /** The id of the text that tells how. */
  readonly describedBy: string;
}

/** What a row of a table is dragged by, or moved with the arrow keys. */
export const ReorderHandle = ({ label, describedBy, ...handlers }: ReorderHandleProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="lg"
    className="reorder-handle"
    aria-label={label}
    aria-describedby={describedBy}
    {...handlers}
  >
    <Icon name="grip" />
  </ActionIcon>
);
