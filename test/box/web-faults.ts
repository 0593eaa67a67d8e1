import type { Socket } from "node:net";
import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { WebFault } from "./company.ts";
import { head } from "./http-wire.ts";

const MEBIBYTE = 1_048_576;
/** What the bomb unpacks to, in MiB. */
const BLAST = 512;

/**
 * Does on `socket` what the fault says, in answer to one request. `refuse`, `slow-tls` and `no-tls` happen
 * before there is a request, so there is nothing left for them to do here.
 *
 * @param every repeats until the box closes or the function that it returned is called
 */
export function misbehave(
  fault: WebFault,
  socket: Socket,
  every: (milliseconds: number, act: () => void) => () => void,
): void {
  const html = ["content-type", "text/html; charset=utf-8"] as const;
  switch (fault) {
    case "drip": {
      socket.write(head(200, [html, ["content-length", "100000"]]));
      const stop = every(200, () => {
        if (socket.destroyed) stop();
        else socket.write("<");
      });
      return;
    }
    case "reset":
      socket.write(head(200, [html, ["content-length", "100000"]]));
      socket.write("<!doctype html><title>This page never", () => socket.resetAndDestroy());
      return;
    case "garbage":
      socket.end(Buffer.from("\x16\x03\x01\x00\xffSSH-2.0-OpenSSH_9.9\r\n\x00\x00\xff\r\n\r\n", "latin1"));
      return;
    case "endless":
      socket.write(head(200, [html, ["transfer-encoding", "chunked"]]));
      pour(socket);
      return;
    case "bomb": {
      const body = bomb();
      socket.write(head(200, [html, ["content-encoding", "gzip"], ["content-length", String(body.length)]]));
      socket.write(body);
      return;
    }
    case "header-flood": {
      const flood = Array.from({ length: 5_000 }, (_, index): [string, string] => [`x-flood-${index}`, "a".repeat(64)]);
      socket.write(head(200, [html, ...flood, ["content-length", "0"]]));
      return;
    }
    case "hang":
    case "refuse":
    case "slow-tls":
    case "no-tls":
      return;
  }
}

/** Writes as fast as the reader reads, and for as long. */
function pour(socket: Socket): void {
  const part = `<p>${"more ".repeat(3_000)}</p>\n`;
  const chunk = `${part.length.toString(16)}\r\n${part}\r\n`;
  const flow = () => {
    let ready = true;
    while (ready && !socket.destroyed) ready = socket.write(chunk);
    // One turn of the loop at least, or a fast reader in the same process never gets to read.
    if (!socket.destroyed) socket.once("drain", () => setImmediate(flow));
  };
  flow();
}

let made: Buffer | undefined;

/**
 * One gzip member of 512 MiB of spaces. The deflate blocks of one mebibyte are repeated, which a full flush
 * allows, so that making it costs no 512 MiB.
 */
function bomb(): Buffer {
  if (made) return made;
  const spaces = Buffer.alloc(MEBIBYTE, " ");
  const block = deflateRawSync(spaces, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  let sum = 0;
  for (let index = 0; index < BLAST; index++) sum = crc32(spaces, sum);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(sum, 0);
  trailer.writeUInt32LE(BLAST * MEBIBYTE, 4);
  const emptyLastBlock = Buffer.from([0x03, 0x00]);
  made = Buffer.concat([
    gzipSync("").subarray(0, 10),
    ...Array.from({ length: BLAST }, () => block),
    emptyLastBlock,
    trailer,
  ]);
  return made;
}
