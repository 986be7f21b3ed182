// A worker that holds one instance of the engine, a WebAssembly module: it answers requests one after the other, and tells
// of a search while it runs.

let engine = null;
const waiting = [];

onmessage = ({ data }) => {
  if (data.module) {
    const memory = () => engine.exports.memory.buffer;
    const tell = (address, length) => postMessage(new TextDecoder().decode(new Uint8Array(memory(), address >>> 0, length)));
    engine = new WebAssembly.Instance(data.module, { plyproof: { now: () => performance.now(), tell } });
    waiting.splice(0).forEach(answer);
  } else if (engine) {
    answer(data);
  } else {
    waiting.push(data);
  }
};

function answer({ request, id = null }) {
  const { exports } = engine;
  const input = new TextEncoder().encode(JSON.stringify(request));
  const place = exports.plyproof_alloc(input.length);
  // Views are made anew each time: memory that grows gets another buffer. Addresses are unsigned.
  new Uint8Array(exports.memory.buffer, place >>> 0, input.length).set(input);
  const found = exports.plyproof_call(place, input.length);
  const length = exports.plyproof_length();
  const text = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, found >>> 0, length));
  exports.plyproof_free(found, length);
  // An error does not know which question it answers.
  const told = JSON.parse(text);
  postMessage(told.error ? JSON.stringify({ id, error: told.error }) : text);
}
