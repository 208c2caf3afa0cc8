import { readdir } from 'node:fs/promises'
import { badUserPrivileged } from '@pennant/contract/admin-teams.ts'
import { updateAvatar, updateTeamAvatar } from '@pennant/contract/avatars.ts'
import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { readOwnProfileV2, readProfileV2 } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putChallenge, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { makeHugePng, makePicture } from '../../../../test/pictures.ts'

const maxAvatarSize = 50_000

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest({ config: { maxAvatarSize } })
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

function formOf(content?: Buffer | string, captchaCode?: string): FormData {
  const form = new FormData()
  if (content !== undefined) form.append('avatar', new File([content], 'me.png'))
  if (captchaCode !== undefined) form.append('captchaCode', captchaCode)
  return form
}

const send = ({ token }: Member, form: FormData, { call } = contest) => call(updateAvatar, { token, form })
const sendFor = ({ id }: Pick<Member, 'id'>, form: FormData) =>
  contest.call(updateTeamAvatar, { token: admin.token, params: { id }, form })

/** The avatar URL of a successful response. */
function urlOf(result: { readonly kind: string; readonly data: object | undefined }): string | null {
  if (result.kind !== 'goodAvatarUpdated') throw new Error(result.kind)
  return (result.data as { url: string | null }).url
}

const listStaged = () => readdir(contest.app.providers.uploads.stagingFolder)

describe('a new avatar', () => {
  test('is stored as a WebP that anyone can fetch', async () => {
    const team = await contest.team()
    const url = urlOf(await send(team, formOf(await makePicture('jpeg', '#f00'))))
    expect(url).toMatch(new RegExp(`^/uploads/avatars/${team.id}/[0-9a-f]{64}\\.webp$`))
    const response = await fetch(contest.url + url)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP')
    expect(await listStaged()).toEqual([])
  })

  test('appears immediately wherever the team is shown', async () => {
    const team = await contest.team()
    await putChallenge(contest.db, challengeRow('web'))
    await putSolve(contest.db, solveRow(1, { challengeId: 'web', teamId: team.id, createdAt: noon }))
    const page = { limit: '100', offset: '0' }
    for (const content of [await makePicture('png', '#0f0'), undefined]) {
      const url = urlOf(await send(team, formOf(content)))
      const own = await contest.call(readOwnProfileV2, { token: team.token })
      const profile = await contest.call(readProfileV2, { params: { id: team.id } })
      const board = await contest.call(getLeaderboardV2, { query: page })
      const solves = await contest.call(listSolvesV2, { params: { id: 'web' }, query: page })
      for (const { data } of [own, profile]) expect(data).toMatchObject({ avatarUrl: url })
      const rows = JSON.parse(JSON.stringify([board.data, solves.data])) as [
        { leaderboard: { id: string; avatarUrl: string | null }[] },
        { solves: { userId: string; userAvatarUrl: string | null }[] },
      ]
      expect(rows[0].leaderboard.find(({ id }) => id === team.id)?.avatarUrl).toBe(url)
      expect(rows[1].solves.find(({ userId }) => userId === team.id)?.userAvatarUrl).toBe(url)
    }
  })

  test('may have exactly the configured size', async () => {
    const picture = await makePicture('png', '#00f')
    const exact = Buffer.concat([picture, Buffer.alloc(maxAvatarSize - picture.length)])
    expect((await send(await contest.team(), formOf(exact))).kind).toBe('goodAvatarUpdated')
  })
})

