import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { exitStatus } from './exit-status.ts'
import type { ProcessContext } from './process-context.ts'
import { createProgram, run } from './program.ts'

// What all commands have in common, because scripts rely on it: docs/operate/releases.md

/** Print nothing that a script would read: progress, one value, or a format of its own. */
const WITHOUT_JSON = [
  'serve',
  'demo',
  'migrate',
  'play watch',
  'mcp',
  // One value, alone on standard output.
  'token-key',
  'signing-key',
  // Succeed or fail; the reason is for people.
  'config init',
  'config check',
  'mail test',
  'login',
  'openid-key',
  'logout',
  'challenges export',
  // JSON lines are its default.
  'actions export',
]

function context(lines: string[] = []): ProcessContext {
  const print = (line: string) => void lines.push(line)
  return {
    env: {},
    now: Date.now,
    isTerminal: false,
    print,
    complain: print,
    ask: () => Promise.resolve(null),
    catchSignals: () => new AbortController().signal,
    exit: () => {
      throw new Error('a command exits by its status')
    },
  } as unknown as ProcessContext
}

function leaves(command: Command, path: readonly string[] = []): { name: string; command: Command }[] {
  const { commands } = command
  if (commands.length === 0) return [{ name: path.join(' '), command }]
  return commands.flatMap((inner) => leaves(inner, [...path, inner.name()]))
}

const commands = leaves(createProgram(context()))

test('every command that prints data has --json, with the same meaning', () => {
  const without = commands.filter(({ command }) => !command.options.some(({ long }) => long === '--json'))
  const known = commands.map(({ name }) => name)
  expect(without.map(({ name }) => name).toSorted()).toEqual(
    WITHOUT_JSON.filter((name) => known.includes(name)).toSorted(),
  )
  const meanings = commands.flatMap(({ command }) => command.options.filter(({ long }) => long === '--json'))
  expect(new Set(meanings.map(({ description }) => description))).toEqual(new Set(['print one line of JSON']))
})

test.each(commands)(
  '$name refuses an option that it does not have with the status of wrong usage',
  async (one) => {
    const lines: string[] = []
    const needed = one.command.registeredArguments.map(() => 'x')
    const status = await run([...one.name.split(' '), ...needed, '--no-such-option'], context(lines))
    expect(status).toBe(exitStatus.usage)
    // Required options are checked first.
    expect(lines.join('\n')).toMatch(/--no-such-option|required option/)
  },
)

test('help and the version are a success, an unknown command is wrong usage', async () => {
  expect(await run(['--help'], context())).toBe(exitStatus.done)
  expect(await run(['--version'], context())).toBe(exitStatus.done)
  expect(await run(['no-such-command'], context())).toBe(exitStatus.usage)
})

test('the page lists every status', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operate/command-line.md'), 'utf8')
  const listed = [...page.matchAll(/^\| (\d) {2,}\|/gm)].map(([, status]) => Number(status))
  expect(listed).toEqual(Object.values(exitStatus))
})
