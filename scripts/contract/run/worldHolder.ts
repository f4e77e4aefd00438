import type { World } from '../world.js';

/** The one service under test: started when it is first asked for, closed once. */
export interface WorldHolder {
  get(): Promise<World>;
  close(): Promise<void>;
}

export const makeWorldHolder = (start: () => Promise<World>): WorldHolder => {
  let world: Promise<World> | undefined;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // Whoever asked for it has heard already why it could not be started.
    const started = await world?.catch(() => undefined);
    await started?.close();
  };
  return {
    get: () => (closed ? Promise.reject(new Error('the run is over')) : (world ??= start())),
    close: () => (closed ??= close()),
  };
};
