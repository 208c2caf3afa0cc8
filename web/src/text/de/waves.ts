import type { WavesMessages } from '../en/waves.ts'

export const waves: WavesMessages = {
  next: (name) => `Nächste Aufgaben: ${name}`,
  opens: 'Ab',
}
