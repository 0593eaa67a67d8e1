/** Reads a stream of bytes through a window of bounded size. */
export interface ByteWindow {
  /** Bytes that were read and not yet taken. Valid until the next `fill`. */
  readonly bytes: Uint8Array;
  /** Position of the first of them in the stream. */
  readonly offset: number;
  /** No further byte follows `bytes`. */
  readonly ended: boolean;
  /** Reads until the window has this many bytes, or the stream has ended. @returns whether it has them */
  fill(size: number): Promise<boolean>;
  /** Moves past bytes of the window. */
  take(size: number): void;
  /** Moves past bytes that need not be in the window. @returns whether there were as many */
  skip(size: number): Promise<boolean>;
}

/** @param offset position of the stream's first byte */
export function createByteWindow(source: AsyncIterator<Uint8Array>, offset = 0): ByteWindow {
  let buffer = new Uint8Array(0);
  /** The used part of the buffer. */
  let from = 0;
  let to = 0;
  let position = offset;
  let ended = false;

  const append = (chunk: Uint8Array, wanted: number) => {
    if (to + chunk.length > buffer.length) {
      const used = to - from;
      const size = Math.max(used + chunk.length, Math.min(wanted, 4 * buffer.length), 65_536);
      const next = size > buffer.length ? new Uint8Array(size) : buffer;
      next.set(buffer.subarray(from, to));
      buffer = next;
      from = 0;
      to = used;
    }
    buffer.set(chunk, to);
    to += chunk.length;
  };
  const take = (size: number) => {
    from += size;
    position += size;
  };
  return {
    get bytes() {
      return buffer.subarray(from, to);
    },
    get offset() {
      return position;
    },
    get ended() {
      return ended;
    },
    async fill(size) {
      while (!ended && to - from < size) {
        const { value, done } = await source.next();
        if (done) ended = true;
        else append(value, size);
      }
      return to - from >= size;
    },
    take,
    async skip(size) {
      let left = size;
      while (left > 0) {
        const step = Math.min(left, to - from);
        take(step);
        left -= step;
        if (left === 0) break;
        if (ended) return false;
        const { value, done } = await source.next();
        if (done) ended = true;
        else append(value, 0);
      }
      return true;
    },
  };
}

/** The first position of `wanted` at or after `from`; -1 without one. */
export const indexOfBytes = (bytes: Uint8Array, wanted: string, from = 0): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(wanted, from, "latin1");

export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
