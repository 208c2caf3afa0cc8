import type { WavesMessages } from '../en/waves.ts'

export const waves: WavesMessages = {
  next: (name) => `Nächste Aufgaben: ${name}`,
  opens: 'Ab',
  count: (count, text) => (count === 1 ? '1 Aufgabe' : `${text} Aufgaben`),
}