describe('refuses', () => {
  const tooLarge = { kind: 'badAvatarFileSize', status: 400, data: { maxSize: maxAvatarSize } }

  test.each([1, 60_000, 70_000, 2_000_000])('a file that is %s bytes too large', async (extra) => {
    const content = Buffer.alloc(maxAvatarSize + extra)
    expect(await send(await contest.team(), formOf(content))).toMatchObject(tooLarge)
    expect(await sendFor(await contest.team(), formOf(content))).toMatchObject(tooLarge)
  })

  test('a file that grows too large without a declared length', async () => {
    const { token } = await contest.team()
    const form = new Response(formOf(Buffer.alloc(500_000)))
    const response = await fetch(`${contest.url}/api/v2/users/me/avatar`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': form.headers.get('content-type') ?? '' },
      body: form.body,
      duplex: 'half',
    } as RequestInit)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { kind: 'badAvatarFileSize', data: { maxSize: maxAvatarSize } },
    ])
  })

  test.each([
    ['nothing', ''],
    ['a page behind the first bytes of a picture', '\x89PNG\r\n\x1a\n<script>alert(1)</script>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/"/></svg>'],
    ['half a picture', makeHugePng(200, 200).subarray(0, 60)],
    ['a picture of more pixels than bytes', makeHugePng(8001, 8001)],
  ])('%s', async (_name, content) => {
    const form = () => formOf(typeof content === 'string' ? Buffer.from(content, 'latin1') : content)
    expect((await send(await contest.team(), form())).kind).toBe('badAvatarFile')
    expect((await sendFor(await contest.team(), form())).kind).toBe('badAvatarFile')
    expect(await listStaged()).toEqual([])
  })

  test('anything but one file with a plain name', async () => {
    const picture = await makePicture('png', '#fff')
    const named = (...names: string[]) => {
      const form = new FormData()
      for (const name of names) form.append('avatar', new Blob([picture]), name)
      return form
    }
    const text = new FormData()
    text.append('avatar', 'text')
    const team = await contest.team()
    const wrong = ['', '.', '..', 'a/b', 'a\\b', 'c:a', 'x'.repeat(256)].map((name) => named(name))
    for (const form of [...wrong, named('a', 'b'), text]) {
      const refused = { kind: 'badBody', data: { reason: expect.stringMatching(/^body:avatar: /) } }
      expect(await send(team, form)).toMatchObject(refused)
      expect(await sendFor(team, form)).toMatchObject(refused)
    }
    expect(await listStaged()).toEqual([])
    // None of these took a token from the rate limit bucket.
    expect((await send(team, named('x'.repeat(255)))).kind).toBe('goodAvatarUpdated')
  })

  test('a body that is not a form', async () => {
    const { token } = await contest.team()
    const authorization = `Bearer ${token}`
    for (const init of [
      { body: '{}', headers: { authorization, 'content-type': 'application/json' } },
      { body: 'x', headers: { authorization, 'content-type': 'multipart/form-data; boundary=x' } },
    ]) {
      const response = await fetch(`${contest.url}/api/v2/users/me/avatar`, { method: 'PATCH', ...init })
      expect(await response.json()).toMatchObject({
        kind: 'badBody',
        data: { reason: 'body:formData:malformed' },
      })
    }
  })
})

test('other parts of a form are ignored', async () => {
  const form = formOf(await makePicture('webp', '#ff0'))
  form.append('other', new File([Buffer.alloc(10_000)], '../x'))
  form.append('note', 'text')
  expect((await send(await contest.team(), form)).kind).toBe('goodAvatarUpdated')
})

test('allows two changes in two minutes, including clearing; refused requests do not count', async () => {
  const team = await contest.team()
  const picture = await makePicture('png', '#0ff')
  await send(team, formOf(Buffer.alloc(maxAvatarSize + 1)))
  const kinds: string[] = []
  for (const form of [formOf('no picture'), formOf(), formOf(picture)]) {
    kinds.push((await send(team, form)).kind)
  }
  expect(kinds).toEqual(['badAvatarFile', 'goodAvatarUpdated', 'badRateLimit'])
  const { data } = await send(team, formOf(picture))
  expect((data as { timeLeft: number }).timeLeft).toBeGreaterThan(0)
  expect((data as { timeLeft: number }).timeLeft).toBeLessThanOrEqual(60_000)
  // Changes by an admin neither check nor use the bucket.
  for (const form of [formOf(picture), formOf(), formOf(picture)])
    expect((await sendFor(team, form)).kind).toBe('goodAvatarUpdated')
})

