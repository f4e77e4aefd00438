import type { IncomingHttpHeaders } from 'node:http';

export const formatNames = ['generic', 'slack', 'mattermost', 'discord', 'teams', 'google-chat'] as const;

/** How a notification is written down for one kind of target. */
export type FormatName = (typeof formatNames)[number];

export const languages = ['de', 'en'] as const;

export type Language = (typeof languages)[number];

/** What a target is told: vouchers were created. Never a code. */
export interface Event {
  /** The same for every try, and for every webhook. */
  readonly id: string;
  readonly count: number;
  readonly site: string;
  readonly source: string;
  /** When it happened. */
  readonly createdAt: number;
  /** Is this only a test of the webhook? */
  readonly test: boolean;
}

export interface ComposeOptions {
  readonly language: Language;
  /** For formats that sign: the current secret first, then those that are still accepted. */
  readonly secrets: readonly string[];
  /** The time of this try. */
  readonly now: number;
}

/** What is posted. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a target answered. */
export interface TargetAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of its body. */
  readonly body: string;
}

/** What an answer means. */
export type Verdict =
  | { readonly outcome: 'delivered' }
  /** No further try would help. `switchOff`: the target wants nothing any more. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly switchOff?: boolean }
  /**
   * Worth another try. `afterSeconds`: not before. `wholeTarget`: it concerns the target and not this message alone
   * (throttled, down), so that what waits behind it waits too.
   */
  | {
      readonly outcome: 'retry';
      readonly reason: string;
      readonly afterSeconds?: number;
      readonly wholeTarget: boolean;
    };

/** One kind of target. */
export interface Format {
  readonly name: FormatName;
  compose(event: Event, options: ComposeOptions): Message;
  judge(answer: TargetAnswer): Verdict;
}
