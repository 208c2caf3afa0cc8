import { EventEmitter, once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { deleteTeam } from '@pennant/contract/admin-teams.ts'
import { updateAvatar, updateTeamAvatar } from '@pennant/contract/avatars.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/folder.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { recordLog } from '../../../../test/log.ts'
import { makePicture } from '../../../../test/pictures.ts'
import type { Database } from '../../../db/database.ts'
import type { Uploads } from '../../../providers/uploads/uploads.ts'
import { createAvatars } from './avatars.ts'

// Checks the files on disk and the team's avatar after sequential, concurrent and failed changes. Two
// processes share the folder.

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let contest: Contest
let other: Contest
let admin: Member
let pictures: Buffer[]

beforeAll(async () => {
  folder = await temporaryFolder()
  const uploadProvider = { name: 'uploads/local', options: { uploadDirectory: folder.path } }
  contest = await startContest({ config: { uploadProvider } })
  other = await startContest({ config: { uploadProvider }, beside: contest })
  admin = await contest.admin()
  pictures = await Promise.all(['#f00', '#0f0', '#00f'].map((colour) => makePicture('png', colour)))
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await contest[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

function formOf(content: Buffer | undefined): FormData {
  const form = new FormData()
  if (content) form.append('avatar', new File([content], 'a.png'))
  return form
}

/** Changed by an admin, who is not rate-limited. */
const change = ({ id }: Member, content: Buffer | undefined, { call } = contest) =>
  call(updateTeamAvatar, { token: admin.token, params: { id }, form: formOf(content) })

const current = ({ id }: Member) => contest.world().team(id)?.avatarUrl ?? null

async function listFiles({ id }: Member): Promise<string[]> {
  const names = await readdir(join(folder.path, 'avatars', id)).catch(() => [])
  return names.map((name) => `/uploads/avatars/${id}/${name}`)
}

test('a new avatar replaces the file, the same picture keeps it, and clearing deletes it', async () => {
  const team = await contest.team()
  await change(team, pictures[0])
  const first = current(team)
  await change(team, pictures[0])
  expect(await listFiles(team)).toEqual([first])
  await change(team, pictures[1])
  expect(current(team)).not.toBe(first)
  expect(await listFiles(team)).toEqual([current(team)])
  await change(team, undefined)
  expect([current(team), await listFiles(team)]).toEqual([null, []])
})

test('two teams with the same picture have separate files', async () => {
  const [one, two] = [await contest.team(), await contest.team()]
  await Promise.all([change(one, pictures[2]), change(two, pictures[2])])
  await change(one, undefined)
  expect(await listFiles(two)).toEqual([current(two)])
})

test('of two concurrent uploads, one becomes the avatar and only its file remains', async () => {
  const team = await contest.team()
  const responses = await Promise.all(
    [pictures[0], pictures[1], pictures[2]].map((content) =>
      contest.call(updateAvatar, { token: team.token, form: formOf(content) }),
    ),
  )
  expect(responses.map(({ kind }) => kind).sort()).toEqual([
    'badRateLimit',
    'goodAvatarUpdated',
    'goodAvatarUpdated',
  ])
  expect(await listFiles(team)).toEqual([current(team)])
})

test('concurrent changes in two processes never lose a picture that is uploaded again', async () => {
  const team = await contest.team()
  for (let round = 0; round < 4; round++) {
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        change(team, at % 5 === 4 ? undefined : pictures[at % 3], at % 2 === 0 ? contest : other),
      ),
    )
    expect(new Set(responses.map(({ kind }) => kind))).toEqual(new Set(['goodAvatarUpdated']))
    await contest.app.stores.follower.catchUp()
    const url = current(team)
    expect(await listFiles(team)).toEqual(url === null ? [] : [url])
  }
})

test('a picture that is uploaded again while another process deletes it remains', async () => {
  const team = await contest.team()
  await change(team, pictures[0])
  const first = current(team)
  const { db } = contest
  const { uploads } = contest.app.providers
  const { log } = recordLog()
  const removal = new EventEmitter()
  const slow: Uploads = {
    ...uploads,
    async remove(key) {
      const goOn = once(removal, 'go on')
      removal.emit('begun')
      await goOn
      await uploads.remove(key)
    },
  }
  const elsewhere = createAvatars({ db, log, uploads: slow, moderation: null, maxAvatarSize: 1 })
  const begun = once(removal, 'begun')
  const removing = elsewhere.replace({ teamId: team.id, picture: Buffer.from('another'), actor: null })
  await begun
  let isBack = false
  const back = change(team, pictures[0]).then(() => (isBack = true))
  // The new change waits for the removal. Otherwise the removal would delete its file.
  while (!isBack && !(await isSomebodyWaiting(db))) await turn()
  removal.emit('go on')
  await Promise.all([removing, back])
  expect(current(team)).toBe(first)
  expect(await listFiles(team)).toEqual([first])
})

async function isSomebodyWaiting(db: Database): Promise<boolean> {
  const rows = await db.query(sql`
    select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`)
  return rows.length > 0
}

test('a team that is deleted in the meantime leaves no file', async () => {
  const { db } = contest
  const { uploads } = contest.app.providers
  const avatars = createAvatars({ db, uploads, log: recordLog().log, moderation: null, maxAvatarSize: 1 })
  const gone = { id: 'gone', token: '' }
  expect(await avatars.replace({ teamId: gone.id, picture: Buffer.from('x'), actor: null })).toBe('gone')
  expect(await listFiles(gone)).toEqual([])
})

test('the team keeps its avatar if the store fails', async () => {
  const team = await contest.team()
  await change(team, pictures[1])
  const future = current(team) ?? ''
  await change(team, pictures[0])
  const kept = current(team)
  // A directory at the path of the file makes the write fail.
  const obstacle = join(folder.path, future.replace('/uploads/', ''))
  await mkdir(obstacle)
  expect((await change(team, pictures[1])).kind).toBe('errorInternal')
  expect(current(team)).toBe(kept)
  expect((await fetch(contest.url + kept)).status).toBe(200)
  await rm(obstacle, { recursive: true })
  expect((await change(team, pictures[1])).kind).toBe('goodAvatarUpdated')
  expect(await listFiles(team)).toEqual([future])
})

test('a failure to delete the old file does not fail the change', async () => {
  const team = await contest.team()
  await change(team, pictures[0])
  const path = join(folder.path, (current(team) ?? '').replace('/uploads/', ''))
  // Removing a file fails if the path is a directory.
  await rm(path)
  await mkdir(path)
  expect((await change(team, pictures[1])).kind).toBe('goodAvatarUpdated')
  expect(contest.logLines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'could not delete an old avatar' }),
  )
})

test('does not delete a picture that is stored elsewhere', async () => {
  const team = await contest.team()
  await change(team, pictures[0])
  const { db } = contest
  await db.change(async (tx) => {
    await tx.query(sql`update teams set avatar_url = 'https://pictures.example/a.png' where id = ${team.id}`)
    tx.changed('teams', [team.id])
  })
  expect((await change(team, undefined)).kind).toBe('goodAvatarUpdated')
  expect(current(team)).toBeNull()
})

test('deleting a team deletes its avatar', async () => {
  const team = await contest.team()
  await change(team, pictures[0])
  expect(await listFiles(team)).toHaveLength(1)
  await contest.call(deleteTeam, { token: admin.token, params: { id: team.id } })
  await eventually(async () => expect(await listFiles(team)).toEqual([]))
  await eventually(async () =>
    expect(await contest.db.query(sql`select from outbox where kind = 'file'`)).toEqual([]),
  )
})
