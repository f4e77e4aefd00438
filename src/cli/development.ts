import { ContractError } from '../contract/contractError.js';
import { publicText } from '../problem.js';
import type { Service } from '../serve.js';
import { CommandError, type Io } from './io.js';

/** The wire to the process that started this one, where there is one: `npm run dev` tells over it what to load. */
export interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
  send?: (message: object) => unknown;
  disconnect?: () => void;
}

/** A service whose contract follows what is told over the channel. Nobody can tell it anything over HTTP. */
export interface Development {
  follow(service: Pick<Service, 'reload'>): void;
  /** Tells why a contract is not served, or why the service did not start. */
  refused(error: unknown, turn?: number): void;
  close(): void;
}

interface ReloadWish {
  readonly turn: number;
  readonly reload: true;
}

const isReloadWish = (message: unknown): message is ReloadWish =>
  typeof message === 'object' && message !== null && 'reload' in message && 'turn' in message;

export const openDevelopment = (env: Io['env'], channel: Channel): Development => {
  if (env['NODE_ENV'] === 'production')
    throw new CommandError('--mock-missing is for development: NODE_ENV is production');
  let listener: (message: unknown) => void = () => undefined;
  const tell = (message: object): void => {
    channel.send?.(message);
  };
  const refused: Development['refused'] = (error, turn) => {
    if (error instanceof ContractError) tell({ turn, refused: error.what, position: error.position });
    else tell({ turn, refused: publicText(error) });
  };
  return {
    refused,
    follow: (service) => {
      if (!channel.send) return;
      listener = (message) => {
        if (!isReloadWish(message)) return;
        const { turn } = message;
        service.reload().then(
          (reloaded) => tell({ turn, reloaded }),
          (error: unknown) => refused(error, turn),
        );
      };
      channel.on('message', listener);
      tell({ following: true });
    },
    close: () => {
      channel.off('message', listener);
      channel.disconnect?.();
    },
  };
};
