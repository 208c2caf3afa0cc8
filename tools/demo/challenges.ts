import { deflateSync } from 'node:zlib'

// The example contest. Every flag can be found from the challenge's files and texts; there are no
// placeholders.

export interface DemoFile {
  readonly name: string
  readonly bytes: Buffer
}

export interface DemoChallenge {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly author: string
  readonly description: string
  readonly flag: string
  readonly points: { readonly min: number; readonly max: number }
  /** Difficulty for the simulated teams: nearly all solve 1, very few solve 10. */
  readonly difficulty: number
  readonly files: readonly DemoFile[]
  /** Minutes from the start of the demo to the release; by default the challenge is open from the start. */
  readonly opensAfterMinutes?: number
}

const decay = { min: 100, max: 500 }

function text(name: string, content: string): DemoFile {
  return { name, bytes: Buffer.from(content) }
}

function xor(message: string, key: string): Buffer {
  return Buffer.from(Buffer.from(message).map((byte, at) => byte ^ key.charCodeAt(at % key.length)))
}

function caesar(message: string, shift: number): string {
  return message.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + shift) % 26) + 97),
  )
}

/** A one-time pad used twice: the XOR of two lines reveals the pad. */
function twoTimePad(): string {
  const pad = 'correct horse battery staple, said the operator twice'
  const lines = ['attack the northern gate at dawn, bring ropes', 'flag{never_reuse_a_one_time_pad}']
  return lines.map((line) => xor(line, pad).toString('hex')).join('\n') + '\n'
}

/** Textbook RSA with a small exponent and no padding: the cube root is the message. */
function smallExponent(flag: string): string {
  const message = BigInt(`0x${Buffer.from(flag).toString('hex')}`)
  return `e = 3\nn is 2048 bits long, and you do not need it\nc = ${message ** 3n}\n`
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** A picture of a flag on a pole, with a comment that image viewers do not show. */
function postcard(secret: string): Buffer {
  const [width, height] = [96, 64]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3)
    for (let x = 0; x < width; x++) {
      const isPole = x >= 20 && x < 24
      const isFlag = x >= 26 && y >= 10 && Math.abs(y - 24) < (80 - x) / 4
      row.set(isPole ? [238, 241, 247] : isFlag ? [255, 138, 92] : [22, 29, 44], 1 + x * 3)
    }
    return row
  })
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const comment = Buffer.from(`Comment\0${Buffer.from(secret).toString('base64')}`, 'latin1')
  const image = deflateSync(Buffer.concat(rows))
  const chunks = [
    pngChunk('IHDR', header),
    pngChunk('tEXt', comment),
    pngChunk('IDAT', image),
    pngChunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...chunks])
}

/** A web server log in which one client extracts the flag byte by byte from response sizes. */
function accessLog(flag: string): string {
  const lines = Array.from({ length: 240 }, (_, at) => {
    const minute = String(at % 60).padStart(2, '0')
    const letter = at % 7 === 3 ? flag[Math.floor(at / 7)] : undefined
    if (letter === undefined)
      return `10.0.0.${(at * 37) % 200} [02/May 09:${minute}] "GET /index.html" 200 ${4096 + ((at * 131) % 900)}`
    return `10.0.0.66 [02/May 09:${minute}] "GET /leak?at=${Math.floor(at / 7)}" 200 ${letter.charCodeAt(0)}`
  })
  return lines.join('\n') + '\n'
}

const CHECKER = `// Find the password that this accepts; it is the flag.
const want = [${Array.from('flag{stack_machines_are_fun}', (letter, at) => (letter.charCodeAt(0) * 7 + at * 13) % 256).join(', ')}]
const password = process.argv[2] ?? ''
const right = password.length === want.length &&
  [...password].every((letter, at) => (letter.charCodeAt(0) * 7 + at * 13) % 256 === want[at])
console.log(right ? 'welcome' : 'no')
`

