// Runs in a thread of its own: asks for /healthz every 10 ms, whatever else happens, and notes how long each answer took.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 10;
const agent = new Agent({ keepAlive: true });
let waits: number[] = [];
let failures = 0;

const ask = (): void => {
  const started = performance.now();
  get(`${String(workerData)}/healthz`, { agent }, (answer) => {
    answer.resume().once('end', () => waits.push(performance.now() - started));
  }).once('error', () => (failures += 1));
};

const timer = setInterval(ask, everyMs);

// Each message ends a phase and asks for its figures.
parentPort?.on('message', (message) => {
  parentPort?.postMessage({ waits, failures });
  [waits, failures] = [[], 0];
  if (message !== 'stop') return;
  clearInterval(timer);
  agent.destroy();
  parentPort?.close();
});
