import { decay, text, xor, type DemoChallenge } from './challenge.ts'

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

function numberOf(message: string): bigint {
  return BigInt(`0x${Buffer.from(message).toString('hex')}`)
}

/** Textbook RSA with a small exponent and no padding: the cube root is the message. */
function smallExponent(flag: string): string {
  return `e = 3\nn is 2048 bits long, and you do not need it\nc = ${numberOf(flag) ** 3n}\n`
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (let left = exponent, square = base % modulus; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

const mersenne = (bits: bigint) => (1n << bits) - 1n

/** Two moduli with a common prime: one greatest common divisor factors both. */
function sharedFactor(flag: string): string {
  const moduli = [mersenne(607n) * mersenne(521n), mersenne(607n) * mersenne(1279n)]
  const lines = moduli.map((n, at) => `n${at + 1} = ${n}\nc${at + 1} = ${power(numberOf(flag), 65537n, n)}`)
  return `e = 65537\n${lines.join('\n')}\n`
}

/** A keystream from a linear congruential generator with a 16-bit seed. */
function luckyNumbers(flag: string): string {
  let state = 48_611
  const bytes = Buffer.from(flag).map((byte) => {
    state = (state * 75 + 74) % 65_537
    return byte ^ (state & 0xff)
  })
  return Buffer.from(bytes).toString('hex')
}

const LOTTERY = `// Encrypts our letters. The seed is the time of day in seconds, so nobody can guess it.
const [message, time] = process.argv.slice(2)
let state = Number(time) % 65536
const bytes = Buffer.from(message).map((byte) => {
  state = (state * 75 + 74) % 65537
  return byte ^ (state & 0xff)
})
console.log(Buffer.from(bytes).toString('hex'))
`

export const cryptoChallenges: readonly DemoChallenge[] = [
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
    tags: ['beginner'],
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
    opensAfterHours: 6,
    files: [text('message.txt', smallExponent('flag{cube_roots_need_no_key}'))],
  },
  {
    id: 'lottery',
    name: 'Lottery machine',
    category: 'crypto',
    author: 'mara',
    description:
      'The harbour office encrypts its letters with a program of its own. This letter came to `' +
      `${luckyNumbers('flag{sixteen_bits_of_luck}')}\`.`,
    flag: 'flag{sixteen_bits_of_luck}',
    points: decay,
    difficulty: 8,
    opensAfterHours: 12,
    files: [text('lottery.js', LOTTERY)],
  },
  {
    id: 'last-lock',
    name: 'The last lock',
    category: 'crypto',
    author: 'mara',
    description: 'A repeating key of six letters, and you know how every flag begins.',
    flag: 'flag{known_plaintext_opens_doors}',
    points: decay,
    difficulty: 4,
    files: [text('lock.hex', `${xor('flag{known_plaintext_opens_doors}', 'banner').toString('hex')}\n`)],
  },
  {
    id: 'twins',
    name: 'Twins at the registry',
    category: 'crypto',
    author: 'ines',
    description:
      'Two certificates from the same machine, issued minutes after its first boot. Both protect the same message.',
    flag: 'flag{entropy_comes_with_age}',
    points: { min: 150, max: 500 },
    difficulty: 9.5,
    files: [text('registry.txt', sharedFactor('flag{entropy_comes_with_age}'))],
    opensAfterHours: 36,
  },
]
