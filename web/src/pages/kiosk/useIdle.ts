import { useEffect, useRef } from 'react';

/** Calls back after a while in which nobody touched anything. */
export const useIdle = (isOn: boolean, idleMs: number, onIdle: () => void): void => {
  const latest = useRef(onIdle);
  useEffect(() => {
    latest.current = onIdle;
  });
  useEffect(() => {
    if (!isOn) return;
    let timer = setTimeout(() => latest.current(), idleMs);
    const restart = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), idleMs);
    };
    document.addEventListener('pointerdown', restart);
    document.addEventListener('keydown', restart);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', restart);
      document.removeEventListener('keydown', restart);
    };
  }, [isOn, idleMs]);
};