const VAULT = `#include <stdio.h>
#include <string.h>
/* The name is copied first, then the check looks at what lies behind it. What do you type? */
struct { char name[16]; unsigned int admin; } session;
int main(void) {
  char line[64];
  if (!fgets(line, sizeof line, stdin)) return 1;
  line[strcspn(line, "\\n")] = 0;
  strcpy(session.name, line);
  puts(session.admin == 0x61676c66 ? "flag{" "sixteen_bytes_and_four_more" "}" : "hello");
  return 0;
}
`

export const demoChallenges: readonly DemoChallenge[] = [
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
  },
  {
    id: 'salad',
    name: 'Salad bar',
    category: 'crypto',
    author: 'mara',
    description: 'A recipe from Rome. **Which number did the cook like?**',
    flag: 'flag{et_tu_brute_force}',
    points: decay,
    difficulty: 2,
    files: [text('recipe.txt', caesar('dear guest, the dressing is flag{et_tu_brute_force}, enjoy\n', 11))],
  },
  {
    id: 'two-time-pad',
    name: 'Two time pad',
    category: 'crypto',
    author: 'mara',
    description:
      'Two intercepted lines, one lazy operator. The first line begins with `attack the northern gate`.',
    flag: 'flag{never_reuse_a_one_time_pad}',
    points: decay,
    difficulty: 5,
    files: [text('intercepted.txt', twoTimePad())],
  },
  {
    id: 'small-e',
    name: 'Small e, big mistake',
    category: 'crypto',
    author: 'mara',
    description: 'They said three was enough.',
    flag: 'flag{cube_roots_need_no_key}',
    points: decay,
    difficulty: 6,
    files: [text('message.txt', smallExponent('flag{cube_roots_need_no_key}'))],
  },
  {
    id: 'postcard',
    name: 'Postcard',
    category: 'forensics',
    author: 'jo',
    description: 'Pretty picture. Is there more in the file than in the frame?',
    flag: 'flag{pictures_have_pockets}',
    points: decay,
    difficulty: 3,
    files: [{ name: 'postcard.png', bytes: postcard('flag{pictures_have_pockets}') }],
  },
  {
    id: 'slow-leak',
    name: 'Slow leak',
    category: 'forensics',
    author: 'jo',
    description: 'Somebody was very patient that morning. What did they carry away?',
    flag: 'flag{one_byte_at_a_time}',
    points: decay,
    difficulty: 4,
    files: [text('access.log', accessLog('flag{one_byte_at_a_time}'))],
  },
  {
    id: 'doorkeeper',
    name: 'Doorkeeper',
    category: 'rev',
    author: 'tove',
    description: 'Runs with any Node.js: `node doorkeeper.js <password>`.',
    flag: 'flag{stack_machines_are_fun}',
    points: decay,
    difficulty: 4,
    files: [text('doorkeeper.js', CHECKER)],
  },
  {
    id: 'vault',
    name: 'Vault',
    category: 'pwn',
    author: 'tove',
    description: 'Read the source, then say what the program would print for the right line.',
    flag: 'flag{sixteen_bytes_and_four_more}',
    points: decay,
    difficulty: 7,
    files: [text('vault.c', VAULT)],
  },
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
    id: 'map-room',
    name: 'Map room',
    category: 'misc',
    author: 'crew',
    description: 'Start at the top left. `R` is right, `D` is down. Read what you walk over.',
    flag: 'flag{down}',
    points: decay,
    difficulty: 5,
    files: [text('map.txt', 'flxx\nxagx\nxx{d\nxxxo\nxxxw\nxxxn\nxxx}\nRDRDRDDDD\n')],
    opensAfterMinutes: 3,
  },
  {
    id: 'last-lock',
    name: 'The last lock',
    category: 'crypto',
    author: 'mara',
    description: 'A repeating key of six letters, and you know how every flag begins.',
    flag: 'flag{known_plaintext_opens_doors}',
    points: decay,
    difficulty: 8,
    files: [text('lock.hex', `${xor('flag{known_plaintext_opens_doors}', 'banner').toString('hex')}\n`)],
    opensAfterMinutes: 6,
  },
]
