import {
  exportActionsCsv,
  exportActionsJson,
  listActions,
  undoAction,
  type Action,
} from '@pennant/contract/actions.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { readSettings, updateSettings } from '@pennant/contract/admin-settings.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { deleteTeam, updateTeam } from '@pennant/contract/admin-teams.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from '@pennant/contract/announcements.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { createWave, deleteWave, moveWave } from '@pennant/contract/waves.ts'
import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { byCommand, recordAdminAction } from '../../../db/admin-actions.ts'

type View = z.output<typeof Action>

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

async function list(query: Readonly<Record<string, string>> = {}, { token } = admin) {
  const response = await contest.call(listActions, { token, query })
  if (response.kind !== 'goodActions') throw new Error(response.kind)
  return response.data
}

const newest = async () => (await list({ limit: '1' })).actions[0] as View

const edit = async (id: string, data: object, { token } = admin) => {
  const response = await contest.call(putChallengeV2, { token, params: { id }, body: { data } })
  expect(response.kind).toBe('goodChallengeUpdateV2')
  return await newest()
}
const settings = async (data: object) => {
  await contest.call(updateSettings, { token: admin.token, body: { data } })
  return await newest()
}
const undo = (seq: number | string, { token } = admin) =>
  contest.call(undoAction, { token, params: { id: String(seq) } })

