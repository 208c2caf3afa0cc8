import { catalogue } from '../catalogue.ts'

export const lockedMessages = catalogue('locked', {
  title: 'Locked',
  about: 'This challenge opens for your team after it has solved:',
  aboutOthers: 'This challenge opens for your team after it has solved others.',
  solved: 'solved',
})

export type LockedMessages = typeof lockedMessages.english
