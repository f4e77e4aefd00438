import { testKills } from './killTest.js';

/** Two sites on one controller, which answers at once, and one on another, which takes its time. */
testKills(() => [
  { kind: 'simulated', settings: { latencyMs: 0 }, sites: ['nord', 'sued'] },
  { kind: 'simulated', settings: { latencyMs: 15 }, sites: ['west'] },
]);
