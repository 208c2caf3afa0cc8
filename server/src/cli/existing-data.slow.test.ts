import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test, vi } from 'vitest'
import { createEmptyDatabase, openTestDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { runProgram } from '../../test/program.ts'
import { asAdmin } from '../../test/database-admin.ts'
import type { ProcessContext } from './process-context.ts'
import { createProgram } from './program.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Commands of a server that has run, with arguments that get as far as the database. */
const EXISTING: Readonly<Record<string, readonly string[]>> = {
  'admin list': [],
  'admin promote': ['boss@pennant.invalid'],
  'admin demote': ['boss@pennant.invalid'],
  'admin sign-out': ['boss@pennant.invalid'],
  'admin link': ['boss@pennant.invalid'],
  'actions export': [],
  'token-key': ['--accept'],
  'openid-key': [],
  verify: [],
  backup: [],
  doctor: [],
}

/** These create what is missing, or need no database. */
const OTHERS = [
  'serve, demo, migrate, restore, import rctf, import ctfd, admin create, team create, team import',
  'mail test, config init, config check, config print, config keys, signing-key, selftest, login, logout',
  'play event, play page, play challenges, play show, play files, play submit, play hint, play instance, play start',
  'play extend, play stop, play bot, play bot-jobs, play standing, play scoreboard, play announcements',
  'play questions, play ask, play watch, mcp',
  'challenges plan, challenges apply, challenges diff, challenges check, challenges export',
].flatMap((names) => names.split(', '))

function leaves(command: Command, names: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [names.join(' ')]
  return command.commands.flatMap((each) => leaves(each, [...names, each.name()]))
}

test('every command is known here', () => {
  expect(leaves(createProgram({} as ProcessContext)).toSorted()).toEqual(
    [...Object.keys(EXISTING), ...OTHERS].toSorted(),
  )
})

const runs = Object.entries(EXISTING).map(([name, args]) => ({ name, args: [...name.split(' '), ...args] }))

describe('in a folder without data', () => {
  test.each(runs)('$name names the folder and creates nothing', async ({ args }) => {
    await using folder = await temporaryFolder()
    const { status, output, complaints } = await runProgram(args, {}, folder.path)
    expect(status).toBe(1)
    expect(output + complaints).toContain(
      `the data folder ${join(folder.path, 'data')} (the default of \`dataDir\`) was never created. Nothing was created.`,
    )
    expect(await readdir(folder.path)).toEqual([])
  })
})

describe('in an empty database', () => {
  const needsTables = runs.filter(({ name }) => name !== 'doctor')
  test.each(needsTables)('$name names the database and creates nothing', async ({ args }) => {
    await using empty = await createEmptyDatabase()
    await using folder = await temporaryFolder()
    const key = Buffer.alloc(32, 7).toString('base64')
    const env = { DATABASE_URL: empty.url, PENNANT_DATA_DIR: folder.path, PENNANT_TOKEN_KEY: key }
    const { status, complaints } = await runProgram(args, env)
    expect(status).toBe(1)
    const { pathname, hostname } = new URL(empty.url)
    expect(complaints).toMatch(
      new RegExp(
        `no tables of Pennant in the database ${pathname.slice(1)} at ${hostname}.*\`database\` in the environment`,
      ),
    )
    expect(await readdir(folder.path)).toEqual([])
    // Fails if the table exists.
    await asAdmin(empty.url, 'create table migrations ()')
  })
})

test('a command that issues tokens refuses to make up a token key', async () => {
  await using db = await openTestDatabase()
  await using folder = await temporaryFolder()
  const env = { DATABASE_URL: db.url, PENNANT_DATA_DIR: folder.path }
  const { status, complaints } = await runProgram(['admin', 'sign-out', 'boss@pennant.invalid'], env)
  expect(status).toBe(1)
  expect(complaints).toContain(`there is no file ${join(folder.path, 'token-key')}`)
  expect(await runProgram(['admin', 'list'], env)).toMatchObject({
    status: 0,
    output: 'No team has permissions.\n',
  })
  expect(await readdir(folder.path)).toEqual([])
})
