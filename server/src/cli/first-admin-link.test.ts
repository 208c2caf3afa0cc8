import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/folder.ts'
import { recordLog } from '../../test/log.ts'
import { LINK_FILE, showFirstAdminLink } from './first-admin-link.ts'

const link = 'https://ctf.example/verify?token=secret'

async function show(dataDir: string, { isTerminal = false, address = link as string | null } = {}) {
  const { log, lines } = recordLog()
  const printed: string[] = []
  const said: string[] = []
  const greeting = { config: { dataDir }, log, say: (line: string) => void said.push(line) }
  await showFirstAdminLink(address, greeting, { isTerminal, print: (line) => void printed.push(line) })
  return { printed, said, logged: JSON.stringify(lines) }
}

test('prints the link to a terminal and writes no file', async () => {
  await using folder = await temporaryFolder()
  await show(folder.path)
  const { printed, said } = await show(folder.path, { isTerminal: true })
  expect(printed).toEqual([
    `There is no admin yet. To create the first one, open this link (it works once): ${link}`,
  ])
  expect(said).toEqual([])
  expect(await readdir(folder.path)).toEqual([])
})

test('writes the link to a private file, replacing the previous one, if the output is not a terminal', async () => {
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const path = join(dataDir, LINK_FILE)
  await mkdir(dataDir)
  await writeFile(path, 'an earlier link', { mode: 0o644 })
  const { printed, said, logged } = await show(dataDir)
  expect(await readFile(path, 'utf8')).toBe(`${link}\n`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(said).toEqual([
    `There is no admin yet. The sign-in link for the first one is in ${path}. It works once.`,
  ])
  expect(printed.join() + logged).not.toContain('secret')
})

test('deletes the file if an admin exists', async () => {
  await using folder = await temporaryFolder()
  await show(folder.path)
  expect(await show(folder.path, { address: null })).toMatchObject({ printed: [], said: [] })
  expect(await readdir(folder.path)).toEqual([])
})

test('prints the command instead if there is no folder to write to', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'file')
  await writeFile(file, '')
  const { printed, said, logged } = await show(file)
  expect([...printed, ...said]).toEqual([])
  expect(logged).toContain('pennant admin create')
  expect(logged).not.toContain('secret')
})
