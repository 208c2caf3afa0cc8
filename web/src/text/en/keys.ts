import { catalogue } from '../catalogue.ts'

/** Keys of one place, each with what it does. */
export interface KeyMessages {
  readonly name: string
  readonly list: readonly (readonly [keys: string, does: string])[]
}

/** The help on the keyboard. */
export const keysMessages = catalogue('keys', {
  all: {
    name: 'Everywhere',
    list: [
      ['Ctrl+K', 'Go to a page, challenge or team'],
      ['?', 'Show this help'],
      ['F6', 'Go to notifications and back'],
      ['Esc', 'Close the open panel'],
    ],
  },
  challenges: {
    name: 'Challenges',
    list: [
      ['/', 'Search'],
      ['j', 'Next challenge (in the list also ↓)'],
      ['k', 'Previous challenge (in the list also ↑)'],
      ['Enter', 'Open challenge'],
      ['f', 'Go to the flag field'],
      ['c', 'Copy the first connection'],
      ['x', 'Hide solved challenges'],
      ['[', 'Previous tab'],
      [']', 'Next tab'],
      ['Esc', 'Back to the list'],
    ],
  },
  scores: {
    name: 'Scoreboard',
    list: [
      ['/', 'Search teams'],
      ['m', 'Jump to my team'],
      ['g', 'Show or hide the graph'],
      ['v', 'Switch between list and matrix'],
      ['Arrows', 'Move between rows or matrix cells'],
      ['Enter', 'Open row'],
    ],
  },
  organisers: {
    name: 'Organisers',
    list: [
      ['/', 'Search'],
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['Enter', 'Open row'],
      ['x', 'Select row'],
      ['Ctrl+S', 'Save'],
      ['Esc', 'Close the panel'],
    ],
  },
} as Record<'all' | 'challenges' | 'scores' | 'organisers', KeyMessages>)

export type KeysMessages = typeof keysMessages.english
