import { catalogue } from '../catalogue.ts'

const points = (count: number, shown: string) => `${shown} ${count === 1 ? 'point' : 'points'}`

export const hintsMessages = catalogue('hints', {
  title: 'Hints',
  count: (count: number) => (count === 1 ? '1 hint' : `${count} hints`),
  hint: (number: number) => `Hint ${number}`,
  failed: 'The hints could not be loaded. They appear when the connection is back.',
  show: (price: number, shown: string) => `Show hint for ${points(price, shown)}`,
  paid: (price: number, shown: string) => `bought for ${points(price, shown)}`,
  signIn: (price: number, shown: string) => `Sign in to buy this hint for ${points(price, shown)}`,
  solved: 'Your team has solved the challenge. This hint is no longer for sale.',
  tooFew: (price: number, shown: string) => `Your team does not have ${points(price, shown)}.`,
  askTitle: (number: number) => `Buy hint ${number}?`,
  askAbout: (price: number, shown: string) =>
    `It costs your team ${points(price, shown)}, once. All members can read it afterwards.`,
  left: (left: number, shown: string) => `${points(left, shown)} remain.`,
  priceChanged: (price: number, shown: string) =>
    `The price has changed to ${points(price, shown)}. Nothing was charged.`,
})

export type HintsMessages = typeof hintsMessages.english
