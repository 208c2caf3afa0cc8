import * as contract from '@pennant/contract/announcements.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { putChallenge, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { readStream, type ReaderOptions, type StreamReader } from '../../../../test/stream.ts'

let contest: Contest
let admin: Member
const readers: StreamReader[] = []
beforeEach(async () => {
  contest = await startContest({ config: { divisions: { open: 'Open', school: 'School' } } })
  admin = await contest.admin()
  for (const id of ['web', 'other']) await putChallenge(contest.db, challengeRow(id))
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
  await contest[Symbol.asyncDispose]()
})

type Texts = Parameters<typeof contract.createAnnouncement.body.parse>[0] extends never
  ? never
  : Partial<Data>
interface Data {
  title: string
  content: string
  severity: 'info' | 'warning' | 'critical'
  audience: object
  pinned: boolean
  forward: boolean
  publishAt: number
}

async function announce(data: Texts) {
  const body = { data: { title: 'News', ...data } } as never
  const response = await contest.call(contract.createAnnouncement, { token: admin.token, body })
  if (response.kind !== 'goodAnnouncementUpdate') throw new Error(JSON.stringify(response))
  return response.data.announcement
}

function edit(id: string, data: Omit<Texts, 'publishAt'> & { version: number; publishAt?: number | null }) {
  const body = { data } as never
  return contest.call(contract.updateAnnouncement, { token: admin.token, params: { id }, body })
}

async function shownTo(member?: Member, at: Contest = contest) {
  const response = await at.call(contract.listAnnouncements, { token: member?.token })
  if (response.kind !== 'goodAnnouncements') throw new Error(response.kind)
  return response.data.announcements
}

const titlesFor = async (member?: Member) => (await shownTo(member)).map(({ title }) => title).toSorted()
const feedText = async () => String((await contest.call(contract.getAnnouncementFeed, {})).data)

async function listen(options: ReaderOptions = {}, at: Contest = contest) {
  const reader = await readStream(at.url, options)
  readers.push(reader)
  await reader.next('hello')
  return reader
}

const streamed = ({ events }: StreamReader) =>
  events
    .filter(({ name }) => name === 'announcements')
    .flatMap(({ data }) => data.published.map(({ title }: { title: string }) => title as string))

async function nameOf({ id }: Member): Promise<string | undefined> {
  const [row] = await contest.db.query<{ name: string }>(sql`select name from teams where id = ${id}`)
  return row?.name
}

async function inDivision(member: Member, division: string) {
  await contest.db.change(async (tx) => {
    await tx.query(sql`update teams set division = ${division} where id = ${member.id}`)
    tx.changed('teams', [member.id])
  })
}

/** One announcement for each audience, and teams of which each may see another part of them. */
async function audiences() {
  const [solver, pupil, other] = [await contest.team(), await contest.team(), await contest.team()]
  await inDivision(pupil, 'school')
  await putSolve(contest.db, solveRow(1, { challengeId: 'web', teamId: solver.id, createdAt: noon }))
  return { solver, pupil, other }
}

async function announceToEach({ solver }: { solver: Member }) {
  await announce({ title: 'all', content: 'secret of all' })
  await announce({ title: 'school', audience: { kind: 'division', division: 'school' } })
  await announce({ title: 'solver only', audience: { kind: 'team', teamId: solver.id } })
  await announce({ title: 'solved', audience: { kind: 'solved', challengeId: 'web' } })
  await announce({ title: 'unsolved', audience: { kind: 'unsolved', challengeId: 'web' } })
}

