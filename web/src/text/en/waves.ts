import { catalogue } from '../catalogue.ts'

export const wavesMessages = catalogue('waves', {
  next: (name: string) => `Next challenges: ${name}`,
  opens: 'Opens',
  count: (count: number, text: string) => (count === 1 ? '1 challenge' : `${text} challenges`),
})

export type WavesMessages = typeof wavesMessages.english
