import { deflateSync } from 'node:zlib'
import { decay, text, type DemoChallenge } from './challenge.ts'

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

/** Name server queries of an office; one machine asks for hexadecimal host names. */
function nameQueries(flag: string): string {
  const hex = Buffer.from(flag).toString('hex')
  const pieces = Array.from({ length: Math.ceil(hex.length / 8) }, (_, at) => hex.slice(at * 8, at * 8 + 8))
  const usual = ['www.harbour.example', 'mail.harbour.example', 'time.harbour.example', 'cdn.tides.example']
  const lines = pieces.flatMap((piece, at) => [
    `03:${String(at + 10).padStart(2, '0')}:07 10.4.0.${(at * 23) % 90} A ${usual[at % usual.length]}`,
    `03:${String(at + 10).padStart(2, '0')}:31 10.4.0.77 TXT ${at}.${piece}.sync.gulls.example`,
  ])
  return `${lines.join('\n')}\n`
}

/** A loose object of a Git repository: a deflated blob. */
function looseObject(content: string): Buffer {
  return deflateSync(Buffer.from(`blob ${Buffer.byteLength(content)}\0${content}`))
}

export const forensicsChallenges: readonly DemoChallenge[] = [
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
    tags: ['beginner'],
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
    opensAfterHours: 6,
    files: [text('access.log', accessLog('flag{one_byte_at_a_time}'))],
  },
  {
    id: 'loose-object',
    name: 'Loose object',
    category: 'forensics',
    author: 'jo',
    description:
      'The repository is gone, but one file of `.git/objects` survived on a USB stick.\n\nNo extension, no header you know.',
    flag: 'flag{git_never_forgets}',
    points: decay,
    difficulty: 5,
    files: [
      {
        name: '3f9c1d',
        bytes: looseObject('# Deployment notes\n\nDo not commit this: flag{git_never_forgets}\n'),
      },
    ],
  },
  {
    id: 'night-shift',
    name: 'Night shift',
    category: 'forensics',
    author: 'ines',
    description:
      'Nobody works at three in the morning. One machine still asks the name server many questions.',
    flag: 'flag{dns_is_a_two_way_street}',
    points: { min: 150, max: 500 },
    difficulty: 8,
    files: [text('queries.log', nameQueries('flag{dns_is_a_two_way_street}'))],
    opensAfterHours: 36,
  },
]