describe('who sees an announcement', () => {
  const expected = {
    solver: ['all', 'solved', 'solver only'],
    pupil: ['all', 'school', 'unsolved'],
    other: ['all', 'unsolved'],
    nobody: ['all'],
  }

  test('the list and the feed have what is meant for the reader, and nothing else', async () => {
    const { solver, pupil, other } = await audiences()
    await announceToEach({ solver })
    expect({
      solver: await titlesFor(solver),
      pupil: await titlesFor(pupil),
      other: await titlesFor(other),
      nobody: await titlesFor(),
    }).toEqual(expected)
    const feed = await feedText()
    expect([...feed.matchAll(/<entry>[\s\S]*?<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
      'all',
    ])
  })

  test('the stream sends the same, live and after a resume on another replica', async () => {
    const { solver, pupil, other } = await audiences()
    const replica = await startContest({
      beside: contest,
      config: { divisions: { open: 'Open', school: 'School' } },
    })
    try {
      const streams = { solver, pupil, other, nobody: undefined }
      const live = await Promise.all(
        Object.values(streams).map((member) => listen(member ? { token: member.token } : {}, replica)),
      )
      const ids = live.map((reader) => reader.lastEventId())
      await announceToEach({ solver })
      // A later event for everyone, before which the others would have arrived.
      await putChallenge(contest.db, challengeRow('last'))
      for (const reader of live) await reader.next('challenges')
      const sent = live.map((reader) => streamed(reader).toSorted())
      expect(Object.fromEntries(Object.keys(streams).map((name, at) => [name, sent[at]]))).toEqual(expected)
      const again = await Promise.all(
        Object.values(streams).map((member, at) =>
          listen({ ...(member ? { token: member.token } : {}), lastEventId: ids[at] }, replica),
        ),
      )
      for (const reader of again) await reader.next('challenges')
      const resumed = again.map((reader) => [...new Set(streamed(reader))].toSorted())
      expect(Object.fromEntries(Object.keys(streams).map((name, at) => [name, resumed[at]]))).toEqual(
        expected,
      )
      // With the position of a stream that saw more, a reader still gets only its own.
      const foreign = await listen({ lastEventId: ids[0] }, replica)
      await foreign.next('challenges')
      expect([...new Set(streamed(foreign))]).toEqual(['all'])
    } finally {
      await replica[Symbol.asyncDispose]()
    }
  })

  test('an announcement about a hidden challenge, or before the start, reveals nothing', async () => {
    const team = await contest.team()
    await putChallenge(contest.db, challengeRow('hidden', { hidden: true }))
    await announce({ title: 'hidden', audience: { kind: 'unsolved', challengeId: 'hidden' } })
    expect(await shownTo(team)).toEqual([])
    await putChallenge(contest.db, challengeRow('hidden'))
    expect(await shownTo(team)).toMatchObject([
      { title: 'hidden', audience: 'unsolved', challengeId: 'hidden' },
    ])
  })

  test('one that is narrowed or deleted is withdrawn from those who saw it, and its id named to no one else', async () => {
    const [team, other] = [await contest.team(), await contest.team()]
    const own = await announce({ title: 'own', audience: { kind: 'team', teamId: team.id } })
    const all = await announce({ title: 'all' })
    const [stream, others] = [await listen({ token: team.token }), await listen({ token: other.token })]
    await edit(all.id, { version: 1, audience: { kind: 'team', teamId: team.id } })
    expect((await others.next('announcements')).data).toEqual({ published: [], withdrawn: [all.id] })
    expect((await stream.next('announcements')).data).toMatchObject({
      published: [{ id: all.id }],
      withdrawn: [],
    })
    const params = { id: own.id }
    expect(await contest.call(contract.deleteAnnouncement, { token: admin.token, params })).toMatchObject({
      kind: 'goodAnnouncementDelete',
    })
    expect((await stream.next('announcements')).data).toEqual({ published: [], withdrawn: [own.id] })
    await putChallenge(contest.db, challengeRow('last'))
    await others.next('challenges')
    expect(JSON.stringify(others.events)).not.toContain(own.id)
    expect(await shownTo(other)).toEqual([])
  })
})

describe('a scheduled announcement', () => {
  test('appears at its time on every replica, in streams and in reads, without an entry in the change log', async () => {
    const replica = await startContest({ beside: contest })
    try {
      const team = await contest.team()
      const publishAt = contest.clock.now() + HOUR_MS
      const streams = [await listen(), await listen({ token: team.token }, replica)]
      await announce({ title: 'later', publishAt })
      await announce({ title: 'later to one', publishAt, audience: { kind: 'team', teamId: team.id } })
      expect([await shownTo(team), await shownTo(team, replica)]).toEqual([[], []])
      expect(await feedText()).not.toContain('later')
      contest.clock.advance(HOUR_MS)
      for (const stream of streams) await stream.next('announcements')
      expect(streams.map((stream) => streamed(stream).toSorted())).toEqual([
        ['later'],
        ['later', 'later to one'],
      ])
      expect((await shownTo(team, replica)).map(({ publishedAt }) => publishedAt)).toEqual([
        publishAt,
        publishAt,
      ])
      expect(await feedText()).toContain('later')
    } finally {
      await replica[Symbol.asyncDispose]()
    }
  })

  test('that is published between two connections is in the resume', async () => {
    const stream = await listen()
    await announce({ title: 'later', publishAt: contest.clock.now() + HOUR_MS })
    await putChallenge(contest.db, challengeRow('last'))
    await stream.next('challenges')
    stream.close()
    contest.clock.advance(HOUR_MS)
    const resumed = await listen({ lastEventId: stream.lastEventId() })
    await resumed.next('announcements')
    expect(streamed(resumed)).toEqual(['later'])
  })
})

describe('organisers', () => {
  test('edit, and every earlier version is kept', async () => {
    const { id } = await announce({ title: 'Tpyo', content: 'one' })
    contest.clock.advance(1000)
    const edited = await edit(id, { version: 1, title: 'Typo', severity: 'critical', pinned: true })
    expect(edited).toMatchObject({
      kind: 'goodAnnouncementUpdate',
      data: { announcement: { title: 'Typo', content: 'one', version: 2, editedAt: noon + 1000 } },
    })
    expect(await edit(id, { version: 1, title: 'Too late' })).toMatchObject({
      kind: 'badAnnouncementVersion',
      data: { version: 2 },
    })
    const read = await contest.call(contract.readAdminAnnouncement, { token: admin.token, params: { id } })
    expect(read.data).toMatchObject({
      announcement: { title: 'Typo', version: 2 },
      earlier: [
        {
          version: 1,
          title: 'Tpyo',
          replacedAt: noon + 1000,
          replacedBy: admin.id,
          replacedByName: await nameOf(admin),
        },
      ],
    })
    expect(await shownTo()).toMatchObject([{ title: 'Typo', pinned: true, editedAt: noon + 1000 }])
    const actions = await contest.db.query(sql`select action, keys from admin_actions order by id`)
    expect(actions).toMatchObject([
      { action: 'announcement.create' },
      { action: 'announcement.update', keys: ['title', 'severity', 'pinned'] },
    ])
  })

  test('publish a scheduled one now by taking its time away', async () => {
    const { id } = await announce({ title: 'scheduled', publishAt: noon + HOUR_MS })
    expect(await titlesFor()).toEqual([])
    contest.clock.advance(1000)
    expect(await edit(id, { version: 1, publishAt: null })).toMatchObject({
      data: { announcement: { publishAt: noon + 1000 } },
    })
    expect(await titlesFor()).toEqual(['scheduled'])
  })

  test('read the name of the audience, of a hidden challenge only with the permission', async () => {
    const { solver } = await audiences()
    await putChallenge(contest.db, challengeRow('hidden', { name: 'Secret name', hidden: true }))
    await announceToEach({ solver })
    await announce({ title: 'hidden', audience: { kind: 'solved', challengeId: 'hidden' } })
    const namesFor = async ({ token }: Member) => {
      const listed = await contest.call(contract.listAdminAnnouncements, { token })
      if (listed.kind !== 'goodAdminAnnouncements') throw new Error(listed.kind)
      return Object.fromEntries(
        listed.data.announcements.map(({ title, audienceName }) => [title, audienceName]),
      )
    }
    const names = {
      all: null,
      school: 'School',
      'solver only': await nameOf(solver),
      solved: 'Challenge web',
      unsolved: 'Challenge web',
    }
    expect(await namesFor(admin)).toEqual({ ...names, hidden: 'Secret name' })
    const speaker = await contest.admin(permissions.settingsWrite)
    expect(await namesFor(speaker)).toEqual({ ...names, hidden: null })
  })

  test('see scheduled ones; players see pinned ones first', async () => {
    await announce({ title: 'pinned', pinned: true })
    contest.clock.advance(1000)
    await announce({ title: 'new' })
    await announce({ title: 'scheduled', publishAt: contest.clock.now() + HOUR_MS })
    const listed = await contest.call(contract.listAdminAnnouncements, { token: admin.token })
    if (listed.kind !== 'goodAdminAnnouncements') throw new Error(listed.kind)
    expect(listed.data.announcements.map(({ title }) => title)).toEqual(['scheduled', 'new', 'pinned'])
    expect((await shownTo()).map(({ title }) => title)).toEqual(['pinned', 'new'])
  })

  test('need the permission for settings', async () => {
    const judge = await contest.admin(63 - permissions.settingsWrite)
    const { id } = await announce({ title: 'a' })
    const body = { data: { title: 'b', version: 1 } }
    const [token, params] = [judge.token, { id }]
    const kinds = [
      await contest.call(contract.listAdminAnnouncements, { token }),
      await contest.call(contract.readAdminAnnouncement, { token, params }),
      await contest.call(contract.createAnnouncement, { token, body }),
      await contest.call(contract.updateAnnouncement, { token, params, body }),
      await contest.call(contract.deleteAnnouncement, { token, params }),
    ].map(({ kind }) => kind)
    expect(kinds).toEqual(Array.from({ length: 5 }, () => 'badPerms'))
    expect(await titlesFor()).toEqual(['a'])
  })

  test('get a clear error for an audience that does not exist, and nothing is stored', async () => {
    const kindOf = async (audience: object, forward = false) => {
      const body = { data: { title: 'a', audience, forward } } as never
      return (await contest.call(contract.createAnnouncement, { token: admin.token, body })).kind
    }
    expect(await kindOf({ kind: 'solved', challengeId: 'none' })).toBe('badChallenge')
    expect(await kindOf({ kind: 'team', teamId: 'none' })).toBe('badUnknownUser')
    expect(await kindOf({ kind: 'division', division: 'none' })).toBe('badBody')
    expect(await kindOf({ kind: 'division', division: 'school' }, true)).toBe('badBody')
    expect(await kindOf({ kind: 'nobody' })).toBe('badBody')
    const { id } = await announce({ title: 'kept', audience: { kind: 'division', division: 'school' } })
    expect((await edit(id, { version: 1, audience: { kind: 'solved', challengeId: 'none' } })).kind).toBe(
      'badChallenge',
    )
    expect((await edit(id, { version: 1, audience: { kind: 'team', teamId: 'none' } })).kind).toBe(
      'badUnknownUser',
    )
    expect((await edit(id, { version: 1, forward: true })).kind).toBe('badBody')
    const params = { id: 'none' }
    const unknown = [
      await edit('none', { version: 1, title: 'a' }),
      await contest.call(contract.readAdminAnnouncement, { token: admin.token, params }),
      await contest.call(contract.deleteAnnouncement, { token: admin.token, params }),
    ]
    expect(unknown.map(({ kind }) => kind)).toEqual(Array.from({ length: 3 }, () => 'badAnnouncement'))
    const [row] = await contest.db.query(sql`select count(*) from announcements`)
    expect(row).toEqual({ count: 1 })
  })

  test('are refused beyond the maximum', async () => {
    await contest.db.query(sql`
      insert into announcements (id, title, content, severity, audience, pinned, forward, publish_at)
      select 'n' || i, 'n', '', 'info', '{"kind": "all"}', false, false, now() from generate_series(1, 500) i`)
    const body = { data: { title: 'one more' } }
    expect(await contest.call(contract.createAnnouncement, { token: admin.token, body })).toMatchObject({
      kind: 'badAnnouncementCount',
      data: { max: 500 },
    })
  })
})

test('the feed is well-formed whatever the texts contain', async () => {
  await announce({ title: '<b>&"\u0001]]>', content: '<script>alert(1)</script>\u{10ffff} \ufffe' })
  const feed = await feedText()
  expect(feed).toContain('<title>&lt;b&gt;&amp;&quot;]]&gt;</title>')
  expect(feed).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\u{10ffff} </content>')
  const response = await fetch(contest.url + contract.getAnnouncementFeed.path)
  expect(response.headers.get('content-type')).toBe('application/atom+xml')
})
