// Runs in its own thread: asks for /healthz every 10 ms, whatever else happens, and notes how long each answer took.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 10;
const agent = new Agent({ keepAlive: true });
/** When the unanswered requests were sent. */
const waiting = new Set<number>();
let waits: number[] = [];
let failures = 0;

const ask = (): void => {
  const started = performance.now();
  waiting.add(started);
  get(`${String(workerData)}/healthz`, { agent }, (answer) => {
    answer.resume().once('end', () => {
      waits.push(performance.now() - started);
      waiting.delete(started);
    });
  }).once('error', () => {
    failures += 1;
    waiting.delete(started);
  });
};

const timer = setInterval(ask, everyMs);

// Each message ends a phase and asks for its figures; a request without an answer counts with its waiting time so far.
parentPort?.on('message', (message) => {
  const now = performance.now();
  const unanswered = [...waiting].map((started) => now - started);
  parentPort?.postMessage({ waits: [...waits, ...unanswered], failures });
  [waits, failures] = [[], 0];
  if (message !== 'stop') return;
  clearInterval(timer);
  agent.destroy();
  parentPort?.close();
});
