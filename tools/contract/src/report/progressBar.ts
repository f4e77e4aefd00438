/** Where a run is shown: a terminal, or a log that only takes lines. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  write(text: string): void;
}

/** The line that says how far a stage is. A log never sees it. */
export interface ProgressBar {
  show(title: string, done: number, of: number): void;
  clear(): void;
}

const barWidth = 24;
/** More often nobody can read it, and every change costs a system call. */
const pauseMs = 50;

export const makeProgressBar = (screen: Screen, now: () => number): ProgressBar => {
  let isShown = false;
  let last = -Infinity;
  return {
    show: (title, done, of) => {
      if (!screen.isTerminal || (done < of && now() - last < pauseMs)) return;
      last = now();
      isShown = true;
      const filled = of > 0 ? Math.round((Math.min(done, of) / of) * barWidth) : 0;
      const figures = of > 0 ? ` ${done}/${of}` : '';
      const bar = `     ${title.padEnd(11)} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}${figures}`;
      screen.write(`\r\u001b[K${bar.slice(0, Math.max(screen.columns - 1, 1))}`);
    },
    clear: () => {
      if (isShown) screen.write('\r\u001b[K');
      isShown = false;
      last = -Infinity;
    },
  };
};
