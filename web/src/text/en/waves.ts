import { catalogue } from '../catalogue.ts'

export const wavesMessages = catalogue('waves', {
  next: (name: string) => `Next challenges: ${name}`,
  opens: 'Opens',
})

export type WavesMessages = typeof wavesMessages.english
