// Sounds of moves, made by the browser itself. Off until somebody switches them on.

import { settings } from "./settings.js";

let context = null;

/** A knock for a move, and a chord when the game is over. */
export function sound({ outcome }) {
  if (!settings.sounds) return;
  context ??= new AudioContext();
  const tone = (pitch, at, length) => {
    const [source, volume] = [context.createOscillator(), context.createGain()];
    const begin = context.currentTime + at;
    source.type = "triangle";
    source.frequency.value = pitch;
    volume.gain.setValueAtTime(0.15, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
    source.connect(volume).connect(context.destination);
    source.start(begin);
    source.stop(begin + length);
  };
  if (outcome) [262, 330, 392].forEach((pitch, place) => tone(pitch, place * 0.09, 0.6));
  else tone(220, 0, 0.12);
}
