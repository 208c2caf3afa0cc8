/** Notes of the sounds, in hertz. */
const SOLVE = [523.25, 659.25, 783.99, 1046.5]
const FIRST_BLOOD = [659.25, 987.77]
const NOTE_S = 0.09
const FADE_S = 0.35
/** Quiet: 1 is the loudest. */
const LOUDNESS = 0.08

let audio: AudioContext | null = null

/** A rising chord, for a solve of the own team. */
export function playSolve(): void {
  play(SOLVE)
}

export function playFirstBlood(): void {
  play(FIRST_BLOOD)
}

/** Synthesised, so no file is downloaded. Does nothing in browsers that do not allow it. */
function play(notes: readonly number[]): void {
  audio ??= new AudioContext()
  // Suspended until the user has interacted with the page.
  void audio.resume().catch(() => {})
  for (const [at, frequency] of notes.entries()) {
    const from = audio.currentTime + at * NOTE_S
    const gain = new GainNode(audio, { gain: 0 })
    gain.gain.setValueAtTime(LOUDNESS, from)
    gain.gain.exponentialRampToValueAtTime(0.001, from + FADE_S)
    const tone = new OscillatorNode(audio, { type: 'triangle', frequency })
    tone.connect(gain).connect(audio.destination)
    tone.start(from)
    tone.stop(from + FADE_S)
  }
}
