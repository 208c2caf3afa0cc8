import { catalogue } from '../catalogue.ts'

const teams = (count: number, shown: string) => `${shown} ${count === 1 ? 'team' : 'teams'}`

export const adminHintsMessages = catalogue('adminHints', {
  none: 'No hints yet. Players see a hint once it is released.',
  hint: (number: number) => `Hint ${number}`,
  free: 'Free',
  points: (count: number, shown: string) => `${shown} ${count === 1 ? 'point' : 'points'}`,
  waits: 'Waits for you to release it',
  releasedAt: (time: string) => `Released ${time}`,
  releasesAt: (time: string) => `Released at ${time}`,
  bought: (count: number, shown: string) => `Bought by ${teams(count, shown)}`,
  release: 'Release now',
  released: 'The hint is released.',
  withdraw: 'Withdraw',
  withdrawTitle: 'Withdraw this hint?',
  withdrawAbout: 'Players no longer see it until you release it again.',
  withdrawKept: (count: number, shown: string) =>
    `${teams(count, shown)} bought it and can still read it. To give the points back, delete the hint.`,
  withdrawn: 'The hint is withdrawn.',
  moveUp: 'Move up',
  deleteTitle: (number: number) => `Delete hint ${number}?`,
  deleteAbout: 'No team has bought it.',
  deleteAndRefund: 'Delete and refund',
  refundAbout: (count: number, shown: string) =>
    `${teams(count, shown)} bought it. They get their points back and can no longer read it.`,
  deleted: 'The hint was deleted.',
  add: 'Add hint',
  form: 'Hint',
  textHelp: 'Markdown. Teams that bought the hint see changes too.',
  price: 'Price in points',
  priceHelp: '0: free. A changed price does not change what teams have paid.',
  when: 'Release',
  kinds: { manual: 'By hand', time: 'At a time', after: 'Some time after the challenge' },
  minutes: 'Minutes after the challenge',
  minutesHelp:
    'Counts from the start of the event if the challenge has no later release. Moves with its wave.',
  incomplete: 'Fill in text, price and release.',
  save: 'Save hint',
})

export type AdminHintsMessages = typeof adminHintsMessages.english