test('a request without a body clears the avatar, even if there is none', async () => {
  const team = await contest.team()
  const url = urlOf(await send(team, formOf(await makePicture('png', '#f0f'))))
  const response = await fetch(`${contest.url}/api/v2/users/me/avatar`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${team.token}` },
  })
  expect(await response.json()).toMatchObject({ kind: 'goodAvatarUpdated', data: { url: null } })
  expect((await fetch(contest.url + url)).status).toBe(404)
  expect(urlOf(await sendFor(team, formOf()))).toBeNull()
})

describe('a captcha', () => {
  const captcha = {
    provider: { name: 'captcha/static', options: { code: 'good' } },
    protectedEndpoints: ['avatarUpload'],
  }

  test('is checked after the form is read and before anything else', async () => {
    await using guarded = await startContest({ config: { captcha, maxAvatarSize } })
    const team = await guarded.team()
    const picture = await makePicture('png', '#fff')
    const kindOf = async (form: FormData) => (await send(team, form, guarded)).kind
    const named = new FormData()
    named.append('avatar', new Blob([picture]), '..')
    expect(await kindOf(named)).toBe('badBody')
    expect(await kindOf(formOf(picture))).toBe('badCaptcha')
    expect(await kindOf(formOf())).toBe('badCaptcha')
    expect(await kindOf(formOf(picture, 'bad'))).toBe('badCaptcha')
    expect(await kindOf(formOf(Buffer.alloc(maxAvatarSize + 1), 'bad'))).toBe('badCaptcha')
    expect(await kindOf(formOf(Buffer.alloc(maxAvatarSize + 1), 'good'))).toBe('badAvatarFileSize')
    expect(await kindOf(formOf(picture, 'good'))).toBe('goodAvatarUpdated')
    // Admins need no captcha.
    const { token } = await guarded.admin()
    const cleared = await guarded.call(updateTeamAvatar, { token, params: { id: team.id }, form: formOf() })
    expect(cleared.kind).toBe('goodAvatarUpdated')
  })
})

describe('moderation', () => {
  const moderated = (verdict: string, rest: object = {}) =>
    startContest({
      config: {
        avatarsModeration: { provider: { name: 'moderation/memory', options: { verdict } }, ...rest },
      },
    })

  test('refuses pictures, also for admins, and receives the converted picture', async () => {
    await using strict = await moderated('refuse')
    const team = await strict.team()
    const form = formOf(await makePicture('jpeg', '#fff'))
    expect((await send(team, form, strict)).kind).toBe('badModerationNotPassed')
    const { token } = await strict.admin()
    const result = await strict.call(updateTeamAvatar, { token, params: { id: team.id }, form })
    expect(result.kind).toBe('badModerationNotPassed')
    expect((await readdir(strict.app.providers.uploads.servedFolder ?? '')).sort()).toEqual(['.staging'])
    const { seen } = strict.app.providers.moderation as unknown as { seen: Buffer[] }
    expect(seen.map((picture) => picture.toString('latin1', 8, 12))).toEqual(['WEBP', 'WEBP'])
    expect(urlOf(await send(team, formOf(), strict))).toBeNull()
  })

  test('without a verdict accepts avatars unless configured otherwise', async () => {
    const form = formOf(await makePicture('gif', '#fff'))
    await using open = await moderated('none')
    expect((await send(await open.team(), form, open)).kind).toBe('goodAvatarUpdated')
    expect(open.logLines).toContainEqual(expect.objectContaining({ level: 'warn' }))
    await using closed = await moderated('none', { allowOnInternalError: false })
    expect((await send(await closed.team(), form, closed)).kind).toBe('badModerationNotPassed')
  })
})

describe('an admin', () => {
  test('changes the avatar of a team without permissions, and the action is audited', async () => {
    const team = await contest.team()
    const url = urlOf(await sendFor(team, formOf(await makePicture('png', '#abc'))))
    expect(contest.world().team(team.id)?.avatarUrl).toBe(url)
    const [action] = await contest.db.query(sql`
      select actor_id as "actorId", action, target, keys from admin_actions order by id desc limit 1`)
    expect(action).toEqual({ actorId: admin.id, action: 'team.avatar', target: team.id, keys: ['avatar'] })
  })

  test('gets the refusal for an unknown or protected team before the file is checked', async () => {
    const form = formOf(Buffer.alloc(maxAvatarSize + 1))
    expect((await sendFor({ id: 'nobody' }, form)).kind).toBe('badUnknownUser')
    expect((await sendFor(await contest.admin(1), form)).kind).toBe(badUserPrivileged.kind)
    expect((await sendFor(admin, formOf())).kind).toBe(badUserPrivileged.kind)
  })
})
