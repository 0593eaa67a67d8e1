/** Longer than any event of the service. */
const MAX_CHARACTERS = 16_000_000;

/**
 * The data of each server-sent event (HTML standard, section 9.2.6), as it arrives. Leaving the loop closes the stream.
 *
 * @throws Error when one event is longer than 16 million characters, and read errors
 */
export async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (rest.length > MAX_CHARACTERS) throw new Error("An event is longer than 16 million characters.");
      // A carriage return at the end may be half of a line end.
      const usable = done || !rest.endsWith("\r") ? rest.length : rest.length - 1;
      const lines = rest.slice(0, usable).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + rest.slice(usable);
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield data.join("\n");
          data = [];
        } else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
