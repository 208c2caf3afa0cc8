import { HOUR_MS } from '@pennant/contract/durations.ts'
import type { MockChallenge } from './world.ts'

// One challenge per line: category, difficulty (1 to 10), author, name. The id is the name in lower case.
const LINES = `
sanity 1 crew|Raise Your Flag
sanity 1 crew|Rules of the Harbour
web 2 三浦|Lighthouse
web 4 三浦|Cookie Jar
web 6 ada|Template of Doom
web 8 ada|Same Site, Different Day
web 3 ada|Guest Book
crypto 3 مريم|Tide Table
crypto 5 مريم|Two Time Pad
crypto 7 مريم|Lattice Work
crypto 9 mara|Isogeny Ferry
pwn 4 Ольга|Bilge Pump
pwn 6 Ольга|House of Kelp
pwn 9 Ольга|Kraken in the Kernel
pwn 7 Ольга|Format Reef
rev 3 sam|Stack Machine
rev 5 sam|Message in a Bottle, Written by a Compiler That Nobody Has Maintained Since 1987
rev 8 sam|Obfuscated Anchor
rev 6 sam|WebAssembly Tide
forensics 2 noor|Postcards
forensics 4 noor|Disk in the Drawer
forensics 7 noor|Memory of Water
osint 2 lea|Where Was I?
osint 5 lea|The Other Pier
osint 6 lea|Ship Spotter
misc 3 kit|Signal Lamps
misc 5 kit|Jail of Rope
misc 7 kit|Regex Regatta
blockchain 6 tomo|Sunken Treasury
blockchain 8 tomo|Reentry Permit
hardware 5 ines|Radio Silence
hardware 8 ines|Glitched Buoy
ppc 4 ravi|Knots
ppc 6 ravi|Harbour Scheduling
mobile 5 yuki|Pocket Compass
mobile 7 yuki|Deep Link Sea
cloud 4 femi|Bucket Brigade
cloud 7 femi|Metadata Mist
koth 5 crew|King of the Pier
ad 6 crew|Battle of the Sound
radio 4 ines|Number Station
misc 10 kit|Unsolved Cargo
web 5 三浦|Two Doors
`

const STORE = '/uploads/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const LIVES_MS = 1_800_000

const BOT_CODE = `import type { Page } from 'pennant-bot'

export const inputs = { url: { pattern: '^https?://' } }

export async function visit(page: Page, { url }: { url: string }) {
  await page.goto(url)
}
`

const LONG = `The harbour master keeps a *guest book* and reads every entry herself.

> [!CONNECTION]
> nc guest-book.harbour.example 31337
> https://guest-book.harbour.example

> [!WARNING]
> The visitor has a cookie. She does not share it.

| Header | Value |
| --- | --- |
| \`server\` | \`harbour/1.4\` |
| \`x-long-header-without-any-break\` | \`aGFyYm91ci1oYXJib3VyLWhhcmJvdXItaGFyYm91ci1oYXJib3VyLWhhcmJvdXItaGFyYm91cg==\` |

\`\`\`python
from pwn import remote

io = remote("guest-book.harbour.example", 31337)
io.sendlineafter(b"name: ", b"A" * 64 + b"a comment that is wider than the column it stands in")
\`\`\`

1. Sign the book.
2. Watch the tide: <timer/>.
`

