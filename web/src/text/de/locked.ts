import type { LockedMessages } from '../en/locked.ts'

export const locked: LockedMessages = {
  title: 'Gesperrt',
  about: 'Diese Aufgabe öffnet sich für euer Team, wenn es Folgendes gelöst hat:',
  aboutOthers: 'Diese Aufgabe öffnet sich für euer Team, wenn es andere gelöst hat.',
  solved: 'gelöst',
}