describe('the list', () => {
  test('says who did what, before and after, with the names of then and of now', async () => {
    const team = await contest.team('Renamed later')
    const { name } = contest.world().team(admin.id) ?? {}
    await contest.call(updateTeam, {
      token: admin.token,
      params: { id: team.id },
      body: { data: { banned: true, name: 'New name' } },
    })
    const entry = await newest()
    expect(entry).toEqual({
      seq: expect.any(Number),
      at: expect.any(Number),
      actor: { id: admin.id, name },
      action: 'team.update',
      route: 'PUT /api/v2/admin/users/:id',
      targets: [{ id: team.id, name: 'New name' }],
      before: { banned: false, name: 'Renamed later' },
      after: { banned: true, name: 'New name' },
      ip: '127.0.0.1',
      requestId: expect.stringMatching(/^[\w-]{12}$/),
      undoes: null,
      undoneBy: null,
      canUndo: false,
      previousHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const { head } = await list()
    expect(head).toEqual({ seq: entry.seq, hash: entry.hash })
  })

  test('keeps the names of deleted organisers and teams', async () => {
    const [gone, team] = [await contest.admin(), await contest.team('Gone team')]
    await contest.call(deleteTeam, { token: gone.token, params: { id: team.id } })
    const { name } = contest.world().team(gone.id) ?? {}
    await contest.db.change(async (tx) => {
      await tx.query(sql`delete from teams where id = ${gone.id}`)
      tx.changed('teams', [gone.id])
    })
    expect(await newest()).toMatchObject({
      actor: { id: gone.id, name },
      targets: [{ id: team.id, name: 'Gone team' }],
      before: { name: 'Gone team' },
      after: null,
    })
  })

  test('calls waves and announcements by their name, also when the entry has another field only', async () => {
    const { token } = admin
    const openAt = contest.clock.now() + 3_600_000
    const wave = await contest.call(createWave, { token, body: { data: { name: 'Night wave', openAt } } })
    if (wave.kind !== 'goodWave') throw new Error(wave.kind)
    const params = { id: wave.data.wave.id }
    const named = { targets: [{ id: params.id, name: 'Night wave' }] }
    await contest.call(moveWave, { token, params, body: { data: { version: 1, byMs: 60_000 } } })
    const move = await newest()
    expect(move).toMatchObject({ ...named, after: { openAt: openAt + 60_000 } })
    expect(move.after).not.toHaveProperty('name')
    await contest.call(deleteWave, { token, params })
    expect(await newest()).toMatchObject({ ...named, after: null })
    const text = await contest.call(createAnnouncement, { token, body: { data: { title: 'Welcome' } } })
    if (text.kind !== 'goodAnnouncementUpdate') throw new Error(text.kind)
    expect(await newest()).toMatchObject({
      targets: [{ id: text.data.announcement.id, name: 'Welcome' }],
    })
    await contest.call(deleteAnnouncement, { token, params: { id: text.data.announcement.id } })
  })

  test('is filtered by who, what, on which and when, and paged without gaps', async () => {
    const other = await contest.admin()
    await putChallenge(contest.db, challengeRow('listed'))
    const from = new Date()
    for (const name of ['one', 'two', 'three']) await edit('listed', { name }, other)
    await settings({ ctfName: 'Filtered' })
    await contest.db.query(recordAdminAction({ ...byCommand, action: 'test.write', target: 'listed other' }))
    const actions = async (query: Readonly<Record<string, string>>) =>
      (await list(query)).actions.map(({ action }) => action)
    expect(await actions({ actor: other.id })).toEqual(Array(3).fill('challenge.update'))
    expect(await actions({ actor: 'command-line' })).toEqual(['test.write'])
    expect(await actions({ target: 'listed' })).toEqual(['test.write', ...Array(3).fill('challenge.update')])
    expect(await actions({ target: 'other' })).toEqual(['test.write'])
    expect(await actions({ target: 'list' })).toEqual([])
    expect(await actions({ action: 'challenge', target: 'listed' })).toHaveLength(3)
    expect(await actions({ action: 'challenge.update', target: 'listed' })).toHaveLength(3)
    expect(await actions({ action: 'chall' })).toEqual([])
    expect(await actions({ after: from.toISOString() })).toHaveLength(5)
    expect(await actions({ until: from.toISOString(), target: 'listed' })).toEqual([])
    const pages: View[] = []
    let before: number | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({
        limit: '2',
        target: 'listed',
        ...(before !== null && { before: String(before) }),
      })
      pages.push(...page.actions)
      before = page.next
    } while (before !== null)
    expect(pages).toEqual((await list({ target: 'listed' })).actions)
  })

  test.each([
    { limit: '0' },
    { limit: '101' },
    { before: '0' },
    { before: 'x' },
    { action: 'Challenge' },
    { after: 'soon' },
    { target: '' },
    { after: '2030-01-02', until: '2030-01-01' },
  ])('refuses %o', async (query) => {
    const response = await contest.call(listActions, { token: admin.token, query: query as never })
    expect(response.kind).toBe('badBody')
  })

  test('needs every permission for what it shows', async () => {
    const { challsRead, usersWrite, settingsWrite } = permissions
    const reader = await contest.admin(challsRead + usersWrite + settingsWrite)
    expect((await contest.call(listActions, { token: reader.token, query: {} })).kind).toBe('goodActions')
    for (const perms of [challsRead + usersWrite, challsRead + settingsWrite, usersWrite + settingsWrite]) {
      const { token } = await contest.admin(perms)
      for (const route of [listActions, exportActionsCsv, exportActionsJson] as const)
        expect((await contest.call(route, { token, query: {} })).kind).toBe('badPerms')
      expect((await contest.call(undoAction, { token, params: { id: '1' } })).kind).toBe('badPerms')
    }
    for (const route of [listActions, exportActionsCsv, exportActionsJson] as const)
      expect((await contest.call(route, { query: {} })).kind).toBe('badToken')
    expect((await contest.call(undoAction, { params: { id: '1' } })).kind).toBe('badToken')
  })
})

describe('an export', () => {
  const download = async (route: typeof exportActionsCsv | typeof exportActionsJson, query = {}) => {
    const { kind, data } = await contest.call(route, { token: admin.token, query })
    expect(kind).toBe('goodActionFile')
    return await (data as unknown as Blob).text()
  }

  test('as JSON has each entry with what its hash covers', async () => {
    await edit('exported', { name: 'Crème "brûlée"\n' })
    const lines = (await download(exportActionsJson)).trimEnd().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as Record<string, string | null>)
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1))
    for (const [at, line] of lines.entries()) {
      const entry = entries[at] ?? {}
      const before = /"before":(.*),"after":/.exec(line)?.[1]
      const after = /"after":(.*),"ip":/.exec(line)?.[1]
      const texts = { ...entry, keys: JSON.stringify(entry['keys']), before, after } as typeof entry
      const hashOf = (values: readonly (string | null | undefined)[]) => {
        const hash = createHash('sha256')
        for (const value of values) {
          const isNone = value === null || value === undefined || value === 'null'
          hash.update(isNone ? '-;' : `${Buffer.byteLength(String(value))}:${value};`)
        }
        return hash.digest('hex')
      }
      const covered = `previousHash seq at actorId action route target keys requestId undoes personId apiTokenId digests`
      expect(hashOf(covered.split(' ').map((name) => texts[name]))).toBe(entry['hash'])
      const salts = entry['salts'] as unknown as Readonly<Record<string, string>>
      const fields = { actor_name: texts['actorName'], before, after, ip: texts['ip'] }
      for (const [field, digest] of Object.entries(JSON.parse(entry['digests'] ?? '{}') as typeof salts))
        expect(hashOf([salts[field], fields[field as keyof typeof fields]])).toBe(digest)
    }
    expect(await download(exportActionsJson, { target: 'exported' })).toBe(`${lines.at(-1)}\n`)
  })

  test('as CSV quotes what needs it, and no field is a formula', async () => {
    await contest.db.query(
      recordAdminAction({ ...byCommand, action: 'test.write', target: '=cmd|"/c calc"!A1', ip: null }),
    )
    const rows = (await download(exportActionsCsv)).split('\r\n')
    expect(rows[0]).toBe(
      'seq,at,actorId,actorName,action,route,target,keys,before,after,ip,requestId,undoes,personId,personName,apiTokenId,apiTokenName,previousHash,hash,salts,digests',
    )
    expect(rows.at(-2)).toContain(`,command line,test.write,,"'=cmd|""/c calc""!A1",[],`)
    expect(rows.at(-1)).toBe('')
  })

  test('of a period that ends before it begins is refused', async () => {
    const query = { after: '2030-01-02T00:00:00Z', until: '2030-01-01T00:00:00Z' }
    for (const route of [exportActionsCsv, exportActionsJson] as const)
      expect((await contest.call(route, { token: admin.token, query })).kind).toBe('badBody')
  })

  test('is complete over many pages', async () => {
    for (let n = 0; n < 250; n++)
      await contest.db.query(recordAdminAction({ ...byCommand, action: 'many.write', target: null }))
    const lines = (await download(exportActionsJson, { action: 'many' })).trimEnd().split('\n')
    expect(lines.length).toBe(250)
  })
})

