import { decay, text, type DemoChallenge } from './challenge.ts'

const MORSE: Readonly<Record<string, string>> = {
  a: '.-',
  e: '.',
  g: '--.',
  h: '....',
  i: '..',
  l: '.-..',
  n: '-.',
  o: '---',
  s: '...',
  t: '-',
  u: '..-',
}

function morse(words: string): string {
  return words.replace(/[a-z]/g, (letter) => `${MORSE[letter] ?? ''} `).replaceAll('_', '/ ')
}

/** Hides bits as zero-width characters between the words of a text. */
function fog(visible: string, secret: string): string {
  const bits = Array.from(Buffer.from(secret), (byte) => byte.toString(2).padStart(8, '0')).join('')
  const hidden = Array.from(bits, (bit) => (bit === '1' ? '\u200d' : '\u200b')).join('')
  const at = visible.indexOf(' ')
  return visible.slice(0, at) + hidden + visible.slice(at)
}

const FLIGHTS = `day  from  to    remark
1    ESSA  EDDH  rain
2    EDDH  EHAM  rain
3    EHAM  LIRF  at last, sun
4    LIRF  ENBR  rain
5    ENBR  ENGM  short hop
6    ENGM  ESNU  snow
7    ESNU  EVRA  home

What did she spell on her way home? Read where she landed.
`

export const puzzleChallenges: readonly DemoChallenge[] = [
  {
    id: 'welcome',
    name: 'Raise your flag',
    category: 'sanity',
    author: 'crew',
    description: 'Every contest starts somewhere. The flag is `flag{welcome_aboard}`.',
    flag: 'flag{welcome_aboard}',
    points: { min: 50, max: 50 },
    difficulty: 1,
    files: [],
    tags: ['beginner'],
  },
  {
    id: 'map-room',
    name: 'Map room',
    category: 'misc',
    author: 'crew',
    description: 'Start at the top left. `R` is right, `D` is down. Read what you walk over.',
    flag: 'flag{down}',
    points: decay,
    difficulty: 3,
    files: [text('map.txt', 'flxx\nxagx\nxx{d\nxxxo\nxxxw\nxxxn\nxxx}\nRDRDRDDDD\n')],
  },
  {
    id: 'fog-bank',
    name: 'Fog bank',
    category: 'misc',
    author: 'crew',
    description: 'One sentence about the weather. It weighs more than it should.',
    flag: 'flag{zero_width_is_not_zero_bytes}',
    points: decay,
    difficulty: 6,
    files: [
      text('weather.txt', `${fog('Dense fog over the harbour.', 'flag{zero_width_is_not_zero_bytes}')}\n`),
    ],
    opensAfterHours: 6,
  },
  {
    id: 'signal-lamp',
    name: 'Signal lamp',
    category: 'misc',
    author: 'jo',
    description:
      'Long and short flashes from the lighthouse, noted down by a patient child.\n\nThe flag is `flag{…}` with underscores between the words, in lower case.',
    flag: 'flag{a_light_at_one_is_not_enough}',
    points: decay,
    difficulty: 2,
    opensAfterHours: 12,
    files: [text('flashes.txt', `${morse('a_light_at_one_is_not_enough')}\n`)],
    tags: ['beginner'],
  },
  {
    id: 'library-card',
    name: 'Library card',
    category: 'osint',
    author: 'noor',
    description:
      'The borrower returned one book late: `978-0-13-110362-7`.\n\nWho wrote it? The flag is `flag{surname_surname}` in lower case, in the order of the cover.',
    flag: 'flag{kernighan_ritchie}',
    points: decay,
    difficulty: 2,
    files: [],
    tags: ['beginner'],
  },
  {
    id: 'frequent-flyer',
    name: 'Frequent flyer',
    category: 'osint',
    author: 'noor',
    description:
      'A pilot likes puzzles more than sunshine.\n\nThe flag is `flag{word}` in lower case, one letter for each city that she landed in.',
    flag: 'flag{harbour}',
    points: decay,
    difficulty: 4,
    files: [text('logbook.txt', FLIGHTS)],
  },
  {
    id: 'old-charts',
    name: 'Old charts',
    category: 'osint',
    author: 'noor',
    description:
      'Pilots trust old paper. Which RFC defines revision 2 of the Trivial File Transfer Protocol, and in which month of ' +
      '1992 was it published?\n\nThe flag is `flag{number_month}`, the month in lower case.',
    flag: 'flag{1350_july}',
    points: decay,
    difficulty: 3,
    files: [],
    opensAfterHours: 24,
  },
]
