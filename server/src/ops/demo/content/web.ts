import { createHmac } from 'node:crypto'
import { decay, text, type DemoChallenge } from './challenge.ts'

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signed token whose secret is one of the words in the list. */
function signedToken(secret: string): string {
  const body = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ user: 'guest', role: 'visitor' })}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}\n`
}

const WORDS =
  'anchor ballast bowline bulkhead capstan davit fairlead gunwale halyard jetty keelson lanyard lighter'
    .concat(
      ' mainsail mooring painter quarterdeck rigging scupper sextant spinnaker topgallant transom windlass',
    )
    .split(' ')

/** A source map that still contains the original file. */
const SOURCE_MAP = JSON.stringify({
  version: 3,
  sources: ['../src/tides.ts'],
  names: [],
  mappings: 'AAAA',
  sourcesContent: [
    `// TODO: remove before the release\nconst staffRoom = '${Buffer.from('flag{maps_show_the_way_back}').toString('base64')}'\nexport const tide = (hour: number) => Math.sin(hour / 2)\n`,
  ],
})

export const webChallenges: readonly DemoChallenge[] = [
  {
    id: 'cookie-jar',
    name: 'Cookie jar',
    category: 'web',
    author: 'sam',
    description:
      'The session cookie of an admin, as a colleague pasted it into a ticket. Whose session is it?',
    flag: 'flag{base64_is_not_encryption}',
    points: decay,
    difficulty: 2,
    files: [
      text(
        'ticket.txt',
        `Cookie: session=${Buffer.from('{"user":"admin","note":"flag{base64_is_not_encryption}"}').toString('base64')}\n`,
      ),
    ],
    tags: ['beginner'],
  },
  {
    id: 'robots',
    name: 'Polite robots',
    category: 'web',
    author: 'sam',
    description: 'A saved site. Robots were asked not to look at one page.',
    flag: 'flag{robots_read_the_rules}',
    points: decay,
    difficulty: 3,
    files: [
      text('robots.txt', 'User-agent: *\nDisallow: /attic-7f3a.html\n'),
      text(
        'attic-7f3a.html',
        `<!doctype html><title>Attic</title><p hidden>${Buffer.from('flag{robots_read_the_rules}').toString('hex')}</p>\n`,
      ),
    ],
  },
  {
    id: 'tide-tables',
    name: 'Tide tables',
    category: 'web',
    author: 'sam',
    description: 'The tide service ships one line of JavaScript. The build left something beside it.',
    flag: 'flag{maps_show_the_way_back}',
    points: decay,
    difficulty: 4,
    opensAfterHours: 6,
    files: [
      text('tides.js', 'export const tide=t=>Math.sin(t/2);\n//# sourceMappingURL=tides.js.map\n'),
      text('tides.js.map', `${SOURCE_MAP}\n`),
    ],
  },
  {
    id: 'crew-pass',
    name: 'Crew pass',
    category: 'web',
    author: 'ines',
    description:
      'Every visitor gets a pass like this one. Its signature is only as good as the word behind it.\n\nThe flag is `flag{word}` with that word.',
    flag: 'flag{quarterdeck}',
    points: decay,
    difficulty: 6,
    opensAfterHours: 12,
    files: [text('pass.jwt', signedToken('quarterdeck')), text('words.txt', `${WORDS.join('\n')}\n`)],
  },
]