describe('undo', () => {
  const shown = async () => {
    const response = await contest.call(listChallengesV2, { token: (await contest.team()).token })
    return JSON.stringify(response.data)
  }

  test('of a visibility shows the challenge to players again, and can be undone as well', async () => {
    await putChallenge(contest.db, challengeRow('seen', { name: 'Seen' }))
    const hiding = await edit('seen', { hidden: true })
    expect(hiding).toMatchObject({ before: { hidden: false }, after: { hidden: true }, canUndo: true })
    expect(await shown()).not.toContain('Seen')
    const undone = await undo(hiding.seq)
    expect(undone).toMatchObject({
      kind: 'goodActionUndo',
      data: {
        action: {
          action: 'challenge.update',
          route: 'POST /api/v2/admin/actions/:id/undo',
          before: { hidden: true },
          after: { hidden: false },
          undoes: hiding.seq,
        },
      },
    })
    expect(await shown()).toContain('Seen')
    const again = await newest()
    expect((await list({ target: 'seen' })).actions.at(-1)).toMatchObject({ undoneBy: again.seq })
    expect((await undo(again.seq)).kind).toBe('goodActionUndo')
    expect(await shown()).not.toContain('Seen')
  })

  test('of an order and a release puts them back', async () => {
    await putChallenge(contest.db, challengeRow('sorted'))
    const { seq } = await edit('sorted', { sortWeight: 5, releaseTime: contest.clock.now() + 1000 })
    expect(contest.world().challenge('sorted')).toMatchObject({ sortWeight: 5 })
    expect((await undo(seq)).kind).toBe('goodActionUndo')
    expect(contest.world().challenge('sorted')).toMatchObject({ sortWeight: null, releaseAt: null })
  })

  test('of settings goes back to the earlier ones, and to those of the deployment', async () => {
    const overrides = async () => {
      const { data } = await contest.call(readSettings, { token: admin.token })
      return (data as { overrides: object }).overrides
    }
    await settings({ ctfName: 'First', homeContent: null })
    const { seq } = await settings({ ctfName: 'Second', homeContent: '# Home' })
    expect(await overrides()).toMatchObject({ ctfName: 'Second', homeContent: '# Home' })
    expect((await undo(seq)).kind).toBe('goodActionUndo')
    expect(await overrides()).toMatchObject({ ctfName: 'First' })
    expect(await overrides()).not.toHaveProperty('homeContent')
  })

  test('of an announcement withdraws it, unless it was edited', async () => {
    const { token } = admin
    const announce = async (title: string) => {
      const made = await contest.call(createAnnouncement, { token, body: { data: { title } } })
      if (made.kind !== 'goodAnnouncementUpdate') throw new Error(made.kind)
      return { id: made.data.announcement.id, seq: (await newest()).seq }
    }
    const titles = async () => JSON.stringify((await contest.call(listAnnouncements, {})).data)
    const wrong = await announce('Sent too early')
    expect((await undo(wrong.seq)).kind).toBe('goodActionUndo')
    expect(await titles()).not.toContain('Sent too early')
    expect(await newest()).toMatchObject({ action: 'announcement.delete', undoes: wrong.seq, canUndo: false })
    expect(await undo(wrong.seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: [] } })
    const edited = await announce('Edited')
    await contest.call(updateAnnouncement, {
      token,
      params: { id: edited.id },
      body: { data: { version: 1, title: 'Corrected' } },
    })
    expect(await undo(edited.seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: ['title'] } })
    await contest.call(deleteAnnouncement, { token, params: { id: edited.id } })
  })

  test('of a score adjustment takes the points back', async () => {
    const team = await contest.team()
    const data = { userId: team.id, points: 50, reason: 'Found a bug' }
    await contest.call(createScoreAdjustment, { token: admin.token, body: { data } })
    const entry = await newest()
    expect(entry).toMatchObject({ after: { points: 50, reason: 'Found a bug' }, canUndo: true })
    expect((await list({ target: team.id })).actions).toHaveLength(1)
    expect((await undo(entry.seq)).kind).toBe('goodActionUndo')
    expect(await newest()).toMatchObject({ action: 'adjustment.undo', undoes: entry.seq, canUndo: false })
    expect(await undo(entry.seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: [] } })
  })

  test('is refused when the fields were changed since; other fields do not matter', async () => {
    await putChallenge(contest.db, challengeRow('moved'))
    const { seq } = await edit('moved', { hidden: true, sortWeight: 1 })
    await edit('moved', { name: 'Other field' })
    await edit('moved', { sortWeight: 2 })
    const before = await newest()
    expect(await undo(seq)).toMatchObject({ kind: 'badActionChanged', data: { fields: ['sortWeight'] } })
    expect((await newest()).seq).toBe(before.seq)
    await edit('moved', { sortWeight: 1 })
    expect((await undo(seq)).kind).toBe('goodActionUndo')
    expect((await undo(seq)).kind).toBe('badActionChanged')
  })

  test('of two at the same time, one is carried out', async () => {
    const { seq } = await settings({ ctfName: `Twice ${Date.now()}` })
    const kinds = (await Promise.all([undo(seq), undo(seq)])).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['badActionChanged', 'goodActionUndo'])
  })

  test('is refused where it is not safe, and for entries that are incomplete', async () => {
    const flag = [{ provider: 'flags/static', config: { flag: 'flag{a}' } }]
    const unsafe = [
      await edit('unsafe', { hidden: true }),
      await edit('unsafe', { hidden: false, points: { min: 1, max: 2 } }),
      await edit('unsafe', { flags: flag }),
      await settings({ homeContent: 'x'.repeat(100_000) }),
    ]
    for (const { seq, canUndo } of unsafe) {
      expect(canUndo).toBe(false)
      expect((await undo(seq)).kind).toBe('badActionUndo')
    }
    expect((await undo(999_999)).kind).toBe('badAction')
    for (const id of ['0', 'x', '9'.repeat(20)]) expect((await undo(id)).kind).toBe('badBody')
  })

  test('needs the permission of the change', async () => {
    await putChallenge(contest.db, challengeRow('guarded'))
    const { seq } = await edit('guarded', { hidden: true })
    const { challsRead, usersWrite, settingsWrite } = permissions
    const reader = await contest.admin(challsRead + usersWrite + settingsWrite)
    expect((await list({ target: 'guarded' }, reader)).actions[0]).toMatchObject({ canUndo: false })
    expect((await undo(seq, reader)).kind).toBe('badPerms')
  })
})
