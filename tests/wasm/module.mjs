// The module and how to ask it: JSON in, JSON out.
import { readFileSync } from "node:fs";

const compiled = new WebAssembly.Module(readFileSync(process.env.PLYPROOF_MODULE));

/** A fresh instance with its own memory, which looks at the clock `now`, in milliseconds. `told` has its news of searches. */
export function load(now = () => performance.now()) {
  const told = [];
  const tell = (address, length) => told.push(JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, address >>> 0, length))));
  const { exports } = new WebAssembly.Instance(compiled, { plyproof: { now, tell } });
  return {
    told,
    /** Bytes of memory that the instance has taken so far. */
    bytes: () => exports.memory.buffer.byteLength,
    ask(request) {
      const input = new TextEncoder().encode(JSON.stringify(request));
      const place = exports.plyproof_alloc(input.length);
      // Views are made anew each time: memory that grows gets another buffer. Addresses are unsigned.
      new Uint8Array(exports.memory.buffer, place >>> 0, input.length).set(input);
      const answer = exports.plyproof_call(place, input.length);
      const length = exports.plyproof_length();
      const text = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer >>> 0, length));
      exports.plyproof_free(answer, length);
      return JSON.parse(text);
    },
  };
}

export const imports = WebAssembly.Module.imports(compiled);
