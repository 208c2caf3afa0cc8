import { decay, text, type DemoChallenge } from './challenge.ts'

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

const INTERPRETER = `// A machine with a stack. Ops: [0, n] pushes n; [1] adds; [2] exclusive or; [3] prints a character; [4, n] repeats the top n times.
const program = JSON.parse(require('node:fs').readFileSync('program.json', 'utf8'))
const stack = []
let output = ''
for (const [op, n] of program) {
  if (op === 0) stack.push(n)
  else if (op === 1) stack.push(stack.pop() + stack.pop())
  else if (op === 2) stack.push(stack.pop() ^ stack.pop())
  else if (op === 3) output += String.fromCharCode(stack.pop())
  else while (true) stack.push(n) // Jammed here. Somebody must repair it.
}
console.log(output)
`

/** Prints the flag on a stack machine, with a broken instruction before every fifth character. */
function printingProgram(flag: string): string {
  const steps = Array.from(flag, (letter, at) => {
    const key = (at * 29 + 17) % 128
    const print = [[0, letter.charCodeAt(0) ^ key], [0, key], [2], [3]]
    return at % 5 === 0 ? [[4, at], ...print] : print
  })
  return `${JSON.stringify(steps.flat())}\n`
}

/** What a program prints for a row of %p: 64-bit words of its stack, little-endian. */
function leakedWords(flag: string): string {
  const bytes = Buffer.concat([Buffer.from(flag), Buffer.alloc(8)])
  const words = Array.from(
    { length: Math.ceil(flag.length / 8) },
    (_, at) => `0x${bytes.readBigUInt64LE(at * 8).toString(16)}`,
  )
  return ['0x7ffd3c1a9b40', '(nil)', '0x7f0e5b2c4a17', ...words, '0x55d0c1f7e2ab'].join(' ')
}

export const codeChallenges: readonly DemoChallenge[] = [
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
    id: 'printing-press',
    name: 'Printing press',
    category: 'rev',
    author: 'tove',
    description: 'This printing machine stops at the first page. The plates are fine, says the printer.',
    flag: 'flag{repair_the_interpreter_first}',
    points: decay,
    difficulty: 6,
    opensAfterHours: 12,
    files: [
      text('press.js', INTERPRETER),
      text('program.json', printingProgram('flag{repair_the_interpreter_first}')),
    ],
  },
  {
    id: 'vault',
    name: 'Vault',
    category: 'pwn',
    author: 'tove',
    description: 'Read the source, then say what the program would print for the right line.',
    flag: 'flag{sixteen_bytes_and_four_more}',
    points: decay,
    difficulty: 5,
    opensAfterHours: 6,
    files: [text('vault.c', VAULT)],
  },
  {
    id: 'parrot',
    name: 'Parrot',
    category: 'pwn',
    author: 'tove',
    description:
      'A colleague typed `%p %p %p …` into the parrot program and went on holiday. The parrot had a secret on its stack.',
    flag: 'flag{parrots_repeat_everything}',
    points: { min: 150, max: 500 },
    difficulty: 8.5,
    opensAfterHours: 12,
    files: [text('parrot.txt', `parrot> ${leakedWords('flag{parrots_repeat_everything}')}\n`)],
  },
]
