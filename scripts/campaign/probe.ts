/** Requests a URL every 10 ms, one request at a time, until it is told to stop; then sends every duration. */

declare const self: Worker;

const times: number[] = [];
let running = true;

self.onmessage = async ({ data }: MessageEvent<string>) => {
  if (data === "stop") {
    running = false;
    return;
  }
  while (running) {
    const started = performance.now();
    await fetch(data)
      .then((answer) => answer.text())
      .catch(() => {});
    times.push(performance.now() - started);
    await Bun.sleep(10);
  }
  self.postMessage(times);
};