// Properties of single challenges that differ from the defaults.
const SPECIAL: Readonly<Record<string, Partial<MockChallenge>>> = {
  'tide-table': {
    flag: 'flag{the_moon_is_a_weak_key}',
    description: 'The harbour master encrypts *twice*.\n\n> [!NOTE]\n> Both times with the same key.',
  },
  lighthouse: {
    name: 'Lighthouse <img src=x onerror=alert(1)>',
    description: 'It blinks.\n\n<script>alert(1)</script>\n\n> [!WARNING]\n> Do not look into the light.',
  },
  'guest-book': {
    description: LONG,
    instancerConfig: instance('guest-book', { extendable: true }),
    adminBotConfig: {
      code: BOT_CODE,
      inputs: { url: { pattern: '^https?://' } },
      revision: 'c0ffee42',
      timeoutMilliseconds: 30_000,
      requireInstancerInstancesRunning: false,
    },
    files: [
      { name: 'guest-book.tar.gz', url: `${STORE}/guest-book.tar.gz`, size: 48_213 },
      {
        name: 'notes-of-the-harbour-master-1987-with-a-long-name.pdf',
        url: `${STORE}/notes.pdf`,
        size: null,
      },
    ],
  },
  'bilge-pump': {
    description: 'Water comes in `0x40` bytes at a time.',
    instancerConfig: instance('bilge-pump', { extendable: false }),
    files: [{ name: 'pump', url: `${STORE}/pump`, size: 17_408 }],
  },
  'number-station': { instancerConfig: instance('number-station', { extendable: true }) },
  'king-of-the-pier': dynamic('king-of-the-pier'),
  'battle-of-the-sound': dynamic('battle-of-the-sound'),
}

function instance(id: string, { extendable }: { readonly extendable: boolean }) {
  return {
    challengeIntegrationId: id,
    config: { image: `registry.harbour.example/${id}:7`, memory: 128, environment: { DEPTH: '40' } },
    expose: [
      {
        kind: 'tcp' as const,
        hostPrefix: id,
        containerName: 'main',
        containerPort: 31_337,
        shouldDisplay: true,
        title: 'Door',
      },
    ],
    timeoutMilliseconds: LIVES_MS,
    extendable,
  }
}

function dynamic(id: string): Partial<MockChallenge> {
  const secret = `hook-${id}`
  return {
    flag: '',
    flags: [],
    scoring: { kind: 'dynamic', source: { transport: 'webhook', secret } },
    description: 'Hold the hill. **Scored live**, each minute.',
  }
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Difficulty by challenge id: nearly all teams solve 1, nobody solves 10. */
export const difficulties: ReadonlyMap<string, number> = new Map(
  lines().map(({ name, difficulty }) => [slugOf(name), difficulty]),
)

function lines() {
  return LINES.trim()
    .split('\n')
    .map((line) => {
      const [head = '', name = ''] = line.split('|')
      const [category = '', difficulty = '', author = ''] = head.split(' ')
      return { category, difficulty: Number(difficulty), author, name }
    })
}

/** The contest's challenges, two hidden ones and one that is not released yet. */
export function makeChallenges(now: number): MockChallenge[] {
  const shown = lines().map(({ category, author, name, difficulty }, index) =>
    challenge({ id: slugOf(name), name, category, author, difficulty, sortWeight: index }),
  )
  const usual = { author: 'crew', difficulty: 5, sortWeight: null }
  return [
    ...shown,
    {
      ...challenge({ ...usual, id: 'misc-draft', name: 'Draft', category: 'misc' }),
      hidden: true,
      flag: '',
      flags: [],
    },
    { ...challenge({ ...usual, id: 'web-spare', name: 'Spare Sail', category: 'web' }), hidden: true },
    {
      ...challenge({ ...usual, id: 'rev-night-watch', name: 'Night Watch', category: 'rev' }),
      releaseTime: now + 2 * HOUR_MS,
      waveId: 'wave-1',
    },
  ]
}

interface Line {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly author: string
  readonly difficulty: number
  readonly sortWeight: number | null
}

export function challenge({ difficulty, ...named }: Line): MockChallenge {
  const flag = `flag{${named.id.replaceAll('-', '_')}}`
  const special = SPECIAL[named.id] ?? {}
  return {
    description: `Something about ${named.category}. The flag has the usual form.`,
    files: [],
    points: difficulty === 1 ? { min: 50, max: 50 } : { min: 100, max: 500 },
    flag,
    flags: [{ provider: 'flags/static', config: { flag: special.flag ?? flag } }],
    tiebreakEligible: difficulty > 1,
    ...(difficulty === 1 && { tiebreakChoice: false }),
    instancerConfig: null,
    adminBotConfig: null,
    hidden: false,
    releaseTime: null,
    scoring: { kind: 'decay' },
    tags: [],
    ...named,
    ...special,
  }
}
