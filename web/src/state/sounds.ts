/** Notes of the sounds, in hertz. `solve`: of the own team, a rising chord. */
const NOTES = {
  solve: [523.25, 659.25, 783.99, 1046.5],
  firstBlood: [659.25, 987.77],
  announcement: [783.99, 659.25],
} as const
const NOTE_S = 0.09
const FADE_S = 0.35
/** Quiet: 1 is the loudest. */
const LOUDNESS = 0.08

let audio: AudioContext | null = null

/** Synthesised, so no file is downloaded. Does nothing in browsers that do not allow it. */
export function play(sound: keyof typeof NOTES): void {
  audio ??= new AudioContext()
  // Suspended until the user has interacted with the page.
  void audio.resume().catch(() => {})
  for (const [at, frequency] of NOTES[sound].entries()) {
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
