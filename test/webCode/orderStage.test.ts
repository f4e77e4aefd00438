import { describe, expect, test } from '@jest/globals';
import {
  firstStage,
  isAsking,
  nextStage,
  type OrderEvent,
  type OrderStage,
} from '../../web/src/pages/desk/orderStage.ts';

type Order = (OrderEvent & { type: 'settled' })['order'];

const after = (...events: readonly OrderEvent[]): OrderStage => events.reduce(nextStage, firstStage(null));
const orderIn = (state: Order['state']): Order => ({ state }) as Order;

describe('the stages of an order', () => {
  test('an order that was sent before a reload is asked for, without an alarm', () => {
    const stage = firstStage('0b5e8d0c');
    expect([stage.kind, isAsking(stage)]).toEqual(['sending', true]);
    expect(nextStage(stage, { type: 'unanswered' })).toEqual({ kind: 'unknown' });
  });

  test('one whose answer is awaited is not asked for, and one whose answer was lost is', () => {
    expect(isAsking(after({ type: 'sent' }))).toBe(false);
    expect(isAsking(after({ type: 'sent' }, { type: 'unanswered' }))).toBe(true);
    expect(isAsking(after({ type: 'sent' }, { type: 'unanswered' }, { type: 'sent' }))).toBe(false);
  });

  test('each end frees the form, and says what is wrong', () => {
    const failed = orderIn('failed');
    const error = new Error('refused');
    const ends: readonly (readonly [OrderEvent, OrderStage])[] = [
      [{ type: 'settled', order: orderIn('made') }, { kind: 'typing' }],
      [{ type: 'settled', order: orderIn('open') }, { kind: 'typing' }],
      [
        { type: 'settled', order: failed },
        { kind: 'typing', failure: { order: failed } },
      ],
      [
        { type: 'refused', error },
        { kind: 'typing', failure: { error } },
      ],
      [{ type: 'missing' }, { kind: 'typing', failure: 'lost' }],
      [{ type: 'signedOut' }, { kind: 'typing' }],
      [{ type: 'setAside' }, { kind: 'typing' }],
    ];
    for (const [event, stage] of ends) expect(after({ type: 'sent' }, event)).toEqual(stage);
  });

  test('what was wrong is forgotten when it was read, and an order under way is not', () => {
    expect(after({ type: 'missing' }, { type: 'read' })).toEqual({ kind: 'typing' });
    expect(after({ type: 'sent' }, { type: 'read' }).kind).toBe('sending');
  });

  test('a question that fails after the end changes nothing', () => {
    expect(after({ type: 'missing' }, { type: 'unanswered' })).toEqual({ kind: 'typing', failure: 'lost' });
  });
});
